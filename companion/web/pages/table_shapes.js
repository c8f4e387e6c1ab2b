// The shapes of a match's board: asked for once, and again until the table answers.

import { getJson, Refused } from "./page.js";

const WAIT_MS = 1000;

export class Shapes {
  /** `found`: called with the shapes whenever there are new ones. */
  constructor(found) {
    this.found = found;
    this.key = "";
  }

  /** These are needed now: those of the match of a picture, in its language. */
  async want({ match, lang, board }) {
    const part = board?.window ?? "";
    const key = `${match} ${lang} ${part}`;
    if (!match || key === this.key) return;
    this.key = key;
    try {
      const shapes = await getJson(`api/board?${new URLSearchParams({ match, lang, window: part })}`);
      if (key === this.key) this.found(shapes);
    } catch (error) {
      if (key !== this.key) return;
      this.key = "";
      // Another match is on the table: the next picture says which.
      if (error instanceof Refused && error.status === 404) return;
      setTimeout(() => this.key || this.want({ match, lang, board }), WAIT_MS);
    }
  }
}
