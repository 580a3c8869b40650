from explorer.ui.scene import page

page.draw("multi_head")
