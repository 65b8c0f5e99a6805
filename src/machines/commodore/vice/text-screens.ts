import { screenCodeToUnicode } from '../../../formats/commodore/basic/petscii.ts';
import type { TextScreen } from '../../../machine/screen.ts';
import type { ViceModel } from './vice-models.ts';
import type { ViceSession } from './vice-session.ts';

interface Layout {
  readonly columns: number;
  readonly rows: number;
  readonly set: 'upper' | 'lower';
  readonly codes: Uint8Array;
  readonly colours?: Uint8Array;
}

const bitmapMode = 0x20;

/** The text on the screen of a VICE, by what the registers of its video chip say. */
export async function readText(session: ViceSession, { video, cells }: ViceModel): Promise<TextScreen | undefined> {
  const layout = video === undefined ? undefined : await layouts[video](session);
  if (!layout) return undefined;
  const { columns, rows, set, codes, colours } = layout;
  const lines = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_each, column) => {
      const code = codes[row * columns + column] ?? 32;
      return screenCodeToUnicode(code & 0x7f, set).replace('\u00a0', ' ') || ' ';
    }).join(''),
  );
  const [column = 0] = cells ? await session.peek(0, cells.column, 1) : [];
  const [row = 0] = cells ? await session.peek(0, cells.row, 1) : [];
  return {
    columns,
    rows,
    lines,
    ...(colours && { colours }),
    ...(cells && { cursor: { column: column % columns, row } }),
  };
}

const layouts: Readonly<
  Record<NonNullable<ViceModel['video']>, (session: ViceSession) => Promise<Layout | undefined>>
> = {
  async vic2(session) {
    const io = session.banks.get('io') ?? 0;
    const ram = session.banks.get('ram') ?? 0;
    const registers = await session.peek(io, 0xd000, 0x2f);
    const [d011 = 0, d018 = 0] = [registers[0x11], registers[0x18]];
    if (d011 & bitmapMode) return undefined;
    const [port = 0] = await session.peek(io, 0xdd00, 1);
    const matrix = ((~port & 3) << 14) | ((d018 & 0xf0) << 6);
    const colours = await session.peek(io, 0xd800, 1000);
    return {
      columns: 40,
      rows: 25,
      set: d018 & 2 ? 'lower' : 'upper',
      codes: await session.peek(ram, matrix, 1000),
      colours: colours.map((colour) => colour & 15),
    };
  },

  async vic(session) {
    const registers = await session.peek(0, 0x9000, 16);
    const [size = 0, lines = 0, places = 0] = [registers[2], registers[3], registers[5]];
    const columns = Math.min(size & 0x7f, 27);
    const rows = (lines >> 1) & 0x3f;
    if (lines & 1 || columns === 0 || rows === 0) return undefined;
    const matrix = ((places & 0xf0) << 6) | ((size & 0x80) << 2);
    // What the VIC has at $2000 the processor has at $0000, and the other way round at $8000.
    const seen = matrix & 0x2000 ? matrix & 0x1fff : 0x8000 | matrix;
    const colours = await session.peek(0, 0x9400 | (matrix & 0x200), columns * rows);
    return {
      columns,
      rows,
      set: (places & 0xa) === 2 ? 'lower' : 'upper',
      codes: await session.peek(0, seen, columns * rows),
      colours: colours.map((colour) => colour & 7),
    };
  },

  async ted(session) {
    const registers = await session.peek(0, 0xff00, 0x20);
    if ((registers[6] ?? 0) & bitmapMode) return undefined;
    const attributes = ((registers[0x14] ?? 0) & 0xf8) << 8;
    const ram = session.banks.get('ram') ?? 0;
    const both = await session.peek(ram, attributes, 0x800);
    return {
      columns: 40,
      rows: 25,
      set: (registers[0x13] ?? 0) & 4 ? 'lower' : 'upper',
      codes: both.subarray(0x400),
      colours: both.slice(0, 1000).map((colour) => colour & 0x7f),
    };
  },

  async crtc(session) {
    // The CRTC's own registers cannot be read; the editor keeps the width of a line.
    const [last = 39] = await session.peek(0, 0xd5, 1);
    const columns = last > 39 ? 80 : 40;
    const [mode = 0] = await session.peek(0, 0xe84c, 1);
    return { columns, rows: 25, set: mode & 2 ? 'lower' : 'upper', codes: await session.peek(0, 0x8000, columns * 25) };
  },
};
