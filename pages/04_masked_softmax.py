from explorer.ui.scene import page

page.draw("masked_softmax")
