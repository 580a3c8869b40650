from explorer.ui.scene import page

page.draw("translator")
