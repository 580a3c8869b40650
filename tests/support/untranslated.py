"""A browser's translator leaves data alone: what was typed, what was written, and every token of them."""

from playwright.sync_api import Page, TimeoutError as Late

#: Texts that a translator would change in boxes, charts and drawings, and in lines that hold the sentence of a box;
#: drawings may lie in a shadow of the page.
CHANGED = """() => {
    const boxes = "[data-testid=stTextInput] input, [data-testid=stTextArea] textarea", found = [], texts = [];
    const data = boxes + ", [data-testid=stMain] svg text, [data-testid=stDataFrame], .word, .letter, .translated";
    const kept = (node) => {
        for (let at = node; at; at = at.parentElement ?? at.getRootNode().host)
            if (at.getAttribute("translate") === "no") return true;
        return false;
    };
    const look = (root, inside) => {
        for (const each of root.querySelectorAll("*")) {
            if (each.shadowRoot) look(each.shadowRoot, true);
            const drawn = each.matches(data) || (inside && each.matches("svg text"));
            if (drawn && !kept(each)) found.push(`${each.localName} ${each.getAttribute("class")} ${each.textContent}`);
            for (const node of each.childNodes)
                if (node.nodeType === Node.TEXT_NODE && !each.matches("script, style")) texts.push([node.data, each]);
        }
    };
    look(document, false);
    const typed = [...document.querySelectorAll(boxes)].map((each) => each.value.trim())
        .filter((each) => each.includes(" ") || /[\\u3400-\\u9fff]{4}/.test(each));
    const prose = ".st-key-below"; // ours, which may speak of an example that stands in a box
    for (const [text, each] of texts)
        if (!each.closest(prose) && typed.some((one) => text.includes(one)) && !kept(each))
            found.push(`${each.localName}: ${text}`);
    return [...new Set(found.map((each) => each.slice(0, 80)))];
}"""


def data_are_left_alone(page: Page) -> None:
    try:
        page.wait_for_function(f"() => !({CHANGED})().length", timeout=3_000)
    except Late:
        assert page.evaluate(CHANGED) == []
