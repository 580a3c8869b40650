"""The scenes, with Streamlit, and the picture that they share."""
