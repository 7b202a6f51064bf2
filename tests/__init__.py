"""Tests: laws first, then examples; one folder a stage."""
