from explorer.ui import layout

layout.open_page("masked_softmax")
layout.close_page("masked_softmax")
