// Numbers and faces of dice that are typed on a phone, and the sheet on which numbers stand.
// Nothing here knows a game: a field says what its moves begin with and what they may go on with.

import { h, icon, word } from "./page.js";
import { faceOf } from "./faces.js";
import { seat } from "./seat.js";

const MOST_KEYS = 12;
const MOST_FIGURES = 6;

/** The field that is typed into; null while one of several must be chosen. */
function field() {
  const { pad } = seat.picture;
  return pad.length === 1 ? pad[0] : pad.find((one) => one.row === typed().row) ?? null;
}

function numbersOf({ least, most, step }) {
  return Array.from({ length: Math.floor((most - least) / step) + 1 }, (_, n) => least + n * step);
}

/** The number that was typed, as a move; null if it is none that is allowed. */
export function typedMove() {
  const into = seat.picture.may_play ? field() : null;
  const { figures, minus, factor } = typed();
  if (!into || !figures) return null;
  const number = minus ? -Number(figures) : Number(figures);
  const there = number >= into.least && number <= into.most && (number - into.least) % into.step === 0;
  return there ? `${into.stem} ${number}${factor > 1 ? ` by=${factor}` : ""}` : null;
}

function forgetTyped() {
  seat.typed = { row: "", figures: "", minus: false, factor: 1, faces: [], question: seat.picture.question };
}

/** What is typed; it goes with the answer to the question. */
function typed() {
  if (seat.typed?.question !== seat.picture.question) forgetTyped();
  return seat.typed;
}

function type(change) {
  Object.assign(typed(), change);
  seat.draw();
}

function press(figure) {
  const figures = `${typed().figures}${figure}`.replace(/^0+(?=\d)/, "");
  if (figures.length <= MOST_FIGURES) type({ figures });
}

function key(text, onclick, name = text) {
  return h("button", { type: "button", class: "key figure", "data-key": `pad ${name}`, onclick }, text);
}

/** What is typed, and the keys; null where nothing is. */
export function padPart() {
  if (seat.picture.may_play && seat.picture.throw) return throwPart(seat.picture.throw);
  if (!seat.picture.may_play || !seat.picture.pad.length) return null;
  const into = field();
  const { figures, minus, factor } = typed();
  if (!into) {
    return h("section", { class: "pad rows" }, h("h2", { class: "caption" }, word("which_row")),
      h("div", { class: "pad-keys" }, seat.picture.pad.map((one) => key(one.name, () => {
        if (one.least === one.most && !one.factors.length) seat.play([`${one.stem} ${one.least}`]);
        else type({ row: one.row, figures: "", minus: false, factor: 1 });
      }))));
  }
  const said = `${minus ? "−" : ""}${figures}${factor > 1 ? ` × ${factor}` : ""}`;
  const numbers = numbersOf(into);
  const several = seat.picture.pad.length > 1;
  const leave = () => {
    forgetTyped();
    seat.draw();
  };
  const keys = numbers.length <= MOST_KEYS
    ? numbers.map((number) => key(String(number).replace("-", "−"), () => type({ figures: String(Math.abs(number)), minus: number < 0 })))
    : [
        ..."789456123".split("").map((figure) => key(figure, () => press(figure))),
        into.factors.length ? key(`× ${factor}`, () => type({ factor: next([1, ...into.factors], factor) }), "times")
          : into.least < 0 ? key("+ / −", () => type({ minus: !minus }), "sign") : h("span", {}),
        key("0", () => press("0")),
        key("⌫", () => type({ figures: figures.slice(0, -1) }), "back"),
      ];
  return h("section", { class: "pad" },
    h("div", { class: "typed" }, h("span", {}, into.name), h("b", { role: "status" }, said || into.range),
      several ? h("button", { type: "button", class: "key", "data-key": "pad leave", "aria-label": word("which_row"), onclick: leave }, icon("cross")) : null),
    h("div", { class: "pad-keys" }, keys));
}

/** What the dice show, and a key for each face of the next one; the last face says the throw. */
function throwPart({ title, stem, dice }) {
  const { faces } = typed();
  const die = dice[faces.length];
  const tell = (face) => {
    const told = [...faces, face];
    if (told.length < dice.length) type({ faces: told });
    else seat.play([`${stem} ${inOrder(told, dice).join(" ")}`]);
  };
  const said = faces.map((face, at) => dice[at].faces.find(([one]) => one === face)[1]);
  return h("section", { class: "pad" },
    h("div", { class: "typed" }, h("span", {}, die.name || title), h("b", { role: "status" }, [...said, "…"].join(" ")),
      faces.length ? h("button", { type: "button", class: "key", "data-key": "pad back", "aria-label": word("take_back"), onclick: () => type({ faces: faces.slice(0, -1) }) }, "⌫") : null),
    h("div", { class: "pad-keys" }, die.faces.map(([face, told]) => key(told, () => tell(face), face))));
}

/** Equal dice, which stand side by side, in the order of their faces. */
function inOrder(told, dice) {
  const rank = (face, at) => dice[at].faces.findIndex(([one]) => one === face);
  return told.map((face, at) => ({ face, die: dice.findIndex((one) => one.kind === dice[at].kind), rank: rank(face, at) }))
    .sort((one, other) => one.die - other.die || one.rank - other.rank).map(({ face }) => face);
}

function next(all, one) {
  return all[(all.indexOf(one) + 1) % all.length];
}

/** The sheet: a column for each player, and every line below. */
export function sheetTable(picture) {
  const { sheet, players } = picture;
  if (!sheet) return null;
  return h("div", { class: "sheet-paper", tabindex: "0", role: "region", "aria-label": sheet.name },
    h("table", {},
      h("caption", {}, [sheet.name, sheet.round].filter(Boolean).join(" · ")),
      h("thead", {}, h("tr", {}, h("td", {}),
        players.map((player) => h("th", { scope: "col", class: player.asked ? "asked" : null },
          faceOf(player), h("span", {}, player.name), h("b", {}, `${sheet.leads.includes(player.seat) ? "♛ " : ""}${player.score}`))))),
      h("tbody", {}, sheet.lines.map((line) =>
        h("tr", { class: line.due ? "due" : null }, h("th", { scope: "row" }, line.label),
          line.cells.map((cell, at) => h("td", { class: players[at].asked ? "asked" : null }, cell)))))));
}
