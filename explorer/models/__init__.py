"""One configuration and one module per model family."""
