"""Trained weights on disk and on the Hub: a manifest beside safetensors."""
