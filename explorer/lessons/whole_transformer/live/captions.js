// What is said beside the picture: where one is, what is seen, which lesson is about it, the same as a table.
import { percent } from "../../../ui/live/numbers.js";
import { element } from "../../../ui/live/dom.js";
import { formatMessage, t } from "../../../ui/live/words.js";
import { MEMORY, OUT } from "./world.js";
import { products } from "./score.js";

/** @typedef {import("./scene.js").Scene} Scene */

/** Where the weights of a row go most. @param {Scene} scene @param {string} name @param {number} head @param {number} row @param {number} count */
function shares(scene, name, head, row, count) {
    const asked = scene.asked(scene.world.part(name));
    return scene
        .most(name, head, row, count)
        .map(({ weight, column }) => t("{share} to “{key}”", { share: percent(weight), key: asked[column] }))
        .join(t(" and "));
}

/** The way to what is shown: a name and a selection for each level. @param {Scene} scene @returns {[string, object][]} */
export function crumbs(scene) {
    const { selected, world } = scene,
        layer = world.layerOf(selected.part),
        part = world.part(selected.part);
    /** @type {[string, object][]} */ const way = [[t("The whole"), { level: 0 }]];
    if (selected.level) way.push([scene.head.layers[layer.stack][layer.layer], { level: 1 }]);
    const word = scene.asks(layer.stack)[selected.row];
    if (selected.net) way.push([t("feed-forward, “{word}”", { word }), { level: 2, net: true }]);
    else if (selected.level > 1)
        way.push([
            t("{part}, head {head}", { part: scene.head.parts[partName(scene, part)], head: selected.head }),
            { level: 2 },
        ]);
    if (selected.level > 2) way.push([`${word} → ${scene.asked(part)[selected.column]}`, { level: 3 }]);
    return way;
}

/** @param {Scene} scene @param {import("./world.js").Part} part */
const partName = (scene, part) => (part.kind === "cross" ? "cross" : scene.causal(part) ? "causal" : "self");

/** Lessons about what is shown. @param {Scene} scene @returns {[string, string][]} */
export function lessons(scene) {
    const { selected, world, head } = scene,
        part = world.part(selected.part);
    const level = selected.net ? "net" : ["whole", "layer", "head", "score"][selected.level];
    return selected.level &&
        !selected.net &&
        selected.level < 3 &&
        part.stack === "dec" &&
        (selected.level === 1 || scene.causal(part))
        ? [...head.links[level], ...head.links.mask]
        : head.links[level];
}

/** What is seen, in one or two sentences. @param {Scene} scene */
export function caption(scene) {
    const { selected, world, head } = scene;
    if (scene.travel) return travelled(scene);
    if (scene.playing) return written(scene);
    if ((scene.hovered ?? scene.pinned) && selected.level < 2) return pointed(scene);
    const layer = world.layerOf(selected.part),
        part = world.part(selected.part),
        word = scene.asks(layer.stack)[selected.row];
    if (selected.net) {
        const net = `${layer.stack}.${layer.layer}.net`;
        return t(
            "The net sees “{word}” alone. {d} numbers become {units}; {awake} of them stay above 0, and become {d} again, which are added.",
            {
                word,
                d: head.sizes.d,
                units: head.sizes.units,
                awake: scene.awake(net, selected.row),
            },
        );
    }
    if (!selected.level)
        return t(
            "Follow a line: a word becomes {d} numbers; “mix” lets words exchange what they know; “alone” changes each by itself. Point at a word, click a layer.",
            { d: head.sizes.d },
        );
    if (selected.level === 1)
        return t(
            "x goes straight on. Each part reads it, normalised by mean μ and scale σ, and adds something: +% of its length. Click a head or a net.",
        );
    if (selected.level === 3)
        return t(
            "Every one of the {count} products, added up and divided by √{count}; then compared with the other scores of the row.",
            { count: head.sizes.d / head.sizes.heads },
        );
    const values = {
        head: selected.head,
        word,
        written: head.written[selected.row],
        shares: shares(scene, part.name, selected.head, selected.row, 2),
    };
    if (scene.causal(part))
        return t(
            "At “{word}”, to write “{written}”, head {head} may look at no later word. It gives {shares}. Click a score.",
            values,
        );
    return formatMessage(
        part.stack === "dec"
            ? t("At “{word}”, to write “{written}”, head {head} gives {shares}. Click a score.")
            : t("When “{word}” asks, head {head} gives {shares}. Click a score."),
        values,
    );
}

/** While it is written. @param {Scene} scene */
function written(scene) {
    const { head } = scene,
        step = scene.step(),
        since = scene.clock - 1 - step;
    if (scene.clock < 1)
        return t("The encoder reads all {count} pieces at once, layer by layer.", { count: head.source.length });
    if (since < 0.66)
        return t(
            "Piece {position}: “{word}” runs through the decoder; it mixes with what is written and looks at English.",
            { position: step + 1, word: head.read[step] },
        );
    const said = t("{count} scores, one for each piece of the vocabulary: “{word}” gets {share}.", {
        count: head.sizes.vocabulary.toLocaleString("en"),
        word: head.written[step],
        share: percent(head.probability[step]),
    });
    return since > 0.8 && step < head.read.length - 1 ? said + t(" It goes back in.") : said;
}

/** What a word that is pointed at, or was chosen, reads in the nearest layer. @param {Scene} scene */
function pointed(scene) {
    const { head, world } = scene,
        hovered = scene.hovered ?? scene.pinned;
    if (!hovered) return "";
    const word = scene.asks(hovered.stack)[hovered.row];
    if (hovered.stack === "enc") {
        const most = head.written
            .map((/** @type {string} */ each, /** @type {number} */ row) => ({
                each,
                weight: scene.link(row, hovered.row),
            }))
            .sort((/** @type {{weight: number}} */ a, /** @type {{weight: number}} */ b) => b.weight - a.weight)[0];
        return t(
            "“{word}” runs through the encoder. It is looked at most where “{written}” is written: up to {share}.",
            { word, written: most.each, share: percent(most.weight) },
        );
    }
    const last = `dec.${world.sizes.decoder - 1}.cross`;
    return t("At “{word}” the model writes “{written}” ({share}). Its last look at English gives {shares}.", {
        word,
        written: head.written[hovered.row],
        share: percent(head.probability[hovered.row]),
        shares: shares(scene, last, scene.shown, hovered.row, 2),
    });
}

/** What the stations do that a word travels through. @param {Scene} scene */
function travelled(scene) {
    const { travel, head, world } = scene,
        { sizes } = head;
    if (!travel) return "";
    const word = scene.asks(travel.stack)[travel.row],
        layer = world.layers.find((each) => each.stack === travel.stack && travel.x < each.right + 6);
    if (travel.x < 168)
        return t("“{word}” is looked up: {d} numbers, and the code of position {position} is added.", {
            word,
            d: sizes.d,
            position: travel.row + 1,
        });
    if (!layer || travel.x > (travel.stack === "enc" ? MEMORY[0] : OUT))
        return travel.stack === "enc"
            ? t("“{word}” has become memory: every French word may look at it.", { word })
            : t("{d} numbers meet {count} word vectors: “{word}”, {share}.", {
                  d: sizes.d,
                  count: sizes.vocabulary.toLocaleString("en"),
                  word: head.written[travel.row],
                  share: percent(head.probability[travel.row]),
              });
    const part = [...layer.parts].reverse().find((each) => travel.x >= each.norm - 6) ?? layer.parts[0];
    const values = {
        layer: scene.head.layers[layer.stack][layer.layer],
        word,
        added: percent(scene.share(part, travel.row)),
    };
    if (part.kind === "net")
        return t(
            "{layer}, feed-forward: “{word}” alone. {awake} of {units} units active. Added: {added} of its length.",
            { ...values, awake: scene.awake(part.name, travel.row), units: sizes.units },
        );
    return t("{layer}, {part}: “{word}” asks and gives {shares}. Added: {added} of its length.", {
        ...values,
        part: scene.head.parts[partName(scene, part)],
        shares: shares(scene, part.name, -1, travel.row, 2),
    });
}

/** Heading and rows of the table that says the same. @param {Scene} scene @returns {{title: string, heads: string[], rows: string[][]}} */
function table(scene) {
    const { selected, world, head } = scene,
        layer = world.layerOf(selected.part),
        part = world.part(selected.part);
    const asks = scene.asks(layer.stack),
        title = crumbs(scene)
            .map(([said]) => said)
            .join(" · ");
    if (selected.net) {
        const name = `${layer.stack}.${layer.layer}.net`,
            { values } = scene.array(`${name}.units`),
            size = head.sizes.units;
        const all = [...values.subarray(selected.row * size, (selected.row + 1) * size)]
            .map((value, unit) => ({ value, unit }))
            .filter((each) => each.value > 0);
        return {
            title,
            heads: [t("unit"), t("value")],
            rows: all.map(({ value, unit }) => [String(unit), value.toFixed(4)]),
        };
    }
    if (!selected.level)
        return {
            title,
            heads: [t("read"), t("written"), t("probability"), t("likeliest")],
            rows: head.read.map((/** @type {string} */ word, /** @type {number} */ row) => [
                word,
                head.written[row],
                head.probability[row].toFixed(4),
                head.likeliest[row]
                    .map((/** @type {[string, number]} */ [each, share]) => `${each} ${share.toFixed(4)}`)
                    .join(", "),
            ]),
        };
    if (selected.level === 1)
        return {
            title,
            heads: [
                t("piece"),
                ...layer.parts.flatMap((each) => [
                    `${scene.head.parts[each.kind === "net" ? "net" : partName(scene, each)]}: |x|`,
                    t("length of what is added"),
                ]),
            ],
            rows: asks.map((word, row) => [
                word,
                ...layer.parts.flatMap((each) => [
                    scene.length(each.before, row).toFixed(2),
                    scene.length(`${each.name}.added`, row).toFixed(2),
                ]),
            ]),
        };
    const asked = scene.asked(part);
    if (selected.level === 2) {
        const weights = scene.weights(part.name, selected.head);
        return {
            title,
            heads: [t("asks"), ...asked],
            rows: asks.map((word, row) => [
                word,
                ...asked.map((_, column) =>
                    scene.causal(part) && column > row ? t("hidden") : weights[row * asked.length + column].toFixed(4),
                ),
            ]),
        };
    }
    const { query, key, product } = products(scene, part, selected.head, selected.row, selected.column);
    return {
        title,
        heads: [t("number"), "q", "k", "q · k"],
        rows: [...product].map((each, position) => [
            String(position + 1),
            query[position].toFixed(4),
            key[position].toFixed(4),
            each.toFixed(4),
        ]),
    };
}

/** @param {HTMLTableElement} into @param {Scene} scene */
export function fillTable(into, scene) {
    const { title, heads, rows } = table(scene),
        top = element("tr", "");
    top.append(...heads.map((said) => Object.assign(element("th", "", said), { scope: "col" })));
    into.replaceChildren(
        element("caption", "", title),
        top,
        ...rows.map(([name, ...cells]) => {
            const row = element("tr", "");
            row.append(
                Object.assign(element("th", "", name), { scope: "row" }),
                ...cells.map((said) => element("td", "", said)),
            );
            return row;
        }),
    );
}
