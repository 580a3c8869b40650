"""Runs trained models and returns records."""
