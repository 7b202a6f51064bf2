"""A captured request, as a browser or a tool wrote it down, becomes a template with a place for the question."""
