// @ts-check
// A training as a film: where the model looks, what it writes, its curves, and small maps of some moments, on one clock.
import { grip } from "./drag.js";
import { echoed } from "./foot.js";
import { calm, clamp, clock } from "./motion.js";
import { filled, kept, windowHeight } from "./parts.js";
import { answerOf, curvesOf } from "./film_curves.js";
import { along, fit, placeOf, read, stepOf } from "./film_frames.js";
import { mapOf, momentOf, momentsOf } from "./film_maps.js";

/** @typedef {import("./film_frames.js").Data} Data */

const PLAYED = 9; // seconds of all frames

export default (/** @type {import("./parts.js").Component} */ component) => kept(component, "film", make);

/** @param {HTMLElement} root */
function make(root) {
  const svg = /** @type {SVGSVGElement} */ (root.querySelector("svg"));
  const [map, answer, curve, strip] = ["map", "answer", "curve", "strip"].map((name) => /** @type {SVGGElement} */ (svg.querySelector(`.${name}`)));
  const button = /** @type {HTMLButtonElement} */ (root.querySelector("button")), slider = /** @type {HTMLInputElement} */ (root.querySelector("input"));
  const told = /** @type {HTMLElement} */ (root.querySelector("output")), tag = /** @type {HTMLElement} */ (root.querySelector(".tag"));

  /** @type {import("./film_frames.js").Film} */ let film;
  /** @type {import("./parts.js").Tell} */ let tell;
  let given = "", here = -1, follows = true;
  /** @type {number | undefined} */ let moment;
  const echoes = echoed();
  const last = () => film.data.steps.length - 1;

  const time = clock((t) => {
    film.now = t;
    if (film.width) paint();
  }, label, (t) => {
    const place = Math.floor(t + 1e-6);
    if (t !== place) time.at(place);
    follows = place === last();
    if (place === here) return;
    const to = film.data.steps[(here = place)];
    echoes.told(to);
    tell("moved", { to });
  });

  /** @param {boolean} running */
  function label(running) {
    button.textContent = running ? `❚❚ ${film.data.words.pause}` : `▶ ${film.data.words.play}`;
  }

  function paint(whole = false) {
    [map.innerHTML, answer.innerHTML, curve.innerHTML] = [mapOf(film), answerOf(film), curvesOf(film)];
    if (whole || momentOf(film) !== moment) strip.innerHTML = momentsOf(film);
    moment = momentOf(film);
    slider.value = String(film.now);
    told.textContent = filled(film.data.words.step, { step: stepOf(film) });
    slider.setAttribute("aria-valuetext", told.textContent);
  }

  /** Bring it to a frame because the reader wants it there. @param {number} place */
  const seek = (place) => time.at(clamp(Math.round(place), 0, last()));
  button.onclick = () => (time.running() ? time.pause() : time.play());
  slider.oninput = () => seek(Number(slider.value));
  slider.onchange = () => time.pause();
  slider.onkeydown = (event) => {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!step) return; // the browser's own step is a hundredth of the way
    event.preventDefault();
    seek(Math.floor(film.now + 1e-6) + step);
    time.pause();
  };
  svg.addEventListener("click", (event) => {
    const place = /** @type {Element} */ (event.target).getAttribute("data-place");
    if (place === null) return;
    seek(Number(place));
    time.pause();
  });
  grip(curve, svg, (across) => {
    const { left, right } = along(film);
    seek(placeOf(film, clamp((across - left) / (right - left)) * film.data.total));
  }, () => {}, () => time.pause());

  function arrange() {
    if (!film || !root.clientWidth) return;
    fit(film, root.clientWidth, windowHeight(root));
    svg.setAttribute("viewBox", `0 0 ${film.width} ${film.height}`);
    svg.setAttribute("height", String(film.height));
    svg.style.setProperty("--type", String(film.phone ? 1 : film.data.zoom));
    paint(true);
  }

  /** Name what can be moved. */
  function name() {
    const { words } = film.data;
    [slider.max, slider.step, slider.ariaLabel, svg.ariaLabel] = [String(last()), "any", words.moment, words.alt];
    [tag.textContent, tag.hidden] = [words.tag, !words.tag];
    label(time.running());
  }
  const resized = new ResizeObserver(arrange);
  resized.observe(root);
  window.addEventListener("resize", arrange);
  return {
    /** @param {Data} data @param {import("./parts.js").Tell} telling */
    take(data, telling) {
      tell = telling;
      const all = JSON.stringify(data), before = film?.data, anew = before?.id !== data.id;
      if (all === given) return;
      [given, film] = [all, read(data, film ?? null)];
      const place = data.at === null ? last() : placeOf(film, data.at), echo = echoes.heard(data.at);
      const moved = !echo && (data.at !== before?.at || (data.at === null && follows));
      if (anew) time.stop();
      time.stops([...data.steps.keys()]);
      time.speed(Math.max(last(), 1) / PLAYED);
      name();
      film.now = Math.min(film.now, last());
      arrange();
      follows = data.at === null;
      if (anew) {
        const plays = data.at === null && !data.live && !calm() && last() > 0;
        time.at(plays ? 0 : place);
        here = place;
        if (plays) time.play();
      } else if (moved && (!time.running() || (data.at !== null && place !== here))) { // new frames are played as they come
        here = place;
        time.to(place);
      }
    },
    end() {
      time.stop();
      resized.disconnect();
      window.removeEventListener("resize", arrange);
    },
  };
}
