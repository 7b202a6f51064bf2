"""Golden set → verdict: whether a release may go out, by evidence."""
