from explorer.ui import layout

layout.open_page("translator")
layout.close_page("translator")
