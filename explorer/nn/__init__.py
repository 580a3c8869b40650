"""Modules with parameters, and the tape that watches them."""
