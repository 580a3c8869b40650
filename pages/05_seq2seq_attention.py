from explorer.ui.scene import page

page.draw("seq2seq_attention")
