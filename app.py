from explorer.ui import home, layout

layout.open_page("app")
layout.prose("app", "intro")
home.draw()
layout.close_page("app")
