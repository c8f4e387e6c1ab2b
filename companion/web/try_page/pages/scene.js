// The scene on the first page: a move that is wrong on the board, and what the referee says to it.

import { Board, boardElement } from "./board.js";
import { getJson, h, icon, page, swap, word } from "./page.js";

const LAID_MS = 900;
const SAID_MS = 1900;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** The scene that was begun last; an older one goes on no longer. */
let latest = 0;

/** A room in which the scene is played, once it is there. `tryIt`: called with the game. */
export function scene(tryIt) {
  latest += 1;
  const room = h("section", { class: "scene", "aria-label": word("scene") });
  play(room, latest, tryIt).catch(() => room.remove());
  return room;
}

async function play(room, number, tryIt) {
  const told = await getJson(`data/first.${page.words.lang}.json`);
  const { shapes } = await getJson(`data/${told.game}.${page.words.lang}.json`);
  const { why } = told;
  const element = boardElement(`${told.name}. ${why.title}`);
  const board = new Board(element.firstElementChild);
  board.use(shapes);
  const note = h("div", { class: "note why" },
    h("h2", {}, icon("cross"), why.title), h("p", {}, why.text), h("p", { class: "todo" }, icon("on"), why.do));
  const key = h("button", { type: "button", class: "key", "data-key": "try it", onclick: () => tryIt(told.game) },
    icon("hand"), h("span", {}, word("try_it", { game: told.name })));
  swap(room, element, h("div", { class: "said" }, note, key));
  const steps = [
    [0, () => board.draw(told.before)],
    [LAID_MS, () => board.draw(told.after, { picked: told.sites })],
    [SAID_MS, () => room.classList.add("is-said")],
  ];
  for (const [after, step] of steps) {
    if (calm.matches || !after) step();
    else setTimeout(() => number === latest && step(), after);
  }
}
