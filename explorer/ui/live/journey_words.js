// What is said at each moment of a journey, and what its columns are called; **strong**, ~q~ in the colour of its role.
import { t } from "./words.js";

/** Sentences by their moments, with {placeholders}: of a word that asks all, or of what asks and is none of them; of a sum that is
 * divided by √d or not; of query and key that are multiplied, or added and squeezed.
 * @param {import("./journey_drawing.js").Vectors} data */
export const nameMoments = ({ asker, divided, mixer }) => ({
    wait: asker
        ? t("**{word}** is about to ask. Press ▶.")
        : t("**{word}** is about to ask every word, itself included. Press ▶, or point at another word."),
    ask: t("**{word}** turns into a query ~q~: {d} numbers that say what it looks for."),
    product: t("“{feature}”: **{word}** looks for {q}, **{key}** offers {k}; the product is {p}."),
    sum: t("~q~ meets the key ~k~ of **{key}**: {sum} = {total}. Divided by √{d}: **{score}**."),
    meets: mixer.length
        ? t("~q~ and the key ~k~ of **{key}** are added, number by number; tanh squeezes each sum.")
        : t("~q~ meets the key ~k~ of **{key}**, number by number."),
    adding: mixer.length
        ? t("v · tanh(~q~ + ~k~) with the key ~k~ of **{key}**: {n} of {d} numbers are added up: {score}.")
        : divided
          ? t("~q~ meets the key ~k~ of **{key}**: {n} of {d} products are added up; divided by √{d}: {score}.")
          : t("~q~ meets the key ~k~ of **{key}**: {n} of {d} products are added up: {score}."),
    met: mixer.length
        ? t("v · tanh(~q~ + ~k~) with the key ~k~ of **{key}**: {d} numbers, added up: **{score}**.")
        : divided
          ? t("~q~ meets the key ~k~ of **{key}**: {d} products, added up and divided by √{d}: **{score}**.")
          : t("~q~ meets the key ~k~ of **{key}**: {d} products, added up: **{score}**."),
    raised: t("Raise e to each score: the large ones run ahead, and none is below zero."),
    shared: t("Divide by their sum: the bars become shares of one. **{best}** gets {weight}."),
    gathered: t(
        "Each value ~v~ flows as wide as its weight. All ribbons together are one row wide: the weights add up to 1.",
    ),
    answered: asker
        ? t("**{word}** looks most at **{best}** ({weight}) and takes this mixture ~o~ of the values along.")
        : t(
              "**{word}** looks most at **{best}** ({weight}) and takes this mixture ~o~ of the values along. Point at another word: it asks.",
          ),
    most: t(
        "**{word}** looks most at **{best}** ({weight}) and takes this mixture ~o~ along; the other {others} add {together}.",
    ),
    others: t(
        "The other {others} keys are compared too. Their e^score, added up, is as much as one score of **{score}**.",
    ),
});

/** Names of the five steps. */
export const nameSteps = () => [t("Ask"), t("Compare"), t("Share"), t("Gather"), t("Answer")];

/** Names of the columns, and of query and key in them. @param {import("./journey_drawing.js").Vectors} data */
export const nameColumns = ({ d, divided, mixer }) => ({
    comparing: mixer.length ? "v · tanh({query} + {key})" : "{query} × {key}",
    scoring: t("score"),
    summed: divided ? t("sum ÷ √{d}", { d }) : t("sum"),
    query: t("query"),
    key: t("key"),
    weight: t("weight"),
    value: t("value"),
    output: t("output"),
});
