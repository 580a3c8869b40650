from explorer.ui.scene import page

page.draw("whole_transformer")
