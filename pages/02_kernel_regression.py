from explorer.ui import layout

layout.open_page("kernel_regression")
layout.close_page("kernel_regression")
