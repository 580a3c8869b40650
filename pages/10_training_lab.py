import streamlit as st

from explorer.ui import layout, process
from explorer.ui.language import t

layout.open_page("training_lab")
layout.prose("training_lab", "intro")
with st.spinner(t("Loading PyTorch (once for all visitors) …")):  # seconds on a cold server: the page stands already
    from explorer.training.lab_loop import train_step
    from explorer.ui import presence
    from explorer.ui import training_lab_background as background
    from explorer.ui import training_lab_list as listed
    from explorer.ui import training_lab_live as live
    from explorer.ui import training_lab_settings as settings
    from explorer.ui import training_lab_upload as upload
    from explorer.ui.controls import training_lab as controls
process.settle()
presence.remember()
layout.try_this(controls.DEFAULTS, controls.states())
result = settings.computed(controls.draw())
if result is not None:
    settings.announced(result)
    settings.buttons(result)
live.watch()
listed.draw()
background.draw()
upload.bring()
layout.prose("training_lab", "bounds", **background.bounds())
layout.code(train_step)
layout.close_page("training_lab")
