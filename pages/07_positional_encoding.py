from explorer.ui.scene import page

page.draw("positional_encoding")
