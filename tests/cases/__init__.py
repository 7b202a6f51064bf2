"""Small inputs, each with the right behaviour written beside it; README.md tells their form."""
