"""The scenes, with Streamlit."""
