from explorer.ui.scene import page

page.draw("open_model")
