/** Where the lines of a key cross. */
interface Crossing {
  readonly column: number;
  readonly row: number;
}

/** Which lines of the keyboard's matrix the program has asked about. No part of the state: whoever types asks for it. */
export class KeyboardLooks {
  #columns = 0;
  #rows = 0;

  /** The program reads the rows while these columns are driven: 0 is low. */
  atRows(columnsDriven: number): void {
    this.#columns |= ~columnsDriven;
  }

  /** The program reads the columns while these rows are driven: 0 is low. */
  atColumns(rowsDriven: number): void {
    this.#rows |= ~rowsDriven;
  }

  forget(): void {
    this.#columns = 0;
    this.#rows = 0;
  }

  /** Whether the program could tell since `forget` if this key is down. */
  hasSeen({ column, row }: Crossing): boolean {
    return (((this.#columns >> column) | (this.#rows >> row)) & 1) !== 0;
  }
}
