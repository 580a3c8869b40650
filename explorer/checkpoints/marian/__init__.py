"""Marian translators of `transformers`, converted into our folders."""
