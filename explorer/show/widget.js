// Draws a live picture in a cell of a notebook, from its modules, which Python sends along: a notebook serves no files.

/** What anywidget hands over. @typedef {{get: (name: string) => any, set: (name: string, value: unknown) => void,
 *   save_changes: () => void}} Model */

const IMPORTED = /(?<= from ")[^"]+(?=";$)/gm;

/** Load modules, each after what it imports; returns the last one. @param {[string, string][]} modules name and text */
async function load(modules) {
    /** @type {Record<string, string>} */ const addresses = {};
    for (const [name, text] of modules) {
        const linked = text.replace(IMPORTED, (imported) => addresses[imported] ?? imported);
        addresses[name] = URL.createObjectURL(new Blob([linked], { type: "text/javascript" }));
    }
    const last = await import(addresses[modules[modules.length - 1][0]]);
    for (const address of Object.values(addresses)) URL.revokeObjectURL(address);
    return last;
}

export default {
    /** @param {{model: Model, el: HTMLElement}} cell */
    async render({ model, el }) {
        const host = document.createElement("div");
        host.className = "live";
        el.append(host);
        const root = host.attachShadow({ mode: "open" });
        root.innerHTML = model.get("_markup");
        const { default: draw } = await load(model.get("_modules")),
            packed = model.get("_packed");
        let told = {};
        return draw({
            data: new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength),
            parentElement: root,
            /** Kept together: a slow kernel is sent the last of them alone. @param {string} _ @param {object} changed */
            setTriggerValue(_, changed) {
                told = { ...told, ...changed };
                model.set("_told", told);
                model.save_changes();
            },
        });
    },
};
