"""Know what a model is and costs before anything of it is loaded; neither torch nor transformers is needed."""
