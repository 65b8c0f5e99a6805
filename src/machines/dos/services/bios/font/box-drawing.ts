/** Weights of the arms up, right, down, left of the codes B3h to DAh. */
const arms =
  '1010 1011 1012 2021 0021 0012 2022 2020 0022 2002 2001 1002 0011 1100 1101 0111 1110 0101 1111 1210 2120 2200 0220 2202 0222 2220 0202 2222 1202 2101 0212 0121 2100 1200 0210 0120 2121 1212 1001 0110'.split(
    ' ',
  );

/** Lines of a cell eight wide: a single one in its middle (two dots wide when upright), a double one around that. */
interface Grid {
  readonly width: number;
  readonly middle: number;
  readonly first: number;
  readonly second: number;
}

/** The glyph of B3h-DAh in a cell of this height. */
export function boxGlyph(code: number, height: number): Uint8Array {
  const [up = 0, right = 0, down = 0, left = 0] = Array.from(arms[code - 0xb3] ?? '', Number);
  const rows = new Uint8Array(height);
  const middle = (height >> 1) - 1;
  const across: Grid = { width: height, middle, first: middle - 1, second: middle + 1 };
  const along: Grid = { width: 8, middle: 3, first: 2, second: 5 };
  const upright = (column: number, from: number, to: number) => {
    for (let y = from; y < to; y++) rows[y] = (rows[y] as number) | (0xc0 >> column);
  };
  const level = (row: number, from: number, to: number) => {
    for (let x = from; x < to; x++) rows[row] = (rows[row] as number) | (0x80 >> x);
  };
  arm(up, down, left, right, along, across, 0, (column, end) => upright(column, 0, end + 1));
  arm(down, up, left, right, along, across, 1, (column, start) => upright(column, start, height));
  arm(left, right, up, down, across, along, 0, (row, end) => level(row, 0, end + 2));
  arm(right, left, up, down, across, along, 1, (row, start) => level(row, start, 8));
  return rows;
}

/**
 * Draws one arm from its edge to the junction. `before` and `after` are the arms at its sides, `lines` says where its own
 * strokes lie, `crossing` where those of the sides do; `far` is 1 for an arm on the far side of the junction.
 */
function arm(
  weight: number,
  opposite: number,
  before: number,
  after: number,
  lines: Grid,
  crossing: Grid,
  far: number,
  draw: (line: number, end: number) => void,
): void {
  const near = far === 0 ? crossing.first : crossing.second;
  const away = far === 0 ? crossing.second : crossing.first;
  if (weight === 1) {
    let end = crossing.middle;
    if (opposite === 0 && before === 2 && after === 2) end = near;
    else if (opposite === 0 && (before === 2 || after === 2)) end = away;
    draw(lines.middle, end);
  } else if (weight === 2) {
    const end = (own: number, other: number) => {
      if (own !== 0) return own === 2 ? near : crossing.middle;
      if (opposite !== 0) return away;
      return other === 2 ? away : crossing.middle;
    };
    draw(lines.first, end(before, after));
    draw(lines.second, end(after, before));
  }
}

/** Shades and blocks: B0h-B2h, DBh-DFh. */
export function blockGlyph(code: number, height: number): Uint8Array {
  const half = height >> 1;
  return Uint8Array.from({ length: height }, (_, y) => {
    switch (code) {
      case 0xb0:
        return (y & 1) === 0 ? 0x22 : 0x88;
      case 0xb1:
        return (y & 1) === 0 ? 0x55 : 0xaa;
      case 0xb2:
        return (y & 1) === 0 ? 0xdd : 0x77;
      case 0xdb:
        return 0xff;
      case 0xdc:
        return y < half ? 0 : 0xff;
      case 0xdd:
        return 0xf0;
      case 0xde:
        return 0x0f;
      default:
        return y < half ? 0xff : 0;
    }
  });
}
