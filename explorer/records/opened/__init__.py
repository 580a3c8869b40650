"""Hold what a model of others is, looks at and predicts."""
