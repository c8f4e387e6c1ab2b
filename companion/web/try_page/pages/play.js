// A match on this page: what the rules are asked, the cover between hands, and why something is not allowed.

import { build, draw as drawHand, title, useBoard } from "./hand_view.js";
import { h, icon, page, swap, word } from "./page.js";
import { ask, python } from "./python.js";
import { seat } from "./seat.js";
import { closeSheets, tell } from "./sheets.js";
import { remember } from "./store.js";

const SETTLE_MS = 350;
const PAUSE_MS = 900;
const THINK_S = { apprentice: 0.6, druid: 1.5, archdruid: 2.5 };
const main = document.getElementById("main");
const spoken = document.getElementById("told");

/** The match that is played; null on other pages. */
let match = null;
let why = null;
let turn = 0;
let calm = 0;

seat.draw = draw;
seat.play = (moves) => send(moves[0] === "roll" ? { do: "roll" } : { do: "play", moves });
seat.takeBack = () => send({ do: "back" });
seat.refuse = refuse;
seat.atOnce = true;

/** Whether a match is on the page. */
export const playing = () => match !== null;

/** Show a match: begun with `request`, which asks Python for it. `ends`: draws keys for its end. */
export async function open(game, request, { ends, failed }) {
  leave();
  const mine = { game, ends, unlocked: null, computers: [] };
  match = mine;
  seat.picture = null;
  seat.shapes = null;
  seat.stage = "open";
  seat.picking.clear();
  draw();
  try {
    const [board, answer] = await Promise.all([boardOf(game.id), ask({ ...request, lang: page.words.lang })]);
    if (match !== mine) return;
    if (answer.error) {
      failed(answer.error);
      return;
    }
    seat.shapes = board.shapes;
    hear(answer);
  } catch (error) {
    if (match === mine) broken(error);
  }
}

/** The match is on the page no longer; it is kept. */
export function leave() {
  clearTimeout(turn);
  match = null;
  why = null;
  seat.sending = seat.slow = false;
  closeSheets();
}

/** The same in another language, or light instead of dark. */
export async function again() {
  if (!match || !seat.picture) return;
  const mine = match;
  const board = await boardOf(match.game.id);
  const answer = await ask({ do: "picture", lang: page.words.lang });
  if (match !== mine) return;
  seat.shapes = board.shapes;
  why = null;
  build();
  hear(answer);
}

/** What does not change during a match: the board, and the pages of the rules. */
export async function boardOf(id) {
  const got = await fetch(`data/${id}.${page.words.lang}.json`);
  if (!got.ok) throw new Error(`${id}: ${got.status}`);
  return got.json();
}

// -- asking ------------------------------------------------------------------------------------

function hear(answer) {
  if (answer.error) {
    tell(word("gone_wrong"), [answer.error]);
    return;
  }
  const before = seat.picture;
  const { picture } = answer;
  why = answer.why ?? null;
  match.computers = picture.kept.computers;
  remember("match", { game: match.game.id, kept: picture.kept });
  seat.picture = picture;
  seat.shared = picture.people.length > 1;
  if (picture.rolls) {
    const others = picture.keys.map((key) => ({ ...key, yellow: false }));
    picture.keys = [{ title: word("roll"), text: word("roll_text"), yellow: true, moves: ["roll"] }, ...others];
  }
  if (before?.public.ply !== picture.public.ply) {
    seat.picking.keep(picture.moves);
    closeSheets("list");
    if (before) settle();
  }
  if (!picture.wares.some((ware) => ware.kind === seat.ware && ware.able)) seat.ware = "";
  useBoard();
  draw();
  if (!covered() && picture.may_play) spoken.textContent = title();
  clearTimeout(turn);
  if (picture.thinks) turn = setTimeout(think, PAUSE_MS);
}

function think() {
  const asked = seat.picture.public.players.find((player) => player.asked);
  const level = match.computers[asked?.seat ?? -1];
  send({ do: "think", seconds: THINK_S[level] ?? 1 });
}

async function send(request) {
  if (seat.sending || !match) return;
  const mine = match;
  seat.sending = true;
  why = null;
  seat.picking.clear();
  closeSheets();
  draw();
  try {
    const answer = await ask({ ...request, lang: page.words.lang });
    seat.sending = false;
    if (match === mine) hear(answer);
  } catch (error) {
    seat.sending = false;
    if (match === mine) broken(error);
  }
}

async function refuse(things, sites, ware = null) {
  if (seat.sending || !match) return;
  const mine = match;
  seat.sending = true;
  try {
    const answer = await ask({ do: "touch", things, sites, pile: Boolean(ware), lang: page.words.lang });
    seat.sending = false;
    if (match !== mine) return;
    why = answer.why ?? ofWare(ware) ?? nothingThere();
  } catch (error) {
    seat.sending = false;
    if (match === mine) broken(error);
    return;
  }
  if (seat.picking.sites.length) seat.picking.clear();
  draw();
  spoken.textContent = [why.title, why.text, why.do].filter(Boolean).join(" ");
}

/** What is known of a pile from which nothing can be taken. */
function ofWare(ware) {
  if (!ware?.why_not) return null;
  const [first, ...rest] = ware.why_not.split(" – ");
  return { title: first, text: rest.join(" – "), do: "", rule: null };
}

function nothingThere() {
  const chooses = seat.picking.able(seat.picture.moves).size > 0 && !seat.picking.begun;
  return { title: word("not_there"), text: "", do: word(chooses ? "touch_what" : "not_there_text"), rule: null };
}

function broken(error) {
  console.error(error);
  const loaded = python.step !== "failed";
  swap(main, h("div", { class: "empty" },
    h("h1", {}, word(loaded ? "gone_wrong" : "no_python")), h("p", {}, word(loaded ? "gone_wrong_text" : "no_python_text")),
    h("button", { type: "button", class: "key yellow", onclick: () => location.reload() }, word("load_again"))));
  match = null;
}

/** What lay under the finger has changed: a second, hasty touch does not mean what is there now. */
function settle() {
  main.classList.add("settling");
  clearTimeout(calm);
  calm = setTimeout(() => main.classList.remove("settling"), SETTLE_MS);
}

// -- drawing -----------------------------------------------------------------------------------

/** Whether the hand of whoever is asked is covered, until they say that they have the device. */
function covered() {
  const { picture } = seat;
  return Boolean(picture?.secret && picture.may_play && match.unlocked !== picture.seat);
}

/** Draw everything as it is now. */
export function draw() {
  if (!match) return;
  if (!seat.picture) {
    waiting();
    return;
  }
  if (covered()) {
    passOn();
    return;
  }
  if (!main.querySelector(".hand-body")) build();
  drawHand();
  addPlayers();
  addToBar();
}

function waiting() {
  const steps = ["load_python", "load_rules", "load_game"];
  const now = python.step === "ready" ? 3 : Math.max(0, steps.indexOf(python.step));
  swap(main, h("div", { class: "empty loading", role: "status" },
    h("h1", {}, match.game.name), h("p", {}, word("loading")),
    h("progress", { max: 4, value: now + 1, "aria-label": word("loading") }),
    h("p", { class: "hint" }, word(steps[Math.min(now, 2)], { size: 8 }))));
}

function passOn() {
  const { name } = seat.picture;
  const open_ = () => {
    match.unlocked = seat.picture.seat;
    draw();
    settle();
  };
  swap(main, h("div", { class: "pass" },
    h("div", { class: "cover-card", role: "status" }, icon("noeye"), h("h1", {}, word("pass_to", { name })), h("p", {}, word("pass_text", { name }))),
    lastLine(),
    h("button", { type: "button", class: "key yellow", "data-key": "uncover", onclick: open_ }, icon("eye"), h("span", {}, word("i_am", { name })))));
}

function lastLine() {
  const { last } = seat.picture.public;
  return last?.text ? h("p", { class: "hint" }, last.text) : null;
}

/** The points come first on this page: nobody else shows them. */
function addPlayers() {
  const body = main.querySelector(".hand-body");
  const players = body.querySelector("ul.players");
  if (players) body.prepend(players);
}

function addToBar() {
  const bar = main.querySelector(".bar");
  if (why) bar.prepend(refusalNote());
  else if (seat.picture.thinks) {
    const asked = seat.picture.public.players.find((player) => player.asked);
    bar.prepend(h("p", { class: "hint thinking", role: "status" }, h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), word("thinking", { name: asked?.name ?? word("computer") })));
  } else if (seat.picture.may_play && !seat.picking.begun && seat.picture.moves.length && !seat.ware) {
    const first = seat.picking.able(seat.picture.moves).size > 0;
    if (!bar.querySelector(".key.yellow")) bar.prepend(h("p", { class: "hint" }, icon("hand"), word(first ? "touch_what" : "touch_where")));
  }
  if (seat.picture.public.outcome) bar.append(...match.ends());
}

function refusalNote() {
  const close = () => {
    why = null;
    draw();
  };
  return h("section", { class: "note why refusal", role: "alert" },
    h("h2", {}, icon("cross"), why.title),
    why.text ? h("p", {}, why.text) : null,
    why.do ? h("p", { class: "todo" }, icon("on"), why.do) : null,
    h("div", { class: "keys" },
      why.rule ? h("button", { type: "button", class: "key", "data-key": "rule", "aria-label": `${word("rule")}: ${why.rule.title}`, onclick: () => tell(why.rule.title, why.rule.text.split("\n")) }, icon("list"), h("span", {}, word("rule"))) : null,
      h("button", { type: "button", class: "key", "data-key": "understood", onclick: close }, icon("check"), h("span", {}, word("understood")))));
}

/** A new touch is about something else than what was refused before. */
main.addEventListener("click", (event) => {
  if (!why || event.target.closest(".refusal")) return;
  why = null;
  main.querySelector(".refusal")?.remove();
}, { capture: true });
