from explorer.ui.scene import page

page.draw("text_generation")
