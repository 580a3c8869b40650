"""Run opened models and record what passes. Only the worker, and a notebook, loads this."""
