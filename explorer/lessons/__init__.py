"""The content of each page: Params, View, Result and compute; no Streamlit, no Plotly."""
