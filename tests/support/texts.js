// What live pictures write, for `texts.py`: canvases are noted while they are drawn, all else is measured.

/* A canvas that is filled whole begins anew. */
(() => {
    const pen = CanvasRenderingContext2D.prototype,
        write = pen.fillText,
        fill = pen.fillRect;
    pen.fillRect = function (x, y, wide, high) {
        const by = this.getTransform().a;
        if (x <= 0 && y <= 0 && wide * by >= this.canvas.width && high * by >= this.canvas.height)
            this.canvas.written = [];
        fill.call(this, x, y, wide, high);
    };
    pen.fillText = function (said, x, y) {
        const { a, b, c, d, e, f } = this.getTransform(),
            wide = this.measureText(said).width;
        const size = parseFloat(this.font.match(/[\d.]+px/)[0]);
        const left = x - ({ right: wide, end: wide, center: wide / 2 }[this.textAlign] ?? 0);
        const corners = [
            [left, y - size / 2],
            [left + wide, y + size / 2],
        ];
        const [[x0, y0], [x1, y1]] = corners.map(([u, v]) => [a * u + c * v + e, b * u + d * v + f]);
        (this.canvas.written ??= []).push({
            said,
            size: size * Math.hypot(a, b),
            turned: Math.abs(b) > 0.01 && Math.abs(a) > 0.01,
            alpha: this.globalAlpha,
            box: [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)],
        });
        write.call(this, said, x, y);
    };
})();

/* Every text on the stage: what, the size of its type, left, top, right, bottom. */
window.textsOnStage = () => {
    const found = [],
        stage = document.querySelector(".st-key-stage");
    const seen = (node) => {
        for (let each = node; each && each !== stage; each = each.parentElement ?? each.getRootNode().host) {
            const style = getComputedStyle(each);
            if (style.display === "none" || style.visibility === "hidden" || Number(style.opacity) < 0.3) return false;
            if (/unseen|says|js-plotly-plot|katex/.test(each.getAttribute("class") ?? "") || each.ariaHidden === "true")
                return false;
        }
        return true;
    };
    const put = (said, size, { left, top, right, bottom }) => {
        if (right > left && said.trim()) found.push([said.trim(), size, left, top, right, bottom]);
    };
    const walk = (root) => {
        for (const node of root.querySelectorAll("*")) {
            if (node.shadowRoot) walk(node.shadowRoot);
            if (node instanceof HTMLCanvasElement && node.written && seen(node)) {
                const box = node.getBoundingClientRect(),
                    by = box.width / node.width;
                for (const {
                    said,
                    size,
                    turned,
                    alpha,
                    box: [x0, y0, x1, y1],
                } of node.written)
                    if (alpha > 0.3 && !turned && x1 > 0 && y1 > 0 && x0 < node.width && y0 < node.height)
                        put(said, size * by, {
                            left: box.x + x0 * by,
                            top: box.y + y0 * by,
                            right: box.x + x1 * by,
                            bottom: box.y + y1 * by,
                        });
            }
            if (!root.host || !node.textContent.trim() || !seen(node)) continue;
            if (node instanceof SVGTextElement) {
                const at = node.getScreenCTM(),
                    size = parseFloat(getComputedStyle(node).fontSize) * Math.hypot(at.a, at.b);
                const box = node.getBoundingClientRect(),
                    middle = (box.top + box.bottom) / 2;
                const turned = Math.abs(at.b) > 0.01;
                put(
                    node.textContent,
                    size,
                    turned
                        ? { left: -99 * found.length - 99, right: -99 * found.length - 98, top: 0, bottom: 1 }
                        : { left: box.left, right: box.right, top: middle - size / 2, bottom: middle + size / 2 },
                );
            } else if (!(node instanceof SVGElement) && !/^(OPTION|SELECT|STYLE|CAPTION|TH|TD)$/.test(node.tagName))
                for (const text of node.childNodes) {
                    if (text.nodeType !== 3 || !text.data.trim()) continue;
                    const range = document.createRange();
                    range.selectNodeContents(text);
                    for (const box of range.getClientRects()) {
                        const size = parseFloat(getComputedStyle(node).fontSize),
                            middle = (box.top + box.bottom) / 2;
                        put(text.data, size, {
                            left: box.left,
                            right: box.right,
                            top: middle - size / 2,
                            bottom: middle + size / 2,
                        });
                    }
                }
        }
    };
    walk(stage);
    return found;
};
