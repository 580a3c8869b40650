"""Sub-words of Marian translators."""
