// A legend of rules: how many heads keep each; a click shows these alone.
import { element } from "../../../ui/live/dom.js";
import { onInk } from "../../../ui/live/weights.js";

/** Make the sign of a rule, in its colour. @param {import("./squares.js").Rule} rule */
export function ruleIcon({ sign, colour }) {
    const icon = element("i", "", sign);
    icon.ariaHidden = "true";
    icon.style.background = colour;
    icon.style.color = onInk(colour);
    return icon;
}

/** @param {HTMLElement} box @param {(rule: number) => void} choose */
export function legend(box, choose) {
    box.role = "group";
    /** @param {import("./squares.js").Rule[]} rules @param {number[]} counts @param {number} only @param {string} label */
    return (rules, counts, only, label) => {
        const active = /** @type {Document | ShadowRoot} */ (box.getRootNode()).activeElement,
            held = active && box.contains(active) ? /** @type {HTMLElement} */ (active).dataset.rule : null;
        box.ariaLabel = label;
        box.replaceChildren(
            ...[...rules.keys()]
                .filter((rule) => counts[rule] && rules[rule].name)
                .map((rule) => {
                    const made = element("button", "kind");
                    made.type = "button";
                    made.dataset.rule = String(rule);
                    made.ariaPressed = String(only === rule);
                    made.append(ruleIcon(rules[rule]), rules[rule].name, element("b", "", String(counts[rule])));
                    made.onclick = () => choose(rule);
                    return made;
                }),
        );
        if (held) /** @type {HTMLElement | null} */ (box.querySelector(`[data-rule="${held}"]`))?.focus();
    };
}
