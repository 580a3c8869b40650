// A picture under the pointer: built anew for another room or other words, painted at every move.
import { followSlider } from "./drag.js";

/**
 * Keep a picture drawn. What Python sends is of two kinds: what moves, which the picture has taken already, and what does not.
 * @param {HTMLElement} root @param {() => unknown} build for the room that there is @param {() => void} paint what moves
 */
export function redrawOnResize(root, build, paint) {
    let wide = 0,
        high = 0,
        given = "";
    /** @type {Map<string, ReturnType<typeof followSlider>>} the sliders that are followed, by their keys */ const followed =
        new Map();
    /** @type {Map<string, (value: number) => void>} what they move */ let moves = new Map();
    const grips = () => /** @type {(Element | null)[]} */ ([...root.querySelectorAll("[tabindex]")]);
    const rest = (/** @type {(key: string) => boolean} */ ends) =>
        followed.forEach((stop, key) => {
            if (!ends(key)) return;
            stop();
            followed.delete(key);
        });
    const draw = () => {
        [wide, high] = [root.clientWidth, innerHeight];
        if (!wide) return; // a scene that is left or not yet laid out: the observer draws it
        const active = /** @type {Document | ShadowRoot} */ (root.getRootNode()).activeElement,
            position = grips().indexOf(active);
        build();
        paint();
        if (position < 0 || root.contains(active)) return;
        const made = grips(); // what had the focus has it again
        /** @type {HTMLElement} */ (
            made.find((each) => each?.ariaLabel === active?.ariaLabel) ?? made[position]
        )?.focus({
            preventScroll: true,
        });
    };
    const resized = new ResizeObserver(() => {
        if (given && root.clientWidth && (root.clientWidth !== wide || innerHeight !== high)) draw();
    });
    resized.observe(root);
    return {
        /** Have a slider of the page move something, and paint it. @param {(value: number) => unknown} move */
        slide: (move) => (/** @type {number} */ value) => {
            move(value);
            paint();
        },
        /** Paint, but build first if something else than before stands still. @param {unknown} still
         * @param {() => [string, (value: number) => void][]} begin says what the sliders of the page move, by their keys
         * @param {() => void} [again] instead of painting at once */
        take(still, begin, again = paint) {
            const all = JSON.stringify(still);
            if (all === given) {
                if (wide) again();
            } else {
                given = all;
                moves = new Map(begin());
                rest((key) => !moves.has(key));
                for (const key of moves.keys())
                    if (!followed.has(key))
                        followed.set(
                            key,
                            followSlider(key, (value) => moves.get(key)?.(value)),
                        );
                draw();
            }
            if (wide) for (const slider of followed.values()) slider.again(); // what the reader has hold of stays where it is
        },
        end() {
            rest(() => true);
            resized.disconnect();
        },
    };
}
