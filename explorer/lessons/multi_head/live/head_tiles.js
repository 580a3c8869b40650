// All heads as small maps: a group for each kind of attention, a row for each layer, a tile for each head. One group is open,
// buttons open the others.
// A click or Enter chooses a head and tells Python; the arrow keys move between tiles.
import { clamp } from "../../../ui/live/motion.js";
import { MOVES, element, live, placeOn } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { liveRegion } from "../../../ui/live/live_region.js";
import { paint, ramp } from "../../../ui/live/weights.js";

/**
 * @typedef {import("../../../ui/live/unpack.js").Packed} Layer weights [heads, queries, keys], missing where a mask forbids to look
 * @typedef {object} Data
 * @property {{title: string, asks: string[], asked: string[], layers: Layer[]}[]} groups asks, asked: names of rows and columns
 * @property {[number, number, number] | null} chosen group, layer, head
 * @property {Record<string, [string, string]> | null} marks sign and meaning by "group.layer.head"; others are faded
 * @property {number} open the group that is shown at first @property {string[]} off heads that are switched off
 * @property {[number, string][]} scale colours of weights, at stops from 0 to 1
 * @property {[string, string]} masked ground and hatch of a cell that a mask hides
 */

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "head_tiles", make);

/** @param {HTMLElement} root */
function make(root) {
    /** @type {Data} */ let data;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {{tile: HTMLButtonElement, canvas: HTMLCanvasElement, position: number[], row: number, weights: Float32Array}[]} */
    let tiles = [];
    liveRegion(root);
    /** @type {HTMLElement[]} */ let groups = [];
    /** @type {HTMLButtonElement[]} */ let tabs = [];
    let given = "",
        drawn = "",
        size = 0,
        opened = -1,
        asked = -1,
        mine = false; // the group that is seen, and that Python asked for; whether a tile here was chosen since

    /** Build a tile for each head. */
    function build() {
        tiles = [];
        let row = 0;
        const widest = Math.max(...data.groups.flatMap((group) => group.layers.map(({ shape }) => shape[0])));
        root.style.setProperty("--heads", String(widest));
        root.style.setProperty("--rows", String(Math.max(...data.groups.map((group) => group.layers.length))));
        tabs = data.groups.map(({ title }, position) => {
            const tab = element("button", "tab", title);
            tab.type = "button";
            tab.onclick = () => open(position);
            return tab;
        });
        const bar = element("div", "tabs");
        bar.append(...tabs);
        bar.hidden = tabs.length < 2;
        groups = data.groups.map((group, position) => {
            const made = element("div", "group");
            made.role = "group";
            made.ariaLabel = group.title;
            const axes = element("p", "axes");
            axes.append(element("span", "", t("layer ↓")), element("span", "", t("head →")));
            made.append(axes);
            const numbers = element("div", "numbers");
            numbers.append(...Array.from({ length: widest }, (_, head) => element("span", "number", String(head))));
            made.append(
                numbers,
                ...group.layers.map((layer, number) => {
                    const line = element("div", "row"),
                        { values: weights } = layer,
                        [heads, queries, keys] = layer.shape,
                        cells = queries * keys;
                    line.append(
                        element("span", "number", group.layers.length > 1 || group.title ? String(number) : ""),
                    );
                    for (let head = 0; head < heads; head += 1) {
                        const tile = element("button", "tile"),
                            canvas = element("canvas", "");
                        tile.type = "button";
                        tile.onclick = () => choose(tile);
                        tile.onkeydown = (event) => move(event, tile);
                        tile.onpointermove = (event) => point(event, tile);
                        tile.append(canvas);
                        line.append(tile);
                        tiles.push({
                            tile,
                            canvas,
                            position: [position, number, head],
                            row,
                            weights: weights.subarray(head * cells, (head + 1) * cells),
                        });
                    }
                    row += 1;
                    return line;
                }),
            );
            if (group.layers.some(({ values }) => values.some(Number.isNaN)))
                made.append(element("p", "note", t("hatched: not yet written, nobody may look there")));
            return made;
        });
        root.replaceChildren(bar, ...groups);
        opened = -1;
    }

    /** Show one group, and the others as buttons. @param {number} group */
    function open(group) {
        if (group === opened) return;
        opened = group;
        groups.forEach((each, position) => (each.hidden = position !== group));
        tabs.forEach((tab, position) => (tab.ariaPressed = String(position === group)));
        draw();
    }

    /** The first tile that is seen. */
    const seen = () => tiles.find(({ position }) => position[0] === opened)?.canvas.clientWidth ?? 0;

    /** Frame the chosen head, and show what is marked or switched off. @param {string} chosen */
    function mark(chosen) {
        tabs.forEach((tab, position) => {
            const count = data.off.filter((name) => name.startsWith(`${position}.`)).length,
                { title } = data.groups[position];
            tab.textContent = count ? t("{title}: {count} off", { title, count }) : title;
        });
        const known = tiles.some((each) => each.position.join(".") === chosen);
        tiles.forEach(({ tile, position, canvas }, at) => {
            const name = position.join("."),
                sign = data.marks?.[name],
                off = data.off.includes(name);
            const said = t("layer {layer}, head {head}", { layer: position[1], head: position[2] });
            const words = [data.groups[position[0]].title, said].filter(Boolean).join(", ");
            tile.dataset.says = tile.ariaLabel = [words, sign?.[1], off && t("switched off")]
                .filter(Boolean)
                .join(": ");
            tile.ariaPressed = String(name === chosen);
            tile.tabIndex = (known ? name === chosen : at === 0) ? 0 : -1;
            tile.classList.toggle("chosen", name === chosen);
            tile.classList.toggle("faded", data.marks !== null && !sign && name !== chosen);
            tile.classList.toggle("off", off);
            tile.replaceChildren(canvas, ...(sign ? [element("span", "sign", sign[0])] : []));
        });
    }

    /** Say the weight under the pointer, too. @param {PointerEvent} event @param {HTMLButtonElement} tile */
    function point(event, tile) {
        const { canvas, position, weights } = tiles[tiles.findIndex((each) => each.tile === tile)],
            { asks, asked } = data.groups[position[0]];
        const [x, y] = placeOn(event, canvas),
            cell = (/** @type {number} */ at, /** @type {string[]} */ names) =>
                clamp(Math.floor((at / canvas.clientWidth) * names.length), 0, names.length - 1);
        const [row, column] = [cell(y, asks), cell(x, asked)],
            weight = weights[row * asked.length + column];
        const values = { query: asks[row], key: asked[column], weight: weight.toFixed(3) };
        tile.dataset.says = `${tile.ariaLabel}${Number.isNaN(weight) ? "" : `: ${t("“{query}” attends to “{key}”: {weight}", values)}`}`;
    }

    /** @param {HTMLButtonElement} tile */
    function choose(tile) {
        const at = tiles.findIndex((each) => each.tile === tile);
        mark(tiles[at].position.join("."));
        mine = true;
        tell({ chosen: { position: at } });
    }

    /** @param {KeyboardEvent} event @param {HTMLButtonElement} tile */
    function move(event, tile) {
        const step = MOVES[event.key],
            here = tiles.find((each) => each.tile === tile);
        if (!step || !here) return;
        event.preventDefault();
        const to = tiles.find(
            (each) => each.row === here.row + step[0] && each.position[2] === here.position[2] + step[1],
        );
        if (!to) return;
        open(to.position[0]);
        to.tile.focus();
    }

    function draw() {
        const colours = ramp(data.scale);
        for (const { canvas, position, weights } of tiles) {
            if (position[0] !== opened) continue;
            const [, queries, keys] = data.groups[position[0]].layers[position[1]].shape;
            paint(canvas, weights, { queries, keys }, colours, data.masked);
        }
    }

    const resized = new ResizeObserver(() => {
        const now = seen();
        if (now !== size) draw();
        size = now;
    });
    resized.observe(root);
    return {
        /** @param {Data} now @param {import("../../../ui/live/dom.js").Changed} told */
        take(now, told) {
            tell = told;
            const all = JSON.stringify(now),
                maps = JSON.stringify([now.groups, now.scale]);
            if (all === given) return;
            [given, data] = [all, now];
            if (maps !== drawn) build();
            mark((data.chosen ?? []).join("."));
            if (maps !== drawn || (now.open !== asked && !mine)) open(opened < 0 || !mine ? now.open : opened);
            [drawn, asked, mine] = [maps, now.open, false];
            size = seen();
        },
        end: () => resized.disconnect(),
    };
}
