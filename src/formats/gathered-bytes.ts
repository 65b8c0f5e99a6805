const leastRoom = 256;

/**
 * Bytes that come in pieces, kept as one. A list of pieces would take a hundred times the memory of what is in them where
 * somebody sends them one by one.
 */
export class GatheredBytes {
  #room = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#room.length) {
      const room = new Uint8Array(Math.max(leastRoom, length, 2 * this.#room.length));
      room.set(this.#room.subarray(0, this.#length));
      this.#room = room;
    }
    this.#room.set(piece, this.#length);
    this.#length = length;
  }

  /** All of them, for the caller to keep; what is added later begins anew. */
  take(): Uint8Array {
    const all = this.#room.subarray(0, this.#length);
    this.#room = new Uint8Array(0);
    this.#length = 0;
    return all;
  }
}
