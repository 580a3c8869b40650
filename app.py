from explorer.ui import home, layout

layout.open_page("app")
layout.prose("app", "intro")
home.map_of_ideas()
home.example()
layout.close_page("app")
