/** How pixels lie in display memory. */
export type VideoLayout = 'text' | 'cga4' | 'cga2' | 'planar' | 'linear';

export interface VideoMode {
  readonly mode: number;
  readonly layout: VideoLayout;
  readonly columns: number;
  readonly rows: number;
  readonly characterHeight: 8 | 14 | 16;
  /** Linear address of the display memory. */
  readonly base: number;
  readonly pageBytes: number;
  readonly palette: 'mono' | 'cga' | 'ega' | 'vga';
  readonly miscOutput: number;
  readonly sequencer: Uint8Array;
  readonly crtc: Uint8Array;
  readonly attribute: Uint8Array;
  readonly graphics: Uint8Array;
}

const bytes = (hex: string) => Uint8Array.from(hex.split(' '), (byte) => Number.parseInt(byte, 16));

/** Horizontal timing of 40 and 80 columns in registers 0-5, vertical timing of 400, 350 and 480 lines. */
function crtc(horizontal: string, lines: string, offset: number, underline: number, mode: number, cells: string) {
  const [total, overflow, retrace] = {
    400: ['BF', '1F', '9C 8E 8F'],
    350: ['BF', '1F', '83 85 5D'],
    480: ['0B', '3E', 'EA 8C DF'],
  }[lines] as [string, string, string];
  const blank = { 400: '96 B9', 350: '63 BA', 480: 'E7 04' }[lines] as string;
  const hex = (value: number) => value.toString(16);
  return bytes(
    `${horizontal} ${total} ${overflow} 00 ${cells} 00 00 00 00 ${retrace} ${hex(offset)} ${hex(underline)} ${blank} ${hex(mode)} FF`,
  );
}

const text40 = '2D 27 28 90 2B A0';
const text80 = '5F 4F 50 82 55 81';
const narrow = '2D 27 28 90 2B 80';
const wide = '5F 4F 50 82 54 80';
const textCells = '4F 0D 0E';

const egaColours = '00 01 02 03 04 05 14 07 38 39 3A 3B 3C 3D 3E 3F';
const cgaColours = '00 01 02 03 04 05 06 07 10 11 12 13 14 15 16 17';
const textGraphics = '00 00 00 00 00 10 0E 0F FF';
const planarGraphics = '00 00 00 00 00 00 05 0F FF';

const text = {
  layout: 'text',
  rows: 25,
  characterHeight: 16,
  base: 0xb8000,
  palette: 'ega',
  miscOutput: 0x67,
} as const;

function textMode(mode: number, columns: 40 | 80): VideoMode {
  return {
    ...text,
    mode,
    columns,
    pageBytes: columns === 40 ? 0x800 : 0x1000,
    sequencer: bytes(columns === 40 ? '08 03 00 02' : '00 03 00 02'),
    crtc: crtc(columns === 40 ? text40 : text80, '400', columns === 40 ? 0x14 : 0x28, 0x1f, 0xa3, textCells),
    attribute: bytes(`${egaColours} 0C 00 0F 08`),
    graphics: bytes(textGraphics),
  };
}

function cga4Mode(mode: number): VideoMode {
  return {
    mode,
    layout: 'cga4',
    columns: 40,
    rows: 25,
    characterHeight: 8,
    base: 0xb8000,
    pageBytes: 0x4000,
    palette: 'cga',
    miscOutput: 0x63,
    sequencer: bytes('09 03 00 02'),
    crtc: crtc(narrow, '400', 0x14, 0, 0xa2, 'C1 00 00'),
    attribute: bytes('00 13 15 17 02 04 06 07 10 11 12 13 14 15 16 17 01 00 03 00'),
    graphics: bytes('00 00 00 00 00 30 0F 0F FF'),
  };
}

function planarMode(
  mode: number,
  columns: 40 | 80,
  lines: 200 | 350 | 480,
  palette: VideoMode['palette'],
  colours: string,
): VideoMode {
  const characterHeight = lines === 200 ? 8 : lines === 350 ? 14 : 16;
  return {
    mode,
    layout: 'planar',
    columns,
    rows: Math.floor(lines / characterHeight),
    characterHeight,
    base: 0xa0000,
    pageBytes: lines === 200 ? (columns === 40 ? 0x2000 : 0x4000) : lines === 350 ? 0x8000 : 0xa000,
    palette,
    miscOutput: lines === 200 ? 0x63 : lines === 350 ? 0xa3 : 0xe3,
    sequencer: bytes(columns === 40 ? '09 0F 00 06' : '01 0F 00 06'),
    crtc: crtc(
      columns === 40 ? narrow : wide,
      lines === 200 ? '400' : `${lines}`,
      columns === 40 ? 0x14 : 0x28,
      lines === 350 ? 0x0f : 0,
      0xe3,
      lines === 200 ? 'C0 00 00' : '40 00 00',
    ),
    attribute: bytes(colours),
    graphics: bytes(planarGraphics),
  };
}

const monochrome = '00 08 00 00 18 18 00 00 00 08 00 00 00 18 00 00 0B 00 05 00';
const blackAndWhite = '00 3F 3F 3F 3F 3F 3F 3F 3F 3F 3F 3F 3F 3F 3F 3F 01 00 0F 00';

const all: readonly VideoMode[] = [
  textMode(0, 40),
  textMode(1, 40),
  textMode(2, 80),
  textMode(3, 80),
  cga4Mode(4),
  cga4Mode(5),
  {
    ...cga4Mode(6),
    layout: 'cga2',
    columns: 80,
    sequencer: bytes('01 01 00 06'),
    crtc: crtc(wide, '400', 0x28, 0, 0xc2, 'C1 00 00'),
    attribute: bytes('00 17 17 17 17 17 17 17 17 17 17 17 17 17 17 17 01 00 01 00'),
    graphics: bytes('00 00 00 00 00 00 0D 0F FF'),
  },
  {
    ...textMode(7, 80),
    base: 0xb0000,
    palette: 'mono',
    miscOutput: 0x66,
    crtc: crtc(text80, '400', 0x28, 0x0f, 0xa3, textCells),
    attribute: bytes('00 08 08 08 08 08 08 08 10 18 18 18 18 18 18 18 0E 00 0F 08'),
    graphics: bytes('00 00 00 00 00 10 0A 0F FF'),
  },
  planarMode(0x0d, 40, 200, 'cga', `${cgaColours} 01 00 0F 00`),
  planarMode(0x0e, 80, 200, 'cga', `${cgaColours} 01 00 0F 00`),
  { ...planarMode(0x0f, 80, 350, 'mono', monochrome), miscOutput: 0xa2 },
  planarMode(0x10, 80, 350, 'ega', `${egaColours} 01 00 0F 00`),
  planarMode(0x11, 80, 480, 'ega', blackAndWhite),
  planarMode(0x12, 80, 480, 'ega', `${egaColours} 01 00 0F 00`),
  {
    mode: 0x13,
    layout: 'linear',
    columns: 40,
    rows: 25,
    characterHeight: 8,
    base: 0xa0000,
    pageBytes: 0x10000,
    palette: 'vga',
    miscOutput: 0x63,
    sequencer: bytes('01 0F 00 0E'),
    crtc: crtc(wide, '400', 0x28, 0x40, 0xa3, '41 00 00'),
    attribute: bytes('00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 41 00 0F 00'),
    graphics: bytes('00 00 00 00 00 40 05 0F FF'),
  },
];

/** The modes of a VGA by number: 0-7 and 0Dh-13h. */
export const videoModes: ReadonlyMap<number, VideoMode> = new Map(all.map((mode) => [mode.mode, mode]));
