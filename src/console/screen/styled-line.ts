import type { IBufferCell, IBufferLine } from '@xterm/headless';
import type { StyledText, TerminalColour } from '../../machine/console.ts';

/** Combining marks that one cell may carry; guests have been seen to send thousands. */
const maxCellCodePoints = 16;

/** What a cell holds, a blank where it holds nothing. */
export function cellText(chars: string): string {
  if (chars.length <= maxCellCodePoints) return chars || ' ';
  return [...chars.slice(0, 64)].slice(0, maxCellCodePoints).join('');
}

/** A row as pieces that look alike; a character of two columns is a piece of its own, so that it can be given its room. */
export function styledLine(line: IBufferLine, cell: IBufferCell): StyledText[] {
  const pieces: StyledText[] = [];
  let lastLook = '';
  for (let column = 0; column < line.length; column++) {
    if (!line.getCell(column, cell) || cell.getWidth() === 0) continue;
    const piece = pieceOf(cell);
    const look = JSON.stringify([piece.foreground, piece.background, piece.attributes]);
    const last = pieces.at(-1);
    if (last && look === lastLook && isPlain(last.text) && isPlain(piece.text)) {
      pieces[pieces.length - 1] = { ...last, text: last.text + piece.text, cells: last.cells + 1 };
    } else pieces.push(piece);
    lastLook = look;
  }
  const last = pieces.at(-1);
  if (!last || last.attributes.length > 0 || last.background || !isPlain(last.text)) return pieces;
  const text = last.text.trimEnd();
  return [...pieces.slice(0, -1), ...(text === '' ? [] : [{ ...last, text, cells: text.length }])];
}

/** Printable ASCII, which every fixed-width font has in the same width. */
function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

function pieceOf(cell: IBufferCell): StyledText {
  return {
    text: cellText(cell.getChars()),
    cells: cell.getWidth(),
    foreground: colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
    background: colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
    attributes: attributesOf(cell),
  };
}

function colour(isDefault: boolean, isRgb: boolean, value: number): TerminalColour {
  if (isDefault) return undefined;
  return isRgb ? { type: 'rgb', rgb: value } : { type: 'palette', number: value };
}

function attributesOf(cell: IBufferCell): string[] {
  const flags: readonly (readonly [string, number])[] = [
    ['bold', cell.isBold()],
    ['dim', cell.isDim()],
    ['italic', cell.isItalic()],
    ['underline', cell.isUnderline()],
    ['inverse', cell.isInverse()],
    ['invisible', cell.isInvisible()],
    ['strikethrough', cell.isStrikethrough()],
  ];
  return flags.filter(([, on]) => on !== 0).map(([name]) => name);
}
