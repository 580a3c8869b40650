import streamlit as st

from explorer.ui import home, layout, server

if __name__ == "__main__":  # Streamlit draws the page
    layout.open_page()
    home.draw()
else:  # `streamlit run app.py` starts the server
    app = st.App(__file__, routes=server.routes(), lifespan=server.lifespan)
