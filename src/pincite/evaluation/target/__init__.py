"""Where responses come from: an index, a recorded run, an HTTP endpoint, a function."""
