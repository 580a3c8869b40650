"""Tokenizers and corpora."""
