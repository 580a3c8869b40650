from explorer.ui import layout

layout.open_page("app")
