// The Transformer, whole: mounts the picture, its player and its words; draws only when something has changed.
import { element, presentZoom, live, standsAlone, windowHeight } from "../../../ui/live/dom.js";
import { glossed } from "../../../ui/live/gloss.js";
import { followRange } from "../../../ui/live/drag.js";
import { t } from "../../../ui/live/words.js";
import { makeCamera } from "./camera.js";
import { prefersReducedMotion, clamp } from "../../../ui/live/motion.js";
import { caption, crumbs, fillTable, lessons } from "./captions.js";
import { journeying } from "./head.js";
import { drawOutput, drawWords } from "./output.js";
import { makePen } from "./pen.js";
import { follow } from "./pointing.js";
import { say as onPage } from "../../../ui/live/reading.js";
import { liveRegion } from "../../../ui/live/live_region.js";
import { makeScene } from "./scene.js";
import { drawEmbedding, drawFronts, drawLayers, drawLines, drawMemory } from "./stack.js";
import { HIGH, makeWorld, MEMORY, OUT, WIDE } from "./world.js";

const READING = 4,
    FIRST = 4.5,
    LATER = 2.2; // seconds for the encoder, the first word, each later word
const BEAT = 0.5; // seconds from step to step without motion: every sentence that is said on the way is seen
const PACE = 42; // world units a second that a travelling word goes
const PHONE = 560; // pixels: a narrower picture is transposed

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "whole", mount);

/** @param {HTMLElement} root */
function mount(root) {
    const way = element("nav", "way"),
        about = element("span", "about"),
        canvas = element("canvas", "stage"),
        said = element("p", "said");
    const player = element("div", "player foot"),
        play = element("button", "play"),
        back = element("button", "step"),
        on = element("button", "step");
    const scrub = element("input", "scrub"),
        speed = element("select", ""),
        ribbons = element("select", "ribbons-of"),
        travel = element("button", "travel");
    const unseen = element("div", "unseen"),
        table = element("table", ""),
        keys = element("p", ""),
        top = element("div", "top");
    Object.assign(scrub, { type: "range", min: "0", step: "0.01" });
    Object.assign(canvas, { tabIndex: 0 });
    canvas.setAttribute("role", "application");
    said.setAttribute("aria-live", "polite");
    [back.textContent, on.textContent] = ["‹", "›"];
    for (const button of [play, back, on, travel]) button.type = "button";
    unseen.append(keys, table);
    top.append(way, about);
    player.append(back, play, on, scrub, speed, ribbons, travel);
    root.replaceChildren(top, canvas, said, player, unseen);
    liveRegion(root);

    const camera = makeCamera(),
        alone = standsAlone(root);
    /** @type {import("./lane.js").Picture | null} */ let picture = null;
    let given = "",
        dirty = true,
        last = 0,
        frame = 0;
    const touch = () => {
        dirty = true;
        if (!frame) frame = requestAnimationFrame(tick);
    };

    /** @param {object} to @param {number} [lasts] */
    function go(to, lasts) {
        if (!picture) return;
        const { scene } = picture,
            was = scene.selected.level;
        scene.travel = null;
        Object.assign(scene.selected, "level" in to && !("net" in to) ? { net: false } : {}, to);
        const { selected, world } = scene,
            part = world.part(selected.part),
            [rows, columns] = world.shape(part);
        selected.row = clamp(selected.row, 0, rows - 1);
        selected.column = clamp(selected.column, 0, scene.causal(part) ? selected.row : columns - 1);
        if (selected.level === 2) scene.arrived = was === 3 || prefersReducedMotion() ? -1e9 : performance.now() + 700;
        camera.fly(world.frame(selected), lasts);
        tell();
        touch();
    }

    function tell() {
        if (!picture) return;
        const { scene } = picture,
            steps = crumbs(scene);
        way.replaceChildren(
            ...steps.map(([name, to], position) => {
                const button = element("button", "crumb", name);
                button.type = "button";
                button.onclick = () => go(to);
                if (position === steps.length - 1) button.setAttribute("aria-current", "true");
                return button;
            }),
        );
        about.replaceChildren(
            ...(alone ? [] : lessons(scene)).map(([name, address]) => {
                const link = element("a", "", name);
                Object.assign(link, {
                    href: address,
                    target: "_top",
                    title: t("Open the lesson “{title}”", { title: name }),
                });
                return link;
            }),
        );
        canvas.style.touchAction = scene.selected.level ? "pan-y pinch-zoom" : "pan-y";
        play.textContent = scene.playing ? t("❚❚ Pause") : t("▶ Write it");
        travel.textContent = scene.travel ? t("Stop") : t("Travel with a word");
        fillTable(table, scene);
        speak();
    }

    function speak() {
        if (!picture) return;
        const { scene } = picture,
            now = glossed(root, caption(scene));
        scrub.value = String(scene.clock);
        said.setAttribute("aria-live", scene.playing || scene.travel ? "off" : "polite");
        if (said.textContent !== now) said.textContent = now;
        said.hidden = onPage(root, [document.createTextNode(now)]);
    }

    function toggle() {
        if (!picture) return;
        const { scene } = picture;
        Object.assign(scene, { playing: !scene.playing, travel: null });
        if (scene.playing) {
            if (scene.clock >= scene.end) scene.clock = 0;
            scene.pinned = null;
            if (scene.selected.level) go({ level: 0 });
        }
        tell();
        touch();
    }

    /** Go to a moment. @param {number} moment */
    function seek(moment) {
        if (!picture) return;
        Object.assign(picture.scene, { playing: false, travel: null, clock: clamp(moment, 0, picture.scene.end) });
        tell();
        touch();
    }

    function setOff() {
        if (!picture) return;
        const { scene } = picture;
        if (scene.travel) {
            scene.pinned = null;
            return go({ level: 0 });
        }
        const word = scene.pinned ?? {
            stack: /** @type {const} */ ("dec"),
            row: Math.floor(scene.head.read.length / 2),
        };
        Object.assign(scene, {
            playing: false,
            clock: scene.end,
            pinned: word,
            hovered: null,
            travel: { ...word, x: 60 },
        });
        Object.assign(scene.selected, { level: 0, net: false });
        camera.fly(beside(scene), 900);
        tell();
        touch();
    }

    let held = 0;
    /** The time that has passed; in steps where motion is not wanted. @param {number} seconds */
    function steadily(seconds) {
        if (!prefersReducedMotion()) return seconds;
        const whole = held + seconds;
        held = whole < BEAT ? whole : 0;
        return whole < BEAT ? 0 : whole;
    }

    function tick(/** @type {number} */ now) {
        frame = 0;
        if (!picture) return;
        const { scene } = picture,
            passed = steadily(last ? Math.min(60, now - last) / 1000 : 0);
        if (scene.playing) {
            const lasts = scene.clock < 1 ? READING : scene.clock < 2 ? FIRST : LATER;
            scene.clock = Math.min(scene.end, scene.clock + (passed * scene.speed) / lasts);
            if (scene.clock >= scene.end) {
                scene.playing = false;
                tell();
            }
        }
        if (scene.travel && !camera.flying()) {
            scene.travel.x += passed * PACE * scene.speed;
            camera.at = beside(scene);
            if (scene.travel.x > (scene.travel.stack === "enc" ? MEMORY[1] + 20 : OUT + 130)) go({ level: 0 }, 1400);
        }
        camera.move(now);
        speak();
        draw();
        dirty = false;
        const busy = camera.flying() || scene.playing || scene.travel || journeying(scene);
        last = busy ? now : 0;
        if ((busy || dirty) && !frame) frame = requestAnimationFrame(tick);
    }

    function draw() {
        if (!picture || !canvas.width) return;
        const { scene, pen } = picture,
            g = (pen.g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")));
        const density = canvas.width / Math.max(1, canvas.clientWidth);
        g.setTransform(density, 0, 0, density, 0, 0);
        g.globalAlpha = 1;
        g.fillStyle = pen.colours.paper;
        g.fillRect(0, 0, canvas.clientWidth, canvas.clientHeight);
        if (camera.swapped) g.transform(0, 1, 1, 0, 0, 0);
        drawLines(picture);
        drawEmbedding(picture);
        drawMemory(picture);
        drawLayers(picture);
        drawFronts(picture);
        if (scene.selected.level < 2 || camera.flying()) drawOutput(picture);
        drawWords(picture);
    }

    /** How tall the stage must be for the words of every line to be read. */
    function tall() {
        if (!picture) return 0;
        const { scene, pen } = picture,
            { enc, dec } = scene.world.decks;
        return (16 * pen.zoom * HIGH) / Math.min(enc.pitch, dec.pitch);
    }

    function resize() {
        const wide = root.clientWidth,
            density = alone ? 2 : Math.min(2, (devicePixelRatio || 1) * presentZoom(root)); // it may be printed
        if (!wide) return;
        camera.swapped = wide < PHONE;
        const room = windowHeight(root) - 312; // for title, tabs, words and player
        const high = camera.swapped
            ? clamp(windowHeight(root) - 215, 420, 690)
            : Math.round(Math.max(clamp(room, 380, (wide * HIGH) / WIDE), tall()));
        canvas.style.height = `${high}px`;
        [canvas.width, canvas.height] = [wide * density, high * density];
        [camera.wide, camera.high] = camera.swapped ? [high, wide] : [wide, high];
        touch();
    }

    play.onclick = toggle;
    travel.onclick = setOff;
    followRange(scrub, seek);
    back.onclick = () => picture && seek(Math.ceil(picture.scene.clock) - 1);
    on.onclick = () => picture && seek(Math.floor(picture.scene.clock) + 1);
    speed.onchange = () => {
        if (picture) picture.scene.speed = Number(speed.value);
    };
    ribbons.onchange = () => {
        if (picture) {
            picture.scene.shown = Number(ribbons.value);
            touch();
        }
    };
    const resized = new ResizeObserver(resize);
    resized.observe(root);

    return {
        /** @param {any} head */
        take(head) {
            const array = (/** @type {string} */ name) => head.arrays[name];
            if (head.key === given) return;
            const before = picture?.scene,
                same = before && before.head.of === head.of;
            given = head.key;
            const world = makeWorld(head.sizes, { enc: head.source.length, dec: head.read.length }),
                scene = makeScene(head, array, world);
            const moved = !before || JSON.stringify(before.head.start) !== JSON.stringify(head.start) || !same;
            if (same && before) {
                const { clock, pinned, speed, playing } = before;
                Object.assign(scene, { clock, pinned, speed, playing: playing && !head.start.level });
            }
            if (same && before && !moved) Object.assign(scene.selected, before.selected);
            const pen = makePen(camera, array);
            Object.assign(pen.colours, head.colours);
            [pen.font, pen.zoom] = [getComputedStyle(root).fontFamily, head.zoom];
            if (!picture) camera.at = world.frame(scene.selected);
            picture = { scene, camera, pen };
            [root.lang, keys.textContent] = [
                head.language,
                t(
                    "Left and right: layer, head or key. Up and down: word. Enter opens, Escape closes, 0 shows the whole. F: feed-forward. C: the other attention of a decoder layer. Space writes, T travels.",
                ),
            ];
            ribbons.hidden = !alone; // the page has a control of its own
            canvas.setAttribute(
                "aria-label",
                t("The translator, from the words that are read to the words that are written"),
            );
            for (const [each, name] of [
                [scrub, t("How far the translation is written")],
                [speed, t("Speed")],
                [ribbons, t("Ribbons")],
                [back, t("One word back")],
                [on, t("One word on")],
            ])
                /** @type {HTMLElement} */ (each).setAttribute("aria-label", /** @type {string} */ (name));
            scrub.max = String(scene.end);
            speed.replaceChildren(
                ...[0.5, 1, 2].map((each) => new Option(`${each}×`, String(each), each === 1, each === scene.speed)),
            );
            ribbons.replaceChildren(
                ...[-1, ...Array(head.sizes.heads).keys()].map(
                    (each) =>
                        new Option(
                            each < 0 ? t("mean of all heads") : t("head {head}", { head: each }),
                            String(each),
                            false,
                            each === scene.shown,
                        ),
                ),
            );
            follow(canvas, picture, { go, touch, tell, play: toggle, travel: setOff });
            resize();
            if (moved || before?.travel) go({ level: scene.selected.level, net: scene.selected.net }, before ? 800 : 0);
            else tell();
        },
        end() {
            cancelAnimationFrame(frame);
            resized.disconnect();
            picture = null;
        },
    };
}

/** What the camera sees beside a travelling word. @param {import("./scene.js").Scene} scene */
function beside({ travel, world }) {
    const { stack, row, x } = /** @type {NonNullable<typeof travel>} */ (travel),
        high = 132;
    return [
        x - 262 * 0.42,
        clamp(world.lane(stack, row) - high / 2, stack === "enc" ? 16 : 340, 620 - high),
        262,
        high,
    ];
}
