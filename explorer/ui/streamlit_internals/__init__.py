"""Everything that we use of Streamlit's inner parts: `README.md` lists it, and a test holds that the rest uses none."""
