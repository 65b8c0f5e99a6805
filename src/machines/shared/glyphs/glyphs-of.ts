/** Bands of drawings side by side, each of eight lines of eight dots, as bytes: `#` is a dot. An empty line parts bands. */
export function glyphsOf(art: string): (readonly number[])[] {
  return art
    .trim()
    .split('\n\n')
    .flatMap((band) => {
      const lines = band.split('\n').map((line) => line.split(' '));
      const count = lines[0]?.length ?? 0;
      if (lines.length !== 8 || lines.some((cells) => cells.length !== count || cells.some((cell) => !isCell(cell)))) {
        throw new Error(`a band of glyphs is not eight lines of cells of eight dots:\n${band}`);
      }
      return Array.from({ length: count }, (_, glyph) => lines.map((cells) => bitsOf(cells[glyph] ?? '')));
    });
}

function isCell(cell: string): boolean {
  return /^[.#]{8}$/.test(cell);
}

function bitsOf(cell: string): number {
  return Number.parseInt(cell.replaceAll('.', '0').replaceAll('#', '1'), 2);
}
