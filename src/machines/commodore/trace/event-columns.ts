/** An event as numbers; `type` and `chip` are indexes, -1 is nothing. */
export interface EventRow {
  readonly cycle: number;
  readonly frame: number;
  readonly line: number;
  readonly lineCycle: number;
  readonly type: number;
  readonly chip: number;
  readonly register: number;
  readonly value: number;
  readonly pc: number;
}

const bytesPerEvent = 26;
const firstRoom = 1024;

/** Events in the order they happened, as small as they can be. */
export class EventColumns {
  readonly #most: number;
  #size = 0;
  #cycle = new Float64Array(firstRoom);
  #frame = new Int32Array(firstRoom);
  /** Line and cycle within it, type and chip. */
  #place = new Int32Array(firstRoom);
  #what = new Int32Array(firstRoom);
  #register = new Int16Array(firstRoom);
  #value = new Int32Array(firstRoom);

  /** `maxBytes`: room for all of them. */
  constructor(maxBytes: number) {
    this.#most = Math.max(1, Math.floor(maxBytes / bytesPerEvent));
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size >= this.#most;
  }

  add({ cycle, frame, line, lineCycle, type, chip, register, value, pc }: EventRow): void {
    if (this.isFull) return;
    if (this.#size === this.#cycle.length) this.#grow();
    const at = this.#size++;
    this.#cycle[at] = cycle;
    this.#frame[at] = frame;
    this.#place[at] = (line << 8) | lineCycle;
    this.#what[at] = (pc << 16) | (type << 8) | (chip & 255);
    this.#register[at] = register;
    this.#value[at] = value;
  }

  /** Forgets all others. */
  keep(isWanted: (row: EventRow) => boolean): void {
    const size = this.#size;
    this.#size = 0;
    for (let index = 0; index < size; index += 1) {
      const row = this.at(index);
      if (isWanted(row)) this.add(row);
    }
  }

  at(index: number): EventRow {
    const place = this.#place[index] ?? 0;
    const what = this.#what[index] ?? 0;
    return {
      cycle: this.#cycle[index] ?? 0,
      frame: this.#frame[index] ?? 0,
      line: place >> 8,
      lineCycle: place & 255,
      type: (what >> 8) & 255,
      chip: (what << 24) >> 24,
      register: this.#register[index] ?? -1,
      value: this.#value[index] ?? -1,
      pc: what >>> 16,
    };
  }

  #grow(): void {
    const room = Math.min(this.#most, 2 * this.#cycle.length);
    const moved = <Column extends Float64Array | Int32Array | Int16Array>(old: Column, next: Column): Column => {
      next.set(old);
      return next;
    };
    this.#cycle = moved(this.#cycle, new Float64Array(room));
    this.#frame = moved(this.#frame, new Int32Array(room));
    this.#place = moved(this.#place, new Int32Array(room));
    this.#what = moved(this.#what, new Int32Array(room));
    this.#register = moved(this.#register, new Int16Array(room));
    this.#value = moved(this.#value, new Int32Array(room));
  }
}
