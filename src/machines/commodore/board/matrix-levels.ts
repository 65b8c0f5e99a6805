/** The levels a passive matrix of eight by eight keys leaves on its lines. */
export interface MatrixLevels {
  readonly columns: number;
  readonly rows: number;
}

/**
 * Spreads low levels through the pressed keys: `keys[column]` has a bit per row. Lines that something drives low pull
 * down all lines they are connected to, over any number of keys (which is how ghost keys come about).
 */
export function matrixLevels(keys: Int32Array, columnsDriven: number, rowsDriven: number): MatrixLevels {
  let columns = columnsDriven;
  let rows = rowsDriven;
  for (;;) {
    let nextColumns = columns;
    let nextRows = rows;
    for (let column = 0; column < 8; column += 1) {
      const pressed = keys[column] as number;
      if (pressed === 0) continue;
      if ((columns & (1 << column)) === 0) nextRows &= ~pressed;
      if ((pressed & ~rows) !== 0) nextColumns &= ~(1 << column);
    }
    if (nextColumns === columns && nextRows === rows) return { columns, rows };
    columns = nextColumns;
    rows = nextRows;
  }
}

/** Whether the key at a column and a row is pressed. */
export function isMatrixKeyDown(keys: Int32Array, column: number, row: number): boolean {
  return (((keys[column] ?? 0) >> row) & 1) !== 0;
}

/** Presses or releases the key at a column and a row: `keys[column]` has a bit per row. */
export function setMatrixKey(keys: Int32Array, column: number, row: number, isDown: boolean): void {
  const bit = 1 << row;
  const now = keys[column] ?? 0;
  keys[column] = isDown ? now | bit : now & ~bit;
}
