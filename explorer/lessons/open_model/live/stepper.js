// A number with a button on either side: what is clicked in a picture, for keys and fingers.
import { element } from "../../../ui/live/dom.js";
import { formatMessage, t } from "../../../ui/live/words.js";

/** @param {(by: number) => void} move */
export function stepper(move) {
    const node = element("span", "stepper"),
        name = element("span", ""),
        value = element("b", "");
    const buttons = [-1, 1].map((by) => {
        const made = element("button", "", by < 0 ? "‹" : "›");
        made.type = "button";
        made.onclick = () => move(by);
        return made;
    });
    node.append(name, buttons[0], value, buttons[1]);
    return {
        node,
        /** @param {string} label @param {string} number */
        show(label, number) {
            name.textContent = label;
            value.textContent = number;
            [t("{name}: one back"), t("{name}: one on")].forEach((each, at) => {
                buttons[at].ariaLabel = formatMessage(each, { name: label });
            });
        },
    };
}
