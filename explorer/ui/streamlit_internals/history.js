/** Streamlit 1.67 makes a step of the history for every control that a press has set, and one without any when a page is left:
 * “back” would walk through states that nobody has seen. What follows from one act of the reader is one step, and an
 * address stays short. @param {number} letters that an address may have */
export function stepOnce(letters) {
    let acts = 0,
        stepped = 0;
    for (const kind of ["pointerdown", "pointerup", "keydown"])
        document.addEventListener(kind, () => (acts += 1), true);
    const push = history.pushState.bind(history),
        replace = history.replaceState.bind(history);
    history.replaceState = (state, title, address) => replace(state, title, shortened(address, letters));
    history.pushState = (state, title, address) => {
        const short = shortened(address, letters);
        (acts === stepped || short === location.href ? replace : push)(state, title, short);
        stepped = acts;
    };
    history.replaceState(history.state, "", location.href);
}

// Proxies refuse an address that is too long: of what it says, the longest is left out.
/** @param {string | URL | null | undefined} address @param {number} letters */
function shortened(address, letters) {
    const url = new URL(address ?? "", location.href);
    while (url.href.length > letters && url.search) {
        const length = (/** @type {string[]} */ [, value]) => encodeURIComponent(value).length;
        url.searchParams.delete([...url.searchParams].reduce((a, b) => (length(a) < length(b) ? b : a))[0]);
    }
    return url.href;
}
