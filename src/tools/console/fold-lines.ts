import { cellWidth } from './character.ts';
import { eraseMark } from './strip-stream.ts';

/** The second cell of a wide character. */
const filler = '';

/**
 * Stripped text as a terminal would leave it: `\r` goes back to the start of the line and overwrites, `\b` one cell to
 * the left, the erase mark cuts the line. Blanks at the ends of lines are trimmed. One line in, one line out.
 *
 * `columns` serves only to recognise how line editors wrap a long input line (a blank and `\r` after the last column).
 */
export function foldLines(text: string, columns = 80): string {
  return text
    .split('\n')
    .map((line) => trimBlanks(moves.test(line) ? foldLine(line, columns) : line))
    .join('\n');
}

const moves = new RegExp(`[\\r\\b${eraseMark}]`);

function foldLine(line: string, columns: number): string {
  const cells: string[] = [];
  let column = 0;
  /** Where the row of the terminal begins that the cursor is on. */
  let rowStart = 0;
  let previous = '';
  for (const character of line) {
    if (character === '\r') {
      if (previous === ' ' && column === rowStart + columns + 1 && column === cells.length) {
        cells.pop();
        rowStart += columns;
      }
      column = rowStart;
    } else if (character === '\b') column = Math.max(rowStart, column - 1);
    else if (character === eraseMark) cells.length = Math.min(cells.length, column);
    else if (character === '\t') {
      column += 8 - ((column - rowStart) % 8);
    } else column = put(cells, column, character);
    previous = character;
  }
  return cells.join('');
}

/** Writes a character and returns the column after it. */
function put(cells: string[], column: number, character: string): number {
  const width = cellWidth(character.codePointAt(0) ?? 0);
  while (cells.length < column) cells.push(' ');
  if (width === 0) {
    const base = cells[column - 1] === filler ? column - 2 : column - 1;
    if (base >= 0) cells[base] += character;
    return column;
  }
  if (cells[column] === filler) cells[column - 1] = ' ';
  if (cells[column + width] === filler) cells[column + width] = ' ';
  cells[column] = character;
  if (width === 2) cells[column + 1] = filler;
  return column + width;
}

function trimBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end--;
  return line.slice(0, end);
}
