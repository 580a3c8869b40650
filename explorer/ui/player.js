// A play button: steps through something in Python, one step after the other has arrived. Arrow keys step too.
const PAUSE_MS = 1100;
const players = new WeakMap(); // the component's element -> its player

export default function ({ data, setTriggerValue, parentElement }) {
  let player = players.get(parentElement);
  if (!player) players.set(parentElement, (player = make(parentElement)));
  Object.assign(player, { ...data, go: (to) => setTriggerValue("moved", { to }) });
  player.arrived();
  return () => {
    player.end();
    players.delete(parentElement);
  };
}

function make(parentElement) {
  const button = parentElement.querySelector("button");
  const player = { playing: false, timer: 0 };
  const draw = () => {
    button.textContent = player.playing ? `❚❚ ${player.pause}` : `▶ ${player.play}`;
    button.setAttribute("aria-pressed", String(player.playing));
  };
  const wait = () => {
    clearTimeout(player.timer);
    if (player.playing) player.timer = setTimeout(() => player.go(player.step + 1), PAUSE_MS);
  };
  const stop = () => {
    player.playing = false;
    clearTimeout(player.timer);
    draw();
  };
  button.onclick = () => {
    if (player.playing) return stop();
    player.playing = true;
    draw();
    if (player.step >= player.last) player.go(0);
    else player.go(player.step + 1);
  };
  const pressed = (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const at = event.composedPath()[0];
    const near = at === document.body || at === button || at.closest?.(`.st-key-${CSS.escape(player.around)} button`);
    if (!near) return; // a slider, a box or a list has arrow keys of its own
    event.preventDefault();
    stop();
    const to = Math.min(Math.max(player.step + way, 0), player.last);
    if (to !== player.step) player.go(to);
  };
  document.addEventListener("keydown", pressed);
  player.arrived = () => {
    if (player.playing && player.step >= player.last) player.playing = false;
    draw();
    wait();
  };
  player.end = () => {
    clearTimeout(player.timer);
    document.removeEventListener("keydown", pressed);
  };
  return player;
}
