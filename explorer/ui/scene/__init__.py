"""The scene kit: what a lesson writes, and what it gets.

A lesson is a list of scenes; a scene asks one question, shows one picture, on one screen. To convert a lesson:

1. **List** `explorer/scenes/<lesson>.py` (plain data, no torch; add its `LESSON` to `explorer/scenes/__init__.py`)::

       ONE_QUERY = Scene(
           name="one_query",                      # ?scene=, the file below, the section of the prose
           title="One query",                     # two or three words, on the tab
           question="How do you guess a value nobody has measured?",               # at most twelve words
           lead="Ask at one place: the :orange[**query**]. …",              # :blue key, :green value, :violet output
           # every widget of this scene, by key: what it asks, or its default alone, if its bounds depend on data
           controls={"kr_query": 2.5, "kr_epochs": Slider("Epochs", 1, 100, default=60)},
           presets=(Preset("Far too narrow", {"kr_width": 0.05}, "Look for …"),),
           prediction=Prediction(question=…, answers={"flat": "flat", …}, reveals={"kr_width": 5.0}, why=…),
       )
       LESSON = Lesson(stem="kernel_regression", scenes=(ONE_QUERY, …), shared={"kr_n": Slider(…), …})

   `experiment=Experiment(kind="words", question=…, why=…)` lets a class try something together: a number, below the
   curve that says which is best; its map, beside the model's; a mask. Phones and wall get it by this declaration.
   Core scenes come first and have a prediction; `core=False` goes deeper and may have one. `shared` are widgets that
   several scenes have. A preset sets its `state`, and all else of `shared` and `controls` to the default. An old link
   without `?scene=` opens the scene that its keys belong to.

2. **Scene** `explorer/lessons/<lesson>/ui/<scene>.py`: up to three functions and a tuple::

       CODE = (kernel_weights,)                   # the lines that matter, folded below the prose

       def controls() -> Chosen:                  # at most four widgets in the rail, `with rail.more():` the rest
           asked = rail.ask(SCENE.controls)       # all that are declared (`choice.ask(key)`: one), by name
           …                                      # `choice.slider(…)`: others; returns what the stage needs (frozen)

       def stage(chosen: Chosen) -> dict[str, str]:       # draws; returns what fills the prose's {placeholders}, if any
           result = cache.compute(lesson.compute, chosen.params)
           picture.show(
               "kr_fit",
               partial(curves.fit, result.fit),           # called for the page, for paper, for a file
               title=t("The fit"), note=t("small print"),
               reading=lesson.reading(result),            # one sentence, **strong** numbers
               table=lambda: tables.fit(result.fit), provenance=result.fit.provenance,
               of=chosen,                                 # equal ones are drawn once for all sessions
           )
           return {"gap": "1.2e-16"}

       def answer() -> predict.Answer:            # computed: id of the right answer, and what fills `why`
           return "flat", {"mean": "2.68"}

       def experiment() -> trial.Maps:            # computed: the model's side (`explorer.ui.scene.experiment`)
           return trial.Maps(rows=…, columns=…, maps={t("Mean of all heads"): weights}, values=…, reveals=…)

   What refuses (a text, a device, a checkpoint) may be raised from each of them: the kit says it on the stage. Else
   `messages.info(…)`, in controls too: never `st.info`, so that no fold hides it and nothing typed is Markdown; in a
   label or a caption, `messages.plain(…)`. A scene that needs a file says by `find_unusable()` whether it is
   gone. A stage that would give the answer away asks `predict.is_settled(LESSON, SCENE)` first. Two pictures:
   `st.columns`, a `picture.show_chart` in each. A picture that is no Plotly figure: draw it, then
   `picture.show_reading(reading)`. Markup, tables and captions beside pictures: `beside.show(markup, style=…)`,
   `beside.show_table(frame)`, `beside.show_caption(…)`, never `st.html` and its like, which are lost off the page.

3. **Exercises** `explorer/lessons/<lesson>/ui/exercises.py`: `values() -> dict[str, str]` fills the answers.

4. **Prose** `explorer/locale/content/{en,zh}/<lesson>.md`: a section for each scene (“Why it is so”), `takeaway`,
   `exercise_1`, `answer_1`, … Placeholders `{name}` are filled, LaTeX keeps its braces.

5. **Page** `pages/NN_<lesson>.py`: `from explorer.ui.scene import page`, `page.draw("<lesson>")`.

6. **Figures** and readings say `t("…")` (`explorer.records.language`) in the language of whoever reads. Figures ask
   `look()` (`explorer.figures.look`) for their colours: `look().query`, `.key`, `.value`, `.output`, `.text`, `.muted`;
   weights on `colorscale=look().weights` (0 is the paper); `hatch.cells` for masked cells, `hatch.numbers` for numbers
   that can be read. `looks.dressed` does fonts, axes, touch and the projector's sizes: not the figure. Both are
   context variables: `with speaking("zh")`, `with drawing_in(DARK)`. What is kept by a key and holds words or colours
   has `current_language()` and `look()` in its key.

What the kit does by itself: menu as a rail of icons, title row, tabs with `?scene=`, rail 300 pixels wide and sticky,
phone order question–stage–controls, the active preset marked, prediction remembered for the visit, ⓘ with provenance,
numbers and files, present mode (`?present=1`, ← → Esc, QR code), skeleton while torch is imported, next scene, next
lesson. Streamlit seeds a bound slider anew from the first link when its range changes: keep ranges fixed.

The tests in `tests/scenes`, `tests/pages/test_scenes.py` and `tests/browser/test_scenes.py` walk `explorer.scenes`: a
lesson joins them by joining the list.
"""
