"""The screen: the only package that imports Streamlit."""
