// What touches of a hand and of a board mean: from cards and places to one move.
// Nothing here knows a game: it only compares what was touched with the moves that are offered.

const same = (one, other) => one.length === other.length && one.every((part) => other.includes(part));
const within = (part, whole) => part.every((one) => whole.includes(one));

export class Picking {
  constructor() {
    this.clear();
  }

  clear() {
    this.things = [];
    this.sites = [];
  }

  get begun() {
    return this.things.length + this.sites.length > 0;
  }

  /** Keep only what the moves of a new picture still allow. */
  keep(moves) {
    if (this.begun && !this.fitting(moves).length) this.clear();
  }

  /** The moves that mean everything touched so far. */
  fitting(moves) {
    return moves.filter(
      (move) =>
        (move.things.length || move.sites.length) &&
        within(this.things, move.things) && within(this.sites, move.sites),
    );
  }

  /** Those of them that need no more touches. */
  complete(moves) {
    return this.begun
      ? this.fitting(moves).filter((move) => same(this.things, move.things) && same(this.sites, move.sites))
      : [];
  }

  /** Cards and pieces that may be touched next: with what was chosen, or instead of it. */
  able(moves) {
    return new Set(moves.flatMap((move) => move.things));
  }

  /** A card or a piece of the hand was touched. */
  touchThing(thing, moves) {
    if (this.things.includes(thing)) {
      this.things = this.things.filter((one) => one !== thing);
      if (!this.fitting(moves).length) this.clear();
      return;
    }
    this.things = [...this.things, thing];
    if (this.fitting(moves).length) return;
    // It does not go with the others, so it is meant instead of them.
    this.things = [thing];
    if (!this.fitting(moves).length) this.sites = [];
  }

  /** A place on the board was touched. */
  touchSite(site, moves) {
    if (this.sites.includes(site)) {
      this.sites = this.sites.filter((one) => one !== site);
      return;
    }
    for (const sites of [[...this.sites, site], [...this.sites.slice(0, -1), site], [site]]) {
      this.sites = sites;
      if (this.fitting(moves).length) return;
    }
    this.things = [];
    if (!this.fitting(moves).length) this.clear();
  }

  /** Places to touch next: of several the first that was not touched yet. */
  targets(moves) {
    const found = new Set();
    const fitting = this.fitting(moves);
    // First what, then where: places glow as soon as everything of the hand is chosen.
    for (const move of fitting) {
      if (!within(move.things, this.things) && this.things.length) continue;
      const next = move.sites.find((site) => !this.sites.includes(site));
      if (next) found.add(next);
    }
    // Another last place may be meant instead of the one touched.
    if (this.sites.length) {
      const before = new Picking();
      before.things = this.things;
      before.sites = this.sites.slice(0, -1);
      for (const site of before.targets(moves)) found.add(site);
    }
    return found;
  }
}
