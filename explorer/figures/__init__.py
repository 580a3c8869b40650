"""Records in, Plotly figures out."""
