from explorer.ui.scene import page

page.draw("efficient_attention")
