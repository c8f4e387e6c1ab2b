// A player's own page: their hand, what they may do, and only theirs.

import { handCard, wareTile } from "./faces.js";
import { Line } from "./line.js";
import { askedSeat, explanation, hasBoard, isOutOfTurn, playerCard } from "./match_parts.js";
import { begin, getJson, h, icon, onLook, page, postJson, Refused, swap, switches, word } from "./page.js";
import { Picking } from "./picking.js";
import { Board, boardElement, emblem } from "./shapes.js";

const HOLD_MS = 450;
const MOST_KEYS = 3;
const GONE = ["taken_back", "given_away", "match_over", "refused"];

const head = document.getElementById("head");
const main = document.getElementById("main");
const spoken = document.getElementById("told");

/** `open`: the hand is shown; else why it is not. */
let stage = "connecting";
let said = null;
let picture = null;
let shapes = null;
let shapesOf = "";
let connection = "connecting";
let sending = false;
let covered = recall("covered") === "1";
let board = null;
let rooms = null;
let line = null;
const picking = new Picking();

// The code is out of the address bar, and out of the history, before anything else happens.
const token = takeToken();
await begin();
onLook(() => {
  shapesOf = "";
  line?.open();
  build();
  draw();
});
addEventListener("hashchange", () => {
  const another = takeToken();
  if (another) claim(another);
});
build();
draw();
if (token) await claim(token);
else listen();

function takeToken() {
  const found = location.hash.slice(1);
  if (found) history.replaceState(null, "", location.pathname + location.search);
  return found;
}

/** Exchange the code for this phone's own key to the seat. */
async function claim(code) {
  stage = "connecting";
  draw();
  for (let wait = 600; ; wait = Math.min(wait * 1.7, 8000)) {
    try {
      const answer = await postJson("api/claim", { token: code });
      stage = answer.state === "waiting" ? "waiting" : "connecting";
      said = answer;
      break;
    } catch (error) {
      if (error instanceof Refused && error.status >= 400 && error.status < 500 && error.status !== 429) {
        stage = "code_used";
        said = error.said;
        // This phone may have a seat from before.
        if (await hasSeat()) break;
        draw();
        return;
      }
      await new Promise((done) => setTimeout(done, wait));
    }
  }
  draw();
  listen();
}

async function hasSeat() {
  try {
    await getJson(`api/hand${page.query()}`);
    return true;
  } catch {
    return false;
  }
}

function listen() {
  line?.end();
  line = new Line(
    () => `api/hand/stream${page.query()}`,
    { hand: hear, waiting: wait, closed: wait, gone: (data) => go(data.reason) },
    (state) => {
      connection = state;
      draw();
    },
    stillOurs,
  );
}

/** After the line broke: whether the seat is still this phone's. */
async function stillOurs() {
  try {
    await getJson(`api/hand${page.query()}`);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.status === 401) {
      go(error.said.reason ?? "none");
      return false;
    }
    return true;
  }
}

function go(reason) {
  stage = GONE.includes(reason) ? `gone_${reason}` : "scan";
  picture = null;
  picking.clear();
  line?.end();
  line = null;
  closeSheets();
  draw();
}

function wait(data) {
  said = data;
  stage = data.state === "closed" ? "closed" : "waiting";
  draw();
}

async function hear(data) {
  if (data.state === "waiting" || data.state === "closed") return wait(data);
  const before = picture;
  picture = data;
  stage = "open";
  sending = false;
  if (!before || before.match !== data.match || before.public.ply !== data.public.ply) {
    picking.keep(data.moves);
    closeSheets();
  }
  await useShapes();
  if (picture !== data) return undefined;
  if (data.may_play && !before?.may_play) spoken.textContent = title();
  draw();
  return undefined;
}

async function useShapes() {
  const { match, lang } = picture.public;
  const key = `${match} ${lang}`;
  if (key === shapesOf) return;
  shapes = await getJson(`api/board?${new URLSearchParams({ match, lang })}`);
  shapesOf = key;
  board?.use(shapes);
}

/** Play moves at the table; nothing changes here until the table says so. */
async function play(moves) {
  if (sending || !picture) return;
  sending = true;
  picking.clear();
  closeSheets();
  draw();
  const ply = picture.public.ply;
  try {
    await postJson("api/moves", { match: picture.match, ply, moves });
    // The new picture comes by the line; if it does not, nobody waits for ever.
    setTimeout(() => {
      if (sending && picture?.public.ply === ply) {
        sending = false;
        draw();
      }
    }, 4000);
  } catch (error) {
    sending = false;
    draw();
    if (error instanceof Refused && error.status === 401) {
      await stillOurs();
      return;
    }
    const why = error instanceof Refused && error.said.title ? error.said : null;
    tell(why?.title ?? word("not_sent"), why ? [why.text, why.do] : [word("not_sent_text")]);
  }
}

// -- drawing -----------------------------------------------------------------------------------

function build() {
  board = null;
  rooms = {
    body: h("div", { class: "hand-body" }),
    bar: h("footer", { class: "bar" }),
  };
  swap(main, rooms.body, rooms.bar);
}

function draw() {
  drawHead();
  document.body.classList.toggle("covered", covered && stage === "open");
  document.title = stage === "open" && picture.asked ? `${title()} – Heelstone` : "Heelstone";
  if (stage !== "open") {
    board = null;
    swap(rooms.body, before(), switches());
    swap(rooms.bar);
    return;
  }
  if (covered) {
    board = null;
    swap(
      rooms.body,
      heading(),
      h("div", { class: "cover-card" }, icon("noeye"), h("h2", {}, word("covered")), h("p", {}, word("covered_text"))),
    );
    swap(rooms.bar, coverKey(), othersSee());
    return;
  }
  drawHand();
}

function drawHead() {
  const states = {
    connecting: ["quiet", "wifi", "connecting"], open: ["ok", "wifi", "at_table"],
    away: ["stop", "nowifi", "away"],
  };
  const [kind, sign, key] = states[line ? connection : "connecting"];
  const chip = line || stage === "connecting"
    ? h("span", { class: `badge-chip ${kind}`, role: "status" }, icon(sign), word(key)) : h("span", {});
  swap(
    head,
    chip,
    stage === "open" ? h("span", { class: "badge-chip" }, icon("lock"), word("only_you")) : null,
  );
}

/** What is shown while there is no hand. */
function before() {
  const page_ = (key, values = {}, text = null) =>
    h("div", { class: "empty" }, h("h1", {}, word(key, values)), h("p", {}, text ?? word(`${key}_text`, values)));
  if (stage === "connecting") {
    return h("div", { class: "empty" }, h("p", {}, word(connection === "away" ? "away_text" : "connecting")));
  }
  if (stage === "waiting") {
    return [page_("waiting", { name: said?.name ?? "" }), h("div", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"))];
  }
  const onlooker = h("a", { class: "key", href: "./" }, icon("eye"), h("span", {}, word("look_on")));
  if (stage === "closed") return [page_("nobody_plays", {}, word("closed_text")), onlooker];
  if (stage === "code_used") {
    const text = said?.text ? [said.text, said.do].filter(Boolean).join(" ") : null;
    return [h("div", { class: "empty" }, h("h1", {}, said?.title ?? word("code_used")), h("p", {}, text ?? word("code_used_text"))), onlooker];
  }
  return [page_(stage), onlooker];
}

function title() {
  const asked = askedSeat(picture.public);
  if (picture.asked) return word(isOutOfTurn(picture.public, picture.seat) ? "you_asked" : "your_turn");
  if (asked) {
    return word(isOutOfTurn(picture.public, asked.seat) ? "asked_other" : "asked_title", { name: asked.name });
  }
  return picture.public.outcome?.title ?? picture.prompt?.title ?? picture.public.game_name;
}

function heading() {
  const text = picture.ask || (picture.asked ? picture.prompt?.text : picture.public.last?.text) || picture.prompt?.text;
  return h(
    "div",
    { class: `heading${picture.asked ? " asked" : ""}` },
    h("h1", {}, title()),
    connection === "away" ? h("p", { class: "stop" }, word("away_text")) : text ? h("p", {}, text) : null,
  );
}

function drawHand() {
  const shown = picture.public;
  const explained = explanation(shown);
  // At the end the result is the heading.
  const parts = shown.outcome ? [explained] : [heading(), explained];
  if (picture.figures.length) parts.push(figures());
  parts.push(handPart());
  if (picture.lying.length) {
    parts.push(
      h("section", {}, h("h2", { class: "caption" }, word("your_hidden")),
        h("ul", { class: "lying" }, picture.lying.map((one) =>
          h("li", {}, h("b", {}, one.name), h("span", {}, one.at))))),
    );
  }
  if (picture.open.some((card) => card.moves.length)) parts.push(openPart());
  if (picture.wares.length) parts.push(waresPart());
  if (hasBoard(shown)) parts.push(boardPart());
  parts.push(h("ul", { class: "players few", "data-count": String(shown.players.length) },
    shown.players.map((player) => playerCard(shapes, shown, player, { supply: false }))));
  parts.push(switches());
  swap(rooms.body, parts);
  drawBoard();
  drawBar();
}

function figures() {
  const signs = { actions: "bolt", buys: "bag", coins: "coin" };
  return h(
    "dl",
    { class: "key-figures" },
    picture.figures.map(([label, number, key]) =>
      h("div", {}, h("dt", {}, label), h("dd", {}, signs[key] ? icon(signs[key]) : null, String(number)))),
  );
}

function handPart() {
  const able = picking.able(picture.moves);
  const cards = picture.hand.map((card) => {
    const lit = card.moves.length > 0 || able.has(card.id);
    const state = picture.may_play ? lit : null;
    const node = handCard(shapes, { ...card, able: state }, {
      chosen: picking.things.includes(card.id),
      onclick: () => touchCard(card, lit),
    });
    onHold(node, () => read(card));
    return node;
  });
  const instant = picture.hand.some((card) => card.moves.length);
  const hint = !picture.may_play || !picture.hand.length ? "look_only" : instant ? "tap_plays" : able.size ? "tap_picks" : "look_only";
  const piles = picture.piles.map((pile) =>
    h("div", { class: `pile ${pile.kind}` }, h("span", {}, word(`${pile.kind}_pile`)),
      h("b", {}, String(pile.count)), h("span", {}, word(pile.count === 1 ? "card" : "cards"))));
  const none = h("p", { class: "none" }, word(picture.public.physical ? "real_hand" : "no_hand"));
  return h(
    "section",
    { class: "hand" },
    h("div", { class: "caption-row" }, h("h2", { class: "caption" }, word("your_hand")),
      picture.hand.length ? h("span", { class: "hint" }, icon("hand"), word(hint)) : null),
    cards.length || piles.length ? h("div", { class: "cards" }, cards, piles) : none,
    !cards.length && piles.length ? none : null,
  );
}

function openPart() {
  return h("section", {}, h("h2", { class: "caption" }, word("open_cards")),
    h("div", { class: "cards" }, picture.open.map((card) => {
      const full = shownWare(card.kind);
      const node = handCard(shapes, { ...full, ...card, id: `open ${card.kind}` }, { onclick: () => (card.moves.length ? play([card.moves[0]]) : read({ ...full, ...card })) });
      onHold(node, () => read({ ...full, ...card }));
      return node;
    })));
}

function waresPart() {
  return h("section", {}, h("h2", { class: "caption" }, word("buy")),
    h("div", { class: "wares buy" }, picture.wares.map((ware) => {
      const full = { ...shownWare(ware.kind), ...ware };
      const node = wareTile(shapes, full, { "data-key": `ware ${ware.kind}`, onclick: () => play([ware.moves[0]]) });
      onHold(node, () => read(full));
      return node;
    })));
}

function shownWare(kind) {
  return picture.public.market?.wares.find((ware) => ware.kind === kind) ?? {};
}

function boardPart() {
  // The same element as before: a board that moves under a finger is touched wrongly.
  if (!board) {
    const element = boardElement("");
    board = new Board(element.firstElementChild);
    board.element = element;
    if (shapes) board.use(shapes);
    element.addEventListener("click", (event) => {
      const site = picture?.may_play ? board.siteAt(event.clientX, event.clientY) : null;
      if (site) {
        picking.touchSite(site, picture.moves);
        draw();
      }
    });
  }
  return h("section", { class: "board-part" }, board.element);
}

function drawBoard() {
  if (!board || !hasBoard(picture.public)) return;
  const shown = picture.public;
  board.svg.setAttribute("aria-label", [word("board_told", { game: shown.game_name }), shown.last?.text].filter(Boolean).join(". "));
  board.draw(shown.board, {
    targets: picture.may_play ? picking.targets(picture.moves) : [],
    picked: picking.sites,
  });
}

// -- touching ----------------------------------------------------------------------------------

function touchCard(card, lit) {
  if (!lit || !picture.may_play) {
    if (card.why_not) {
      const [first, ...rest] = card.why_not.split(" – ");
      tell(first, [rest.join(" – ")]);
    } else read(card);
    return;
  }
  if (card.moves.length) {
    play([card.moves[0]]);
    return;
  }
  picking.touchThing(card.id, picture.moves);
  const fitting = picking.fitting(picture.moves);
  const complete = picking.complete(picture.moves);
  if (fitting.length === 1 && complete.length === 1) play([complete[0].move]);
  else draw();
}

/** The keys under the thumb. */
function drawBar() {
  if (sending) {
    swap(rooms.bar, h("p", { class: "sending", role: "status" }, word("sending")), h("div", { class: "keys" }, coverKey()));
    return;
  }
  if (picking.begun && picture.may_play) {
    swap(rooms.bar, pickedKeys());
    return;
  }
  const keys = picture.may_play ? picture.keys : [];
  const yellow = keys.find((one) => one.yellow);
  const others = keys.filter((one) => one !== yellow);
  const few = others.slice(0, MOST_KEYS);
  const rest = others.slice(MOST_KEYS);
  const listed = picture.may_play && (picture.choices.length || rest.length);
  swap(
    rooms.bar,
    yellow ? moveKey(yellow, true) : null,
    h("div", { class: "keys" },
      few.map((one) => moveKey(one)),
      listed ? h("button", { type: "button", class: "key", "data-key": "list", onclick: () => openList(rest) }, icon("list"), h("span", {}, word("as_list"))) : null,
      coverKey()),
    othersSee(),
  );
}

function moveKey(one, yellow = false) {
  return h(
    "button",
    {
      type: "button", class: yellow ? "key yellow" : "key", "data-key": `key ${one.moves.join()}`,
      onclick: () => play(one.moves),
    },
    h("span", { class: "key-title" }, one.title),
    one.text ? h("span", { class: "key-text" }, one.text) : null,
  );
}

function pickedKeys() {
  const complete = picking.complete(picture.moves);
  const fitting = picking.fitting(picture.moves);
  const more = fitting.filter((move) => !complete.includes(move));
  const targets = picking.targets(picture.moves);
  const shown = complete.length > MOST_KEYS ? [] : complete;
  const leave = h("button", { type: "button", class: "key", "data-key": "leave", onclick: () => { picking.clear(); draw(); } },
    icon("cross"), h("span", {}, word("leave_it")));
  const all = more.length || shown.length < complete.length
    ? h("button", { type: "button", class: shown.length ? "key" : "key yellow", "data-key": "list", onclick: () => openMoves(fitting) },
        icon("list"), h("span", {}, word(complete.length > MOST_KEYS ? "choose" : "as_list"))) : null;
  const hint = shown.length ? null : targets.size ? word("then_place") : more.length ? word("then_more") : null;
  return [
    hint ? h("p", { class: "hint" }, hint) : null,
    shown.map((move) => moveKey({ title: move.sites.length ? move.said : move.title, text: move.text, moves: [move.move] }, shown.length === 1 || move.yellow)),
    h("div", { class: "keys" }, all, leave),
  ];
}

function coverKey() {
  return h(
    "button",
    {
      type: "button", class: "key cover", "data-key": "cover",
      onclick: () => {
        covered = !covered;
        remember("covered", covered ? "1" : "");
        picking.clear();
        draw();
      },
    },
    icon(covered ? "eye" : "noeye"),
    h("span", {}, word(covered ? "uncover" : "cover")),
  );
}

function othersSee() {
  const count = picture.hand.reduce((sum, card) => sum + card.count, 0);
  const cards = picture.hand.every((card) => card.group || card.suit !== undefined);
  if (!count || !cards) return null;
  const told = count === 1 ? word("one_card") : word("many_cards", { count });
  return h("p", { class: "others" }, word("others_see", { cards: told }));
}

// -- sheets ------------------------------------------------------------------------------------

function sheet(kind, ...children) {
  closeSheets();
  const close = h("button", { type: "button", class: "key", onclick: () => closeSheets() }, icon("cross"), h("span", {}, word("close")));
  const node = h("dialog", { class: `sheet ${kind}` }, h("div", { class: "sheet-body" }, ...children), h("div", { class: "keys" }, close));
  node.addEventListener("click", (event) => {
    if (event.target === node) closeSheets();
  });
  node.addEventListener("close", () => node.remove());
  document.body.append(node);
  node.showModal();
  node.querySelector(".sheet-body").scrollTop = 0;
}

function closeSheets() {
  document.querySelectorAll("dialog.sheet").forEach((node) => {
    node.close();
    node.remove();
  });
}

function tell(heading_, lines) {
  sheet("say", h("h2", {}, heading_), lines.filter(Boolean).map((text) => h("p", {}, text)));
}

/** A card by itself, to be read: that never changes anything. */
function read(card) {
  if (covered) return;
  const big = card.group
    ? h("div", { class: `card large paper-${card.group}` }, h("span", { class: "name" }, card.name),
        emblem(shapes, card.kind, card.group, card.sign), h("span", { class: "label" }, card.types ?? card.label))
    : null;
  sheet("reading", h("h2", {}, card.name), big,
    card.text ? h("p", { class: "card-text" }, card.text) : null,
    card.cost === undefined ? null : h("p", { class: "hint" }, word("cost", { cost: card.cost })),
    card.why_not ? h("p", { class: "why-not" }, card.why_not) : null);
}

function tile(text, move) {
  return h("button", { type: "button", class: "tile", onclick: () => play([move]) }, text);
}

/** Everything that may be done, as a list. */
function openList(keys) {
  sheet("list", h("h2", {}, title()),
    keys.length ? h("div", { class: "tiles" }, keys.map((one) => tile([one.title, one.text].filter(Boolean).join(" – "), one.moves[0]))) : null,
    picture.choices.map((section) => [
      section.title ? h("h3", {}, section.title) : null,
      h("div", { class: "tiles" }, section.tiles.map((one) => tile(one.text, one.move))),
    ]));
}

function openMoves(moves) {
  sheet("list", h("h2", {}, word("choose")),
    h("div", { class: "tiles wide" }, moves.map((move) => tile(move.sites.length || !move.text ? move.said : `${move.title} – ${move.text}`, move.move))));
}

/** Call `then` when a finger rests on `node`; the touch that ends it does nothing else. */
function onHold(node, then) {
  let timer = 0;
  let held = false;
  const stop = () => clearTimeout(timer);
  node.addEventListener("pointerdown", () => {
    held = false;
    timer = setTimeout(() => {
      held = true;
      then();
    }, HOLD_MS);
  });
  for (const name of ["pointerup", "pointerleave", "pointercancel"]) node.addEventListener(name, stop);
  node.addEventListener("contextmenu", (event) => event.preventDefault());
  node.addEventListener("click", (event) => {
    if (!held) return;
    held = false;
    event.stopImmediatePropagation();
    event.preventDefault();
  }, { capture: true });
}

function recall(key) {
  try {
    return sessionStorage.getItem(`heelstone.${key}`) ?? "";
  } catch {
    return "";
  }
}

function remember(key, value) {
  try {
    sessionStorage.setItem(`heelstone.${key}`, value);
  } catch {
    // Then it holds until the page is loaded again.
  }
}
