from explorer.ui import layout

layout.open_page("scoring_functions")
layout.close_page("scoring_functions")
