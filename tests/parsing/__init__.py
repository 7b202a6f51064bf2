"""Parsing: promises first, then each format."""
