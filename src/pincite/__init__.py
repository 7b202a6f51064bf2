"""Documents in, cited passages out."""
