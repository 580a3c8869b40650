import streamlit as st

from explorer.ui import layout, process
from explorer.ui.language import t

layout.open_page("seq2seq_attention")
layout.prose("seq2seq_attention", "intro")
with st.spinner(t("Loading PyTorch (once for all visitors) …")):  # seconds on a cold server: the page stands already
    from explorer.lessons import seq2seq_attention as lesson
    from explorer.models.seq2seq_step import Seq2SeqStep
    from explorer.nn.alignment import Alignment
    from explorer.ui import seq2seq_attention_lengths as lengths
    from explorer.ui import seq2seq_attention_result as results
    from explorer.ui import seq2seq_attention_steps as steps
    from explorer.ui import seq2seq_attention_straw as further
    from explorer.ui.controls import seq2seq_attention as controls
process.settle()
shipped = lesson.models()
models = lesson.models(list(controls.brought()))
layout.try_this(controls.DEFAULTS, controls.states())
result = results.write(controls.draw(models), models)
if result is not None and result.params.task == "couplet":
    layout.prose("seq2seq_attention", "couplet")
if result is not None:
    layout.prose("seq2seq_attention", "steps")
    steps.explore(result, controls.model_names(models))
    layout.code(Seq2SeqStep.move)
    layout.code(Alignment.forward)
lengths.bottleneck(shipped)
if result is not None and result.params.task == "de-en":
    further.straw(result)
further.papers(shipped)
layout.close_page("seq2seq_attention")
