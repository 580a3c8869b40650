"""One module per page: its widgets, all bound to the URL, returning Params and View."""
