// The line to the table: it comes back by itself after sleep, a lost Wi-Fi or a restarted table.

/** The table says something at least every 10 s; after so many ms of silence it is asked anew. */
const SILENCE_MS = 25000;
const FIRST_WAIT_MS = 700;
const LONGEST_WAIT_MS = 8000;

export class Line {
  /**
   * `address`: a function that says where to listen. `hear`: by the name of an event, what to do
   * with its data. `onState`: hears `connecting`, `open`, `away`. `onShut`: asked whether to go on
   * after the table has refused the line; a promise of true or false.
   */
  constructor(address, hear, onState, onShut = async () => true) {
    this.address = address;
    this.hear = hear;
    this.onState = onState;
    this.onShut = onShut;
    this.source = null;
    this.state = "";
    this.wait = FIRST_WAIT_MS;
    this.heard = 0;
    this.timer = 0;
    this.ended = false;
    const wake = () => this.wake();
    document.addEventListener("visibilitychange", wake);
    addEventListener("online", wake);
    addEventListener("pageshow", wake);
    addEventListener("offline", () => this.tell("away"));
    setInterval(() => this.watch(), 5000);
    this.open();
  }

  /** Listen anew: another language, another match. */
  open() {
    if (this.ended) return;
    this.drop();
    if (!this.state) this.tell("connecting");
    this.heard = Date.now();
    const source = new EventSource(this.address(), { withCredentials: true });
    this.source = source;
    source.onopen = () => this.alive(source);
    source.onerror = () => this.broken(source);
    for (const name of ["beat", ...Object.keys(this.hear)]) {
      source.addEventListener(name, (event) => {
        if (source !== this.source) return;
        this.alive(source);
        this.hear[name]?.(JSON.parse(event.data || "{}"));
      });
    }
  }

  /** Nothing more is listened to. */
  end() {
    this.ended = true;
    this.drop();
  }

  drop() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  alive(source) {
    if (source !== this.source) return;
    this.heard = Date.now();
    this.wait = FIRST_WAIT_MS;
    this.tell("open");
  }

  async broken(source) {
    if (source !== this.source) return;
    this.drop();
    this.tell("away");
    if (!(await this.onShut())) return;
    this.later();
  }

  later() {
    if (this.ended || this.source) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 1.7, LONGEST_WAIT_MS);
  }

  /** The phone is back from sleep, or has a network again. */
  wake() {
    if (this.ended || document.visibilityState === "hidden") return;
    const silent = Date.now() - this.heard > SILENCE_MS / 2;
    if (this.state !== "open" || silent) {
      this.wait = FIRST_WAIT_MS;
      this.open();
    }
  }

  watch() {
    if (this.ended || !this.source || Date.now() - this.heard < SILENCE_MS) return;
    this.tell("away");
    this.open();
  }

  tell(state) {
    if (state === this.state) return;
    this.state = state;
    this.onState(state);
  }
}
