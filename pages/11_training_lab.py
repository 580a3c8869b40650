from explorer.ui.scene import page

page.draw("training_lab")
