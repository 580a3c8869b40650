"""Figures of the numbers behind the picture."""
