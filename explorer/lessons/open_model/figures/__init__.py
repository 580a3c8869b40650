"""Records drawn with Plotly."""
