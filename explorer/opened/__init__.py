"""Open models that others made: their cards, their attention, their predictions. Only the worker loads transformers."""
