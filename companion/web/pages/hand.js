// A player's own page: the claim of a seat, the line to the table, and moves.

import { build, draw, title, useBoard } from "./hand_view.js";
import { Line } from "./line.js";
import { begin, getJson, onLook, page, postJson, Refused, word } from "./page.js";
import { seat } from "./seat.js";
import { Shapes } from "./table_shapes.js";
import { closeSheets, tell } from "./sheets.js";

const SETTLE_MS = 350;
const SLOW_MS = 700;
const LATE_MS = 4000;
const GONE = ["taken_back", "given_away", "match_over", "refused"];
const spoken = document.getElementById("told");
const main = document.getElementById("main");
let calm = 0;

const shapes = new Shapes((found) => {
  seat.shapes = found;
  useBoard();
  draw();
});
seat.draw = draw;
seat.play = (moves) => send({ moves });
seat.takeBack = () => send({ moves: [], take_back: true });
seat.askTip = () => send({ moves: [], tip: true });

// The code is out of the address bar, and out of the history, before anything else happens.
const token = takeToken();
await begin();
onLook(() => {
  seat.line?.open();
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
  seat.stage = "connecting";
  draw();
  let other = null;
  // Whoever asks again with the same key did not get the answer.
  const key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  for (let wait = 600; ; wait = Math.min(wait * 1.7, 8000)) {
    try {
      const answer = await postJson(`api/claim${page.query()}`, { token: code, key });
      seat.stage = answer.state === "waiting" ? "waiting" : "connecting";
      seat.said = answer;
      break;
    } catch (error) {
      if (error instanceof Refused && error.status >= 400 && error.status < 500 && error.status !== 429) {
        seat.stage = "code_used";
        seat.said = error.said;
        // This phone may have a seat from before.
        if (await hasSeat()) {
          if (error.status === 409) other = error.said;
          break;
        }
        draw();
        return;
      }
      await new Promise((done) => setTimeout(done, wait));
    }
  }
  draw();
  listen();
  if (other) tell(other.title, [other.text, other.do]);
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
  seat.line?.end();
  seat.line = new Line(
    () => `api/hand/stream${page.query()}`,
    { hand: hear, waiting: wait, closed: wait, gone: (data) => go(data.reason) },
    (state) => {
      seat.connection = state;
      draw();
    },
    stillOurs,
  );
}

/** After the seat.line broke: whether the seat is still this phone's. */
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
  seat.stage = GONE.includes(reason) ? `gone_${reason}` : "scan";
  seat.picture = null;
  seat.ware = "";
  seat.picking.clear();
  seat.line?.end();
  seat.line = null;
  closeSheets();
  draw();
}

function wait(data) {
  seat.said = data;
  seat.stage = data.state === "closed" ? "closed" : "waiting";
  draw();
}

function hear(data) {
  if (data.state === "waiting" || data.state === "closed") {
    wait(data);
    return;
  }
  const before = seat.picture;
  seat.picture = data;
  seat.stage = "open";
  seat.sending = seat.slow = false;
  if (!before || before.match !== data.match || before.changes !== data.changes) {
    seat.picking.keep(data.moves);
    if (!data.wares.some((ware) => ware.kind === seat.ware)) seat.ware = "";
    // A card that is being read stays; a list of what could be done before does not.
    closeSheets("list");
    if (before) settle();
  }
  shapes.want(data.public);
  if (data.may_play && !before?.may_play) spoken.textContent = title();
  draw();
}

/** What lay under the finger has changed: a second, hasty touch does not mean what is there now. */
function settle() {
  main.classList.add("settling");
  clearTimeout(calm);
  calm = setTimeout(() => main.classList.remove("settling"), SETTLE_MS);
}

/** Tell the table what was decided; nothing changes here until the table says so. */
async function send(decided) {
  if (seat.sending || !seat.picture) return;
  seat.sending = true;
  seat.picking.clear();
  seat.ware = "";
  closeSheets();
  draw();
  const { match, changes: since } = seat.picture;
  const unsaid = () => seat.sending && seat.picture?.changes === since;
  setTimeout(() => {
    if (!unsaid()) return;
    seat.slow = true;
    draw();
  }, SLOW_MS);
  try {
    await postJson(`api/moves${page.query()}`, { match, since, ...decided });
    // The new picture comes by the line; if it does not, nobody waits for ever.
    setTimeout(() => {
      if (!unsaid()) return;
      seat.sending = seat.slow = false;
      draw();
    }, LATE_MS);
  } catch (error) {
    seat.sending = seat.slow = false;
    draw();
    if (error instanceof Refused && error.status === 401) {
      await stillOurs();
      return;
    }
    const why = error instanceof Refused && error.said.title ? error.said : null;
    tell(why?.title ?? word("not_sent"), why ? [why.text, why.do] : [word("not_sent_text")]);
  }
}
