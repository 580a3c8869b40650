"""One sentence and one question that run through all lessons: what each of them adds to the answer."""

from collections.abc import Mapping

from explorer.records.language import message

SENTENCE = "The cat drank its warm milk."
QUESTION = message("How does *its* know whose milk it is?")
#: By lesson, in the order of the menu.
ANSWERS: Mapping[str, str] = {
    "queries_keys_values": message(
        "*its* asks with its query, *cat* has the key that fits, and *its* takes in the value of *cat*."
    ),
    "kernel_regression": message(
        "*its* could ask its neighbours alone, the nearest loudest. That is a kernel; it knows places and no words."
    ),
    "scoring_functions": message(
        "How well *cat* fits *its*, and how well *milk* does, are two numbers: the scores. Their formula is learned."
    ),
    "masked_softmax": message(
        "While the sentence is being written, *its* may look back at *cat* and not ahead at *milk*: a mask forbids it."
    ),
    "seq2seq_attention": message(
        "Squeezed into one vector, *cat* may be lost before *its* is translated. With attention the model looks back."
    ),
    "multi_head": message(
        "*its* asks in several heads at once: one may look for who owns the milk, another for the word before."
    ),
    "positional_encoding": message(
        "Without position codes *its* would hear the same in “The milk drank its warm cat”: no word knows its place."
    ),
    "architectures": message(
        "From *its* to *cat* attention takes one step, whatever stands between; a recurrence walks through every word."
    ),
    "whole_transformer": message(
        "Layer by layer the vector of *its* takes in what it hears: at the end it holds more than the word alone."
    ),
    "translator": message(
        "To write *son lait* the translator needs two things: one animal owns the milk, and *lait* is masculine."
    ),
    "training_lab": message(
        "Nobody marks *cat* as the answer for *its*. Looking at the right word makes the loss fall, so it is learned."
    ),
    "text_generation": message(
        "After “The cat drank its” a model that writes on looks back, too, and a die chooses among what could follow."
    ),
    "vision": message("Patches of a picture ask each other as *its* asks *cat*: with a query, keys and values."),
    "efficient_attention": message(
        "A window of eight still reaches from *its* to *cat*. In a book the owner may stand pages back, outside of it."
    ),
    "open_model": message(
        "Type the sentence into a model that others made, click *its*, and look for a head that answers *cat*."
    ),
}
