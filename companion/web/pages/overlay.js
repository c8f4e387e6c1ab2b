// The stream overlay: names, points, who is to move, the last move; on nothing, for OBS.
// Options in the address: side=left|right|top|bottom, size=small|normal|large, lang=de|en.

import { faceOf } from "./faces.js";
import { Line } from "./line.js";
import { isOutOfTurn } from "./match_parts.js";
import { asked, begin, h, page, swap, word } from "./page.js";
import { Shapes } from "./table_shapes.js";

const main = document.getElementById("main");
const sides = ["left", "right", "top", "bottom"];
const sizes = ["small", "normal", "large"];
document.body.dataset.side = sides.includes(asked.get("side")) ? asked.get("side") : "bottom";
document.body.dataset.size = sizes.includes(asked.get("size")) ? asked.get("size") : "normal";
page.theme = asked.get("theme") === "limestone" ? "limestone" : "night";

let shapes = null;
let newest = null;
const wanted = new Shapes((found) => {
  shapes = found;
  draw(newest);
});

await begin();
new Line(() => `api/stream${page.query()}`, { table: hear }, () => {});

function hear(picture) {
  newest = picture;
  wanted.want(picture);
  draw(picture);
}

function draw(picture) {
  if (!picture.match) {
    swap(main);
    return;
  }
  const last = picture.outcome
    ? picture.outcome.title
    : picture.moves.find((move) => move.seat !== null)?.text ?? picture.last?.text;
  swap(
    main,
    h("h1", { class: "unseen" }, picture.game_name),
    h(
      "ul",
      { class: "names" },
      picture.players.map((player) =>
        h(
          "li",
          { class: player.asked ? "asked" : "" },
          faceOf(player),
          h("span", { class: "player-name" }, player.name),
          player.asked
            ? h("span", { class: "doing" }, word(isOutOfTurn(picture, player.seat) ? "is_asked" : "to_move"))
            : null,
          player.score ? h("span", { class: "score" }, player.score) : null,
        ),
      ),
    ),
    last ? h("p", { class: "last" }, last) : null,
  );
}
