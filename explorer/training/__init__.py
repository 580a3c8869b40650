"""Training writes checkpoints."""
