import { readFile, rm } from 'node:fs/promises';
import { glyphs437 } from '../../../formats/code-page-437.ts';
import { lowerHex } from '../../../formats/hex.ts';
import type { TextScreen } from '../../../machine/screen.ts';
import type { QemuSession } from '../qemu-session.ts';

/** Ports of a VGA, as IBM laid them out. */
const miscOutput = 0x3cc;
const graphicsIndex = 0x3ce;
const graphicsData = 0x3cf;
const colourController = 0x3d4;
const monochromeController = 0x3b4;

const maxColumns = 264;
const maxRows = 120;
/** By the two bits of the graphics controller that place the memory. */
const memoryBases = [0xa0000, 0xa0000, 0xb0000, 0xb8000];

interface Registers {
  readonly memoryBase: number;
  readonly columns: number;
  readonly rows: number;
  readonly charactersPerRow: number;
  readonly start: number;
  readonly cursor: number | undefined;
  /** Of a character, in pixels. */
  readonly cellHeight: number;
}

/** A text screen and the height of its picture. */
export interface VgaText extends TextScreen {
  readonly pictureHeight: number;
}

/** Pixels of a character, of one of 40 columns too. */
const cellWidths = [8, 9, 16, 18];

/** Whether a picture of this size can be the one of that text. */
export function isPictureOf(
  { columns, pictureHeight }: VgaText,
  { width, height }: { readonly width: number; readonly height: number },
): boolean {
  return height === pictureHeight && cellWidths.some((cellWidth) => columns * cellWidth === width);
}

/**
 * The characters on a VGA in text mode; undefined in any other mode. The guest must be stopped: registers are read
 * through an index that belongs to it and is put back afterwards.
 */
export async function readVgaText(session: QemuSession, scratchFile: string): Promise<VgaText | undefined> {
  const registers = await readRegisters(session);
  if (!registers) return undefined;
  const { memoryBase, columns, rows, charactersPerRow, start, cursor, cellHeight } = registers;
  const bytes = await readPhysical(session, memoryBase, 0x8000, scratchFile);
  const lines: string[] = [];
  const colours = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    let line = '';
    for (let column = 0; column < columns; column++) {
      const at = ((start + row * charactersPerRow + column) * 2) & 0x7fff;
      line += glyphs437[bytes[at] ?? 0] ?? ' ';
      colours[row * columns + column] = bytes[at + 1] ?? 0;
    }
    lines.push(line.trimEnd());
  }
  const place = cursor === undefined ? -1 : cursor - start;
  const onScreen = place >= 0 && place < rows * charactersPerRow && place % charactersPerRow < columns;
  return {
    columns,
    rows,
    lines,
    colours,
    pictureHeight: rows * cellHeight,
    cursor: onScreen ? { column: place % charactersPerRow, row: Math.floor(place / charactersPerRow) } : undefined,
  };
}

async function readRegisters(session: QemuSession): Promise<Registers | undefined> {
  const [miscellaneous = 0] = await indexed(session, graphicsIndex, graphicsData, [6]);
  if ((miscellaneous & 1) !== 0) return undefined;
  const controller = ((await portByte(session, miscOutput)) & 1) !== 0 ? colourController : monochromeController;
  const wanted = [0x01, 0x07, 0x09, 0x0a, 0x0c, 0x0d, 0x0e, 0x0f, 0x12, 0x13];
  const [
    end = 0,
    overflow = 0,
    height = 0,
    cursorStart = 0,
    startHigh = 0,
    startLow = 0,
    cursorHigh = 0,
    cursorLow = 0,
    lastLine = 0,
    offset = 0,
  ] = await indexed(session, controller, controller + 1, wanted);
  const scanLines = (lastLine | ((overflow & 0x02) << 7) | ((overflow & 0x40) << 3)) + 1;
  const doubled = (height & 0x80) !== 0 ? 2 : 1;
  const columns = end + 1;
  const cellHeight = ((height & 0x1f) + 1) * doubled;
  const rows = Math.floor(scanLines / cellHeight);
  if (columns < 20 || columns > maxColumns || rows < 1 || rows > maxRows) return undefined;
  return {
    memoryBase: memoryBases[(miscellaneous >> 2) & 3] ?? 0xb8000,
    columns,
    rows,
    cellHeight,
    charactersPerRow: offset * 2 || columns,
    start: (startHigh << 8) | startLow,
    cursor: (cursorStart & 0x20) !== 0 ? undefined : (cursorHigh << 8) | cursorLow,
  };
}

/** Several registers behind one index, all asked at once: QEMU keeps the order. */
async function indexed(
  session: QemuSession,
  index: number,
  data: number,
  registers: readonly number[],
): Promise<number[]> {
  const before = await portByte(session, index);
  const values = registers.map(async (register) => {
    const [, value] = await Promise.all([
      session.hmp(`o /b 0x${lowerHex(index)} ${register}`),
      portByte(session, data),
    ]);
    return value;
  });
  const restored = session.hmp(`o /b 0x${lowerHex(index)} ${before}`);
  const [all] = await Promise.all([Promise.all(values), restored]);
  return all;
}

async function portByte(session: QemuSession, port: number): Promise<number> {
  const answer = await session.hmp(`i /b 0x${lowerHex(port)}`);
  return Number.parseInt(/=\s*0x([0-9a-f]+)/i.exec(answer)?.[1] ?? '0', 16);
}

async function readPhysical(session: QemuSession, address: number, length: number, file: string): Promise<Uint8Array> {
  try {
    await session.execute('pmemsave', { val: address, size: length, filename: file });
    return await readFile(file);
  } finally {
    await rm(file, { force: true });
  }
}
