"""The scenes of kernel regression."""

from explorer.scenes import book
from explorer.scenes.controls import SelectSlider, Slider, Toggle
from explorer.scenes.spec import Experiment, Lesson, Prediction, Preset, Scene

#: Speed in mph and stopping distance in feet of 50 cars (Ezekiel 1930, *Methods of Correlation Analysis*).
CARS = """speed dist
4 2;4 10;7 4;7 22;8 16;9 10;10 18;10 26;10 34;11 17;11 28;12 14;12 20;12 24;12 28;13 26;13 34;13 34;13 46;14 26;14 36
14 60;14 80;15 20;15 26;15 54;16 32;16 40;17 32;17 40;17 50;18 42;18 56;18 76;18 84;19 36;19 46;19 68;20 32;20 48;20 52
20 56;20 64;22 66;23 54;24 70;24 92;24 93;24 120;25 85""".replace(";", "\n")
#: What no single width gets right, and short.
STEP = "x,y\n0,1\n1,1\n2,1\n3,1\n4,1\n5,4\n6,4\n7,4\n8,4\n9,4"

#: Numbers of a kernel of the reader's own.
P, Q = (Slider(label, 0.1, 6.0, 0.1, default=usual) for label, usual in (("Shape p", 2.0), ("Sharpness q", 0.5)))
#: Points that are drawn, and how.
N = Slider("How many, n", 5, 500, 5, default=50)
DRAWN = {
    "kr_n": N,
    "kr_noise": Slider("Noise σ", 0.0, 2.0, 0.05, default=0.5),
    "kr_seed": Slider("Seed", 0, 99, default=0),
}

ONE_QUERY = Scene(
    name="one_query",
    title="One query",
    question="How do you guess a value nobody has measured?",
    lead=(
        "Nobody measured at q, the :orange[**query**]. Points nearby answer, the nearest most: the "
        ":violet[**prediction**] is their weighted average. **Drag q.**"
    ),
    controls={"kr_query": 2.5, "kr_width": 0.5},
    presets=(
        Preset(
            "Far too narrow",
            {"kr_width": 0.05},
            "Look for a curve that runs after every single point: it learns the noise by heart.",
        ),
        Preset(
            "About right",
            {"kr_width": 0.2},
            "Look for the prediction close to the dashed truth, which it has never seen.",
        ),
        Preset(
            "All points alike",
            {"kr_width": 5.0},
            "Look for bars of nearly equal height: even the farthest point counts nearly as much as the nearest.",
        ),
        Preset(
            "Nobody within reach",
            {"kr_kernel": "triangular", "kr_width": 0.05, "kr_n": 25, "kr_query": 1.6},
            "Look for gaps: where no point is within reach there is no answer, and none is drawn.",
        ),
    ),
    prediction=Prediction(
        question="Here the width is 0.5. Ten times as wide, the violet curve becomes …",
        answers={"jagged": "jagged", "slope": "a straight slope", "flat": "flat"},
        reveals={"kr_width": 5.0},
        why=(
            "At width 5 a query averages over {effective} of {n} points almost alike, so every query gets nearly the "
            "same answer: the curve stays between {low} and {high}, and the mean of all points is {mean}."
        ),
    ),
    experiment=Experiment(
        kind="number",
        question="Fifty points, and nobody tells you the truth. Which width would you trust?",
        number=Slider("Width", 0.05, 5.0, default=1.0),
        log=True,
        why=(
            "Predict each point from the others. At width {best} the error is least, {error}; at a third of this width "
            "it is {narrow}, at three times this width {wide}."
        ),
    ),
)

EVERY_QUERY = Scene(
    name="every_query",
    title="Every query",
    question="What if we ask everywhere at once?",
    lead=(
        "Each column is a :orange[**query**]; the stronger a cell, the more weight its :blue[**key**] gets. Each "
        "column makes one dot of the :violet[**curve**]. **Drag q.**"
    ),
    controls={"kr_query": 2.5, "kr_width": 0.5},
    presets=(
        Preset(
            "A sharp diagonal",
            {"kr_width": 0.1},
            "Look for a thin strong line: each query listens to the few keys at its own place.",
        ),
        Preset(
            "A broad band",
            {"kr_width": 1.0},
            "Look for faint colour everywhere: the weight is spread over many keys, the curve is calm.",
        ),
        Preset(
            "At the edge",
            {"kr_query": 5.0, "kr_width": 1.0},
            "Look at the last query: its keys lie on one side only, and each gets more.",
        ),
        Preset(
            "Edges that are cut",
            {"kr_kernel": "boxcar", "kr_width": 0.5},
            "Look for hard borders: with the boxcar a key counts fully or not at all.",
        ),
    ),
    prediction=Prediction(
        question="Which column spreads its weight over more points?",
        answers={"middle": "one in the middle", "edge": "one at the edge", "alike": "both alike"},
        reveals={"kr_query": 5.0},
        why=(
            "In the middle the average is over about {middle} points, at the edge over {edge}: beyond the edge "
            "there is nobody to ask."
        ),
        told=True,
    ),
)

LEARN_WIDTH = Scene(
    name="learn_width",
    title="Learn the width",
    question="Who chooses the width? Can the data?",
    lead=(
        "Each point is guessed from all others. Gradient descent moves one number, the width, until the guesses are "
        "good. **Press Play.**"
    ),
    controls={
        "kr_epoch": 0,
        "kr_leave": Toggle("Leave each point out", default=True),
        "kr_every": Toggle("Loss and w = 1/width, too", default=False),
        "kr_rate": SelectSlider("Learning rate", (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 25.0, 50.0), default=10.0),
        "kr_epochs": Slider("Epochs", 1, 100, default=60),
        "kr_start": Slider("Start w", 0.05, 5.0, 0.05, default=0.5),
        "kr_steps": SelectSlider("Steps per epoch", (1, 2, 5, 10), default=1),
        "kr_drawn": Toggle("Draw the start from U(0, 1)", default=False),
        "kr_sum": Toggle("The rate is for the sum of squares", default=False),
    },
    presets=(
        Preset("After learning", {"kr_epoch": 60}, "Look at the curve: nearly flat before, it now follows the points."),
        Preset(
            "It learns to copy",
            {"kr_leave": False, "kr_every": True, "kr_rate": 25.0, "kr_epochs": 100, "kr_epoch": 100},
            "Look for a loss that falls while the error against the truth rises: w grows without bound.",
        ),
        Preset(
            "The textbook’s recipe",
            {"kr_rate": 0.5, "kr_sum": True, "kr_drawn": True, "kr_epochs": 5, "kr_epoch": 5},
            "Look for a first step that jumps too far: play the five epochs. The curve ends less smooth.",
        ),
        Preset(
            "Too small a step",
            {"kr_rate": 0.5, "kr_epoch": 60},
            "Look for a curve that is still on its way: the learning rate is too small to arrive.",
        ),
    ),
    prediction=Prediction(
        question="The violet curve is too flat: it misses hill and valley. Learning makes the width …",
        answers={"smaller": "smaller", "larger": "larger", "same": "it stays"},
        reveals={"kr_epoch": 60},
        why=(
            "From {before} to {after}: nearer points count more, and the curve bends with them. The error against the "
            "truth falls from {wrong} to {less}."
        ),
    ),
)

KERNELS = Scene(
    name="kernels",
    title="Kernels",
    question="How fast should a voice fade with distance?",
    lead="Four kernels, each with area 1. Only the Gaussian reaches every key; the others end at distance h.",
    core=False,
    controls={"kr_kernel": "gaussian", "kr_width": 0.5},
    presets=(
        Preset(
            "A hard edge",
            {"kr_kernel": "boxcar", "kr_width": 0.3},
            "Look for steps in the curve: a point that enters or leaves makes it jump.",
        ),
        Preset(
            "A parabola",
            {"kr_kernel": "epanechnikov"},
            "Look for a curve that is smooth again, with a kernel that ends.",
        ),
        Preset(
            "It ends too soon",
            {"kr_kernel": "triangular", "kr_width": 0.05},
            "Look for gaps: no key within reach, no answer.",
        ),
    ),
)

ERROR_BY_WIDTH = Scene(
    name="error_by_width",
    title="Error against width",
    question="Which width is best, and how would you know?",
    lead=(
        "The truth is known here, so its error can be drawn. Leave-one-out needs no truth: it predicts each point from "
        "all the others. Compare where both are lowest."
    ),
    core=False,
    controls={"kr_width": 0.5},
    presets=(
        Preset(
            "No noise",
            {"kr_noise": 0.0},
            "Look for both minima moving to the left: without noise, few neighbours are enough.",
        ),
        Preset(
            "Much noise",
            {"kr_noise": 1.5},
            "Look for the best width moving to the right: noise has to be averaged away.",
        ),
        Preset(
            "Few points", {"kr_n": 10}, "Look for how far apart the two best widths lie: ten points are a poor witness."
        ),
    ),
)

LEAVE_ONE_OUT = Scene(
    name="leave_one_out",
    title="Why leave the sample out",
    question="Why must a point not be its own neighbour?",
    lead=(
        "The same learning twice: each point left out of its own prediction, or kept in. Kept in, the best guess of a "
        "point is the point itself."
    ),
    core=False,
    controls={"kr_rate": 10.0, "kr_epochs": 60, "kr_start": 0.5, "kr_steps": 1},
    presets=(
        Preset(
            "Learn longer, faster",
            {"kr_rate": 50.0, "kr_epochs": 100},
            "Look for the dotted curve: it visits point after point, for it has learned to copy.",
        ),
        Preset("Stop early", {"kr_epochs": 3}, "Look at how close the two curves still are: copying takes its time."),
        Preset(
            "No noise",
            {"kr_noise": 0.0},
            "Look for two curves that agree: where points carry no noise, copying does no harm.",
        ),
    ),
)

LESS_SMOOTH = Scene(
    name="less_smooth",
    title="Why the learned fit is less smooth",
    question="Why is the learned curve less smooth?",
    lead=(
        "A wide kernel averages over many points and rubs out noise and shape alike. Where learning narrows it, the "
        "shape was worth more: it listens to fewer points, and the curve moves more."
    ),
    core=False,
    controls={"kr_rate": 10.0, "kr_epochs": 60, "kr_start": 0.5},
    presets=(
        Preset(
            "Much noise",
            {"kr_noise": 1.5},
            "Look for a learned curve that is calmer again: noise asks for a wider kernel.",
        ),
        Preset(
            "Start narrow",
            {"kr_start": 5.0},
            "Look for the other way round: from a start that is too narrow, learning smooths.",
        ),
    ),
)

OWN_KERNEL = Scene(
    name="own_kernel",
    title="Your own kernel",
    question="Can you make a better kernel?",
    lead=(
        "Choose a family and bend it by two numbers. Solid is your fit; dotted is the Gaussian at the width that "
        "leave-one-out chooses for it."
    ),
    core=False,
    controls={"kr_family": "fades", "kr_p": P, "kr_q": Q, "kr_width": 0.5},
    presets=(
        Preset(
            "A sharp tip",
            {"kr_p": 1.0, "kr_q": 1.0, "kr_width": 0.25},
            "Look for small corners at the points: the tip is felt where a query passes one.",
        ),
        Preset(
            "Tricube",
            {"kr_family": "ends", "kr_p": 3.0, "kr_q": 3.0, "kr_width": 0.7},
            "Look for a fit as smooth as the Gaussian’s, by a kernel that ends.",
        ),
        Preset(
            "Long tails",
            {"kr_family": "tails", "kr_q": 1.0, "kr_width": 0.5},
            "Look at hill and valley: far points still pull the curve to the mean.",
        ),
        Preset(
            "A ring",
            {"kr_family": "ring", "kr_p": 1.0, "kr_q": 1.0, "kr_width": 0.5},
            "Look for a curve that misses the shape: it listens to points at a distance, not to the nearest.",
        ),
    ),
    prediction=Prediction(
        question="A kernel with a sharp tip, or the Gaussian: each at its best width, how far apart are their errors?",
        answers={"little": "less than a quarter", "twice": "up to five times", "tenfold": "more"},
        reveals={"kr_p": 1.0, "kr_q": 1.0, "kr_width": 0.25},
        why=(
            "Predicting each point from the others, the pointed one errs by {pointed}, the Gaussian by {gaussian}: "
            "{apart} apart. A wrong width costs more: at h = {wide} even the Gaussian errs by {flat}."
        ),
    ),
)

LEARN_SHAPE = Scene(
    name="learn_shape",
    title="Learn the shape",
    question="Can the data choose the shape, too?",
    lead=(
        "Gradient descent moves all three numbers of your kernel: shape p, sharpness q and width. Each point is "
        "guessed from the others. Move the step and watch the shape and the weights."
    ),
    core=False,
    controls={"kr_family": "fades", "kr_p": P, "kr_q": Q, "kr_step": 60, "kr_width": 0.5},
    presets=(
        Preset(
            "Before learning",
            {"kr_step": 0},
            "Look at the weights of the kernel you begin with: a Gaussian, so each row fades softly.",
        ),
        Preset(
            "From a sharp tip",
            {"kr_p": 1.0, "kr_q": 1.0},
            "Look for the same end: the tip is gone, and p has grown to its bound.",
        ),
        Preset(
            "From a ring",
            {"kr_family": "ring", "kr_p": 1.0, "kr_q": 1.0},
            "Look for a ring that is drawn inwards: nearer points tell more, and learning finds them.",
        ),
        Preset(
            "Long tails",
            {"kr_family": "tails", "kr_q": 1.0},
            "Look for tails that are cut off: far points told the wrong thing.",
        ),
    ),
)

OWN_DATA = Scene(
    name="own_data",
    title="Your own data",
    question="What do your own numbers say?",
    lead="Paste two columns, or bring a file. Until you do, 50 cars stand in: speed, and distance to stop.",
    core=False,
    controls={"kr_csv": ""},
    presets=(
        Preset(
            "Real data: 50 cars",
            {"kr_source": "own", "kr_csv": CARS, "kr_width": 2.0, "kr_query": 14.92},
            "Look for a curve that bends upwards: twice the speed takes more than twice the way.",
        ),
        Preset(
            "A step",
            {"kr_source": "own", "kr_csv": STEP, "kr_width": 0.5, "kr_query": 4.5},
            "Look for the jump: at width 0.5 it is a steep slope, and a wider kernel flattens it.",
        ),
    ),
)

LESSON = Lesson(
    stem="kernel_regression",
    book=(book.POOLING,),
    shared={
        "kr_source": "classic",
        **DRAWN,
        "kr_csv": "",
        "kr_moved": "",
        "kr_kernel": "gaussian",
    },
    scenes=(
        ONE_QUERY,
        EVERY_QUERY,
        LEARN_WIDTH,
        KERNELS,
        ERROR_BY_WIDTH,
        LEAVE_ONE_OUT,
        LESS_SMOOTH,
        OWN_KERNEL,
        LEARN_SHAPE,
        OWN_DATA,
    ),
)
