"""Texts that the lesson begins with; recorded, so that they need neither a network nor transformers."""

#: In it heads repeat themselves, and a model must know which country was named last.
CAPITALS = "The capital of France is Paris. The capital of Japan is Tokyo. The capital of Italy is"
#: Two texts that differ in one word: what a head found in one is carried over into the other.
FRANCE, ITALY = "The capital of France is", "The capital of Italy is"
#: For translators: in French, the noun stands before its colour; and a sentence whose subject and object change places.
SOFA, MISS = "The black cat is not on the red sofa.", "I miss you."
#: The beginning of the Gettysburg Address (Lincoln 1863; public domain): what stands in it twice shows induction.
GETTYSBURG = (
    "Four score and seven years ago our fathers brought forth on this continent, a new nation, conceived in Liberty,"
    " and dedicated to the proposition that all men are created equal.\n"
    "Now we are engaged in a great civil war, testing whether that nation, or any nation so conceived and so dedicated,"
    " can long endure. We are met on a great battle-field of that war. We have come to dedicate a portion of that"
    " field, as a final resting place for those who here gave their lives that that nation might live. It is altogether"
    " fitting and proper that we should do this.\n"
    "But, in a larger sense, we can not dedicate -- we can not consecrate -- we can not hallow -- this ground. The"
    " brave men, living and dead, who struggled here, have consecrated it, far above our poor power to add or detract."
    " The world will little note, nor long remember what we say here, but it can never forget what they did here. It is"
    " for us the living, rather, to be dedicated here to the unfinished work which they who fought here have thus far"
    " so nobly advanced."
)
#: Names of pictures that come along.
PICTURES = ("cat", "horse", "rocket")
