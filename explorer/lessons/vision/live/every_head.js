// Every head as a small grey copy of the picture: columns are layers, rows are heads. Colour lies where the token looks at which
// the slider stands, also before it is let go; a click or Enter opens a head.
import { MOVES, element, live, placeOn, updateTableWhenIdle, screenReaderOnly } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { setText } from "../../../ui/live/drawing.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { inks } from "../../../ui/live/weights.js";
import { opacity, strip } from "../../../ui/live/patches.js";

/**
 * @typedef {object} Data
 * @property {import("../../../ui/live/unpack.js").Packed} weights [layers, heads, tokens, tokens]; token 0 is no patch, the patches
 *   follow row by row
 * @property {string} picture address of the small picture @property {number} grid patches on each side
 * @property {number} query token that asks @property {string[]} names of all tokens
 * @property {[number, string][]} scale colours of weights
 */
/** @typedef {{button: HTMLButtonElement, pen: CanvasRenderingContext2D, layer: number, head: number}} Tile */

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "every_head", everyHead);

/** @param {HTMLElement} root */
function everyHead(root) {
    const title = element("h3", "title"),
        board = element("div", "board"),
        scale = element("p", "scale"),
        line = element("p", "line");
    title.append(element("b", ""), element("span", ""));
    board.role = "group";
    root.replaceChildren(title, board, scale, line);
    const table = screenReaderOnly(root, "table");

    /** @type {Data} */ let data;
    /** @type {import("../../../ui/live/unpack.js").Packed} */ let weights;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {Tile[]} */ let tiles = [];
    /** @type {Uint32Array} */ let colours;
    let asks = 0;

    /** What a head gives every patch. @param {Tile} tile */
    function row({ layer, head }) {
        const [, heads, tokens] = weights.shape,
            start = ((layer * heads + head) * tokens + asks) * tokens;
        return weights.values.subarray(start + 1, start + tokens);
    }

    function build() {
        const [layers, heads] = weights.shape,
            name = (/** @type {number} */ number) => element("b", "number", String(number));
        root.style.setProperty("--layers", String(layers));
        root.style.setProperty("--heads", String(heads));
        root.style.setProperty("--grid", String(data.grid));
        tiles = [];
        board.replaceChildren(element("span", ""), ...Array.from({ length: layers }, (_, layer) => name(layer)));
        for (let head = 0; head < heads; head += 1) {
            board.append(name(head));
            for (let layer = 0; layer < layers; layer += 1) {
                const button = element("button", "tile"),
                    image = element("img", ""),
                    veil = element("canvas", "");
                [button.type, button.tabIndex, image.src, image.alt] = [
                    "button",
                    tiles.length ? -1 : 0,
                    data.picture,
                    "",
                ];
                [veil.width, veil.height] = [data.grid, data.grid];
                button.append(image, veil, element("span", "asks"));
                const tile = {
                    button,
                    pen: /** @type {CanvasRenderingContext2D} */ (veil.getContext("2d")),
                    layer,
                    head,
                };
                button.onclick = () => tell({ opened: { layer, head } });
                button.onkeydown = (event) => walk(event, tile);
                button.onpointermove = (event) => point(event, tile);
                tiles.push(tile);
                board.append(button);
            }
        }
    }

    function paint() {
        const { grid } = data,
            patch = asks - 1;
        setText(title.children[0], t("What {who} looks at in every head", { who: data.names[asks] }));
        setText(title.children[1], t("columns: layers; rows: heads"));
        setText(line, "");
        scale.replaceChildren(...strip(data.scale, t("no weight"), t("the largest weight of its tile")));
        board.ariaLabel = title.textContent;
        root.classList.toggle("patch", patch >= 0);
        root.style.setProperty("--row", String(Math.floor(patch / grid)));
        root.style.setProperty("--column", String(patch % grid));
        for (const tile of tiles) {
            const own = row(tile),
                most = Math.max(...own),
                veil = tile.pen.createImageData(grid, grid);
            const pixels = new Uint32Array(veil.data.buffer);
            own.forEach((weight, at) => {
                const part = most ? weight / most : 0;
                pixels[at] = colours[Math.round(part * (colours.length - 1))];
                veil.data[4 * at + 3] = 255 * opacity(part);
            });
            tile.pen.putImageData(veil, 0, 0);
            tile.button.ariaLabel = `${t("layer {layer}, head {head}", { layer: tile.layer, head: tile.head })}: ${most.toFixed(3)}`;
        }
        const positions = Array.from(
            { length: grid * grid },
            (_, at) => `${Math.floor(at / grid) + 1}, ${(at % grid) + 1}`,
        );
        updateTableWhenIdle(table, title.textContent ?? "", () => [
            ["", ...positions],
            ...tiles.map((tile) => [
                t("layer {layer}, head {head}", { layer: tile.layer, head: tile.head }),
                ...Array.from(row(tile), (each) => each.toFixed(4)),
            ]),
        ]);
    }

    /** Go to the next tile. @param {KeyboardEvent} event @param {Tile} tile */
    function walk(event, { button, layer, head }) {
        const step = MOVES[event.key],
            to = step && tiles.find((each) => each.layer === layer + step[1] && each.head === head + step[0]);
        if (!step) return;
        event.preventDefault();
        if (!to) return;
        [button.tabIndex, to.button.tabIndex] = [-1, 0];
        to.button.focus({ preventScroll: true });
    }

    /** Say what lies under the mouse. @param {PointerEvent} event @param {Tile} tile */
    function point(event, tile) {
        if (event.pointerType !== "mouse") return;
        const { grid } = data,
            [across, down] = placeOn(event, tile.button).map((position) =>
                Math.floor((position / tile.button.clientWidth) * grid),
            );
        const value = row(tile)[down * grid + across];
        if (Math.min(across, down) < 0 || Math.max(across, down) >= grid) return;
        setText(
            line,
            t("layer {column}, head {row}; row and column {position} of the picture: {value}", {
                column: tile.layer,
                row: tile.head,
                position: `${down + 1}, ${across + 1}`,
                value: value.toFixed(4),
            }),
        );
    }

    board.addEventListener("pointerleave", () => setText(line, ""));
    const shown = redrawOnResize(root, build, paint);
    return {
        /** @param {Data} now @param {import("../../../ui/live/dom.js").Changed} told */
        take(now, told) {
            const { query, weights: packed, ...still } = now;
            [data, weights, asks, tell, colours] = [now, packed, query, told, inks(now.scale)];
            shown.take(still, () => [["vi_query", shown.slide((to) => (asks = to))]]);
        },
        end: shown.end,
    };
}
