"""The scenes of kernel regression."""

from explorer.records.language import english as message
from explorer.scenes.spec import Lesson, Prediction, Preset, Scene

#: Speed in mph and stopping distance in feet of 50 cars (Ezekiel 1930, *Methods of Correlation Analysis*).
CARS = """speed dist
4 2;4 10;7 4;7 22;8 16;9 10;10 18;10 26;10 34;11 17;11 28;12 14;12 20;12 24;12 28;13 26;13 34;13 34;13 46;14 26;14 36
14 60;14 80;15 20;15 26;15 54;16 32;16 40;17 32;17 40;17 50;18 42;18 56;18 76;18 84;19 36;19 46;19 68;20 32;20 48;20 52
20 56;20 64;22 66;23 54;24 70;24 92;24 93;24 120;25 85""".replace(";", "\n")
#: What no single width gets right, and short.
STEP = "x,y\n0,1\n1,1\n2,1\n3,1\n4,1\n5,4\n6,4\n7,4\n8,4\n9,4"

ONE_QUERY = Scene(
    name="one_query",
    title=message("One query"),
    question=message("How do you guess a value nobody has measured?"),
    lead=message(
        "Ask at one place: the :orange[**query**]. Every point nearby answers, the nearest loudest. "
        "The :violet[**prediction**] is their weighted average: this is attention."
    ),
    controls={"kr_query": 2.5, "kr_width": 0.5},
    presets=(
        Preset(
            label=message("Far too narrow"),
            state={"kr_width": 0.05},
            look=message("Look for a curve that runs after every single point: it learns the noise by heart."),
        ),
        Preset(
            label=message("About right"),
            state={"kr_width": 0.2},
            look=message("Look for the prediction close to the dashed truth, which it has never seen."),
        ),
        Preset(
            label=message("Everybody alike"),
            state={"kr_width": 5.0},
            look=message("Look for bars of equal height: every point counts the same, wherever you ask."),
        ),
        Preset(
            label=message("Nobody within reach"),
            state={"kr_kernel": "triangular", "kr_width": 0.05, "kr_n": 25, "kr_query": 1.6},
            look=message("Look for gaps: where no point is within reach there is no answer, and none is drawn."),
        ),
    ),
    prediction=Prediction(
        question=message("The width is 0.5. If it grows to 5, the curve becomes …"),
        answers={"jagged": message("jagged"), "slope": message("a straight slope"), "flat": message("flat")},
        reveals={"kr_width": 5.0},
        why=message(
            "At width 5 a query averages over {effective} of {n} points almost alike, so every query gets nearly the "
            "same answer: the curve stays between {low} and {high}, and the mean of all points is {mean}."
        ),
    ),
)

EVERY_QUERY = Scene(
    name="every_query",
    title=message("Every query"),
    question=message("What if we ask everywhere at once?"),
    lead=message(
        "Each row is one :orange[**query**], each column one :blue[**key**]; strong colour is much weight. "
        "A row times the values gives one dot of the :violet[**curve**] beside it."
    ),
    controls={"kr_query": 2.5, "kr_width": 0.5},
    presets=(
        Preset(
            label=message("A sharp diagonal"),
            state={"kr_width": 0.1},
            look=message("Look for a thin dark line: each query listens to the few keys at its own place."),
        ),
        Preset(
            label=message("A broad band"),
            state={"kr_width": 1.0},
            look=message("Look for faint colour everywhere: the weight is spread over many keys, the curve is calm."),
        ),
        Preset(
            label=message("At the edge"),
            state={"kr_query": 5.0, "kr_width": 1.0},
            look=message("Look at the last row: its keys lie on one side only, and each gets more."),
        ),
        Preset(
            label=message("Edges that are cut"),
            state={"kr_kernel": "boxcar", "kr_width": 0.5},
            look=message("Look for hard borders: with the boxcar a key counts fully or not at all."),
        ),
    ),
    prediction=Prediction(
        question=message("Which query averages over more points?"),
        answers={
            "middle": message("the one in the middle"),
            "edge": message("the one at the edge"),
            "alike": message("both alike"),
        },
        reveals={"kr_query": 5.0},
        why=message(
            "In the middle the average is over about {middle} points, at the edge over {edge}: beyond the edge "
            "there is nobody to ask."
        ),
    ),
)

LEARN_WIDTH = Scene(
    name="learn_width",
    title=message("Learn the width"),
    question=message("Who chooses the width? Can the data?"),
    lead=message(
        "Each point in turn is guessed from all the others; gradient descent moves w = 1/width until the guesses are "
        "best. It is the smallest trained attention there is: one weight."
    ),
    controls={
        "kr_epoch": 60,
        "kr_leave": True,
        "kr_rate": 10.0,
        "kr_epochs": 60,
        "kr_start": 0.5,
        "kr_steps": 1,
    },
    presets=(
        Preset(
            label=message("Before learning"),
            state={"kr_epoch": 0},
            look=message("Look at the curve: at the starting width it is nearly flat."),
        ),
        Preset(
            label=message("A few steps in"),
            state={"kr_rate": 1.0, "kr_epoch": 3},
            look=message("Look for the steep part of the loss: the first steps do most of the work."),
        ),
        Preset(
            label=message("w grows without bound"),
            state={"kr_leave": False, "kr_rate": 25.0, "kr_epochs": 100, "kr_epoch": 100},
            look=message("Look for a loss that falls while the error against the truth rises: it learns to copy."),
        ),
        Preset(
            label=message("Too small a step"),
            state={"kr_rate": 0.5},
            look=message("Look for a curve that is still on its way: the learning rate is too small to arrive."),
        ),
    ),
    prediction=Prediction(
        question=message("If a point may look at itself, its loss falls further. And the error against the truth?"),
        answers={"falls": message("falls too"), "same": message("stays"), "rises": message("rises")},
        reveals={"kr_leave": False},
        why=message(
            "The loss ends at {loss_kept} instead of {loss_left}, the error against the truth at {kept} instead of "
            "{left}: each point copies itself, noise and all."
        ),
    ),
)

KERNELS = Scene(
    name="kernels",
    title=message("Kernels"),
    question=message("How fast should a voice fade with distance?"),
    lead=message("Four kernels, each with area 1. Only the Gaussian reaches every key; the others end at distance h."),
    core=False,
    controls={"kr_kernel": "gaussian", "kr_width": 0.5},
    presets=(
        Preset(
            label=message("A hard edge"),
            state={"kr_kernel": "boxcar", "kr_width": 0.3},
            look=message("Look for steps in the curve: a point that enters or leaves makes it jump."),
        ),
        Preset(
            label=message("A parabola"),
            state={"kr_kernel": "epanechnikov"},
            look=message("Look for a curve that is smooth again, with a kernel that ends."),
        ),
        Preset(
            label=message("It ends too soon"),
            state={"kr_kernel": "triangular", "kr_width": 0.05},
            look=message("Look for gaps: no key within reach, no answer."),
        ),
    ),
)

ERROR_BY_WIDTH = Scene(
    name="error_by_width",
    title=message("Error against width"),
    question=message("Which width is best, and how would you know?"),
    lead=message(
        "The truth is known here, so its error can be drawn. Leave-one-out needs no truth: it predicts each point from "
        "all the others. Compare where both are lowest."
    ),
    core=False,
    controls={"kr_width": 0.5},
    presets=(
        Preset(
            label=message("No noise"),
            state={"kr_noise": 0.0},
            look=message("Look for both curves falling to the left: without noise the nearest point is enough."),
        ),
        Preset(
            label=message("Much noise"),
            state={"kr_noise": 1.5},
            look=message("Look for the best width moving to the right: noise has to be averaged away."),
        ),
        Preset(
            label=message("Few points"),
            state={"kr_n": 10},
            look=message("Look for how far apart the two best widths lie: ten points are a poor witness."),
        ),
    ),
)

LEAVE_ONE_OUT = Scene(
    name="leave_one_out",
    title=message("Why leave the sample out"),
    question=message("Why must a point not be its own neighbour?"),
    lead=message(
        "The same learning twice: each point left out of its own prediction, or kept in. Kept in, the best guess of a "
        "point is the point itself."
    ),
    core=False,
    controls={"kr_rate": 10.0, "kr_epochs": 60, "kr_start": 0.5, "kr_steps": 1},
    presets=(
        Preset(
            label=message("Learn longer, faster"),
            state={"kr_rate": 50.0, "kr_epochs": 100},
            look=message("Look for the dotted curve: it visits point after point, for it has learned to copy."),
        ),
        Preset(
            label=message("Stop early"),
            state={"kr_epochs": 3},
            look=message("Look at how close the two curves still are: copying takes its time."),
        ),
        Preset(
            label=message("No noise"),
            state={"kr_noise": 0.0},
            look=message("Look for two curves that agree: where points carry no noise, copying does no harm."),
        ),
    ),
)

LESS_SMOOTH = Scene(
    name="less_smooth",
    title=message("Why the learned fit is less smooth"),
    question=message("Why is the learned curve less smooth?"),
    lead=message(
        "A wide kernel averages over many points and rubs out noise and shape alike. Learning found that the shape is "
        "worth more: it listens to fewer points, and the curve moves more."
    ),
    core=False,
    controls={"kr_rate": 10.0, "kr_epochs": 60, "kr_start": 0.5},
    presets=(
        Preset(
            label=message("Much noise"),
            state={"kr_noise": 1.5},
            look=message("Look for a learned curve that is calmer again: noise asks for a wider kernel."),
        ),
        Preset(
            label=message("Start narrow"),
            state={"kr_start": 5.0},
            look=message("Look for the other way round: from a start that is too narrow, learning smooths."),
        ),
    ),
)

OWN_DATA = Scene(
    name="own_data",
    title=message("Your own data"),
    question=message("What do your own numbers say?"),
    lead=message("Paste two columns, or bring a file. Until you do, 50 cars stand in: speed, and distance to stop."),
    core=False,
    controls={"kr_csv": ""},
    presets=(
        Preset(
            label=message("Real data: 50 cars"),
            state={"kr_source": "own", "kr_csv": CARS, "kr_width": 2.0, "kr_query": 15.0},
            look=message("Look for a curve that bends upwards: twice the speed takes more than twice the way."),
        ),
        Preset(
            label=message("A step"),
            state={"kr_source": "own", "kr_csv": STEP, "kr_width": 0.5, "kr_query": 4.5},
            look=message("Look for the jump: at width 0.5 it is a steep slope, and a wider kernel flattens it."),
        ),
    ),
)

LESSON = Lesson(
    stem="kernel_regression",
    shared={"kr_source": "classic", "kr_n": 50, "kr_noise": 0.5, "kr_seed": 0, "kr_csv": "", "kr_kernel": "gaussian"},
    scenes=(
        ONE_QUERY,
        EVERY_QUERY,
        LEARN_WIDTH,
        KERNELS,
        ERROR_BY_WIDTH,
        LEAVE_ONE_OUT,
        LESS_SMOOTH,
        OWN_DATA,
    ),
)
