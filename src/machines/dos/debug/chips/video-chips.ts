import { fields as vgaFields } from '../../../../chips/vga/fields.ts';
import { svgaRegisters } from '../../../../chips/vga/svga.ts';
import { toCodePage } from '../../../../formats/code-page-437.ts';
import { hex } from '../../../../formats/hex.ts';
import { advice, call, MachineError } from '../../../../machine/errors.ts';
import type { DosSystem } from '../../board/dos-system.ts';
import type { InputEvent } from '../../machine/input-event.ts';
import { bda } from '../../services/bios/data-area.ts';
import { videoModes } from '../../services/bios/video/modes.ts';
import { currentMode } from '../../services/bios/video/vbe.ts';
import type { VbeMode } from '../../services/bios/video/vbe-modes.ts';
import type { VideoBios } from '../../services/bios/video/video-bios.ts';
import { type ChipView, numberIn, onOff, type View, type Wanted } from './chip-view.ts';

const pages = 8;
const keepMemory = 0x80;
/** More than any mode has. */
const mostCells = 0x10000;
const mostPixels = 1280 * 1024;
const mostCharacters = 2000;
const cellWidth = 8;

/** The VGA's registers, and the screen as the BIOS has it. */
export function videoChips(system: DosSystem): readonly ChipView[] {
  const { video } = system.bios;
  return [
    {
      name: 'vga',
      description: 'video registers',
      parts: [
        { name: 'registers', description: 'all of them, as they were last written', read: () => registers(system) },
        { name: 'state', description: 'what they mean', read: () => state(system) },
        {
          name: 'palette',
          description: 'the 16 colours of the attribute controller and the 256 of the DAC',
          read: () => palette(system),
        },
      ],
    },
    {
      name: 'video',
      description: 'the screen as the BIOS has it (INT 10h)',
      parts: [
        {
          name: 'mode',
          description: 'mode, columns, rows, pages; {"mode":19} sets one, "keep":1 leaves the memory',
          writable: ['mode', 'keep', 'page'],
          read: () => mode(system),
          write: (_, wanted) => setMode(wanted),
        },
        {
          name: 'cursor',
          description: 'the cursor of each page',
          count: pages,
          writable: ['x', 'y'],
          read: (page) => cursor(video, page),
          write: (page, wanted) => moveCursor(video, page, wanted),
        },
        {
          name: 'text',
          description: 'the active page; "text" is written at its cursor, as by a teletype',
          writable: ['text'],
          texts: ['text'],
          read: () => text(system),
          write: (_, wanted) => print(wanted),
        },
        {
          name: 'character',
          description: 'one cell: index (page x rows + y) x columns + x',
          count: mostCells,
          read: (index) => character(system, index),
        },
        {
          name: 'pixel',
          description: 'of a graphics mode: index y x width + x',
          count: mostPixels,
          writable: ['colour'],
          read: (index) => pixel(system, index),
          write: (index, wanted) => putPixel(video, index, wanted),
        },
      ],
    },
  ];
}

function registers({ board }: DosSystem): View {
  const { vga } = board.parts;
  const file = (first: number, count: number) => Array.from(vga.subarray(first, first + count));
  return {
    lines: board.vga.describe(),
    numbers: {
      misc_output: vga[vgaFields.miscOutput] ?? 0,
      sequencer: file(vgaFields.sequencer, 5),
      crtc: file(vgaFields.crtc, 25),
      graphics: file(vgaFields.graphics, 9),
      attribute: file(vgaFields.attribute, 21),
      dac_mask: vga[vgaFields.dacMask] ?? 0,
    },
  };
}

function state({ board }: DosSystem): View {
  const { vga } = board.parts;
  const [seq, gfx, attribute, crtc] = [vgaFields.sequencer, vgaFields.graphics, vgaFields.attribute, vgaFields.crtc];
  const word = (index: number) => vga[index] ?? 0;
  const { width, height } = board.vga.picture();
  const numbers = {
    width,
    height,
    graphics: (word(attribute + 0x10) & 1) !== 0,
    chain4: (word(seq + 4) & 8) !== 0,
    odd_even: (word(seq + 4) & 4) === 0,
    map_mask: word(seq + 2),
    read_map: word(gfx + 4),
    read_mode: (word(gfx + 5) >> 3) & 1,
    write_mode: word(gfx + 5) & 3,
    bit_mask: word(gfx + 8),
    set_reset: word(gfx),
    enable_set_reset: word(gfx + 1),
    function: ['replace', 'and', 'or', 'xor'][(word(gfx + 3) >> 3) & 3] ?? '',
    rotate: word(gfx + 3) & 7,
    window: ['A0000-BFFFF', 'A0000-AFFFF', 'B0000-B7FFF', 'B8000-BFFFF'][(word(gfx + 6) >> 2) & 3] ?? '',
    start_address: (word(crtc + 0x0c) << 8) | word(crtc + 0x0d),
    row_bytes: word(crtc + 0x13) * 2,
    line_compare: word(crtc + 0x18) | ((word(crtc + 7) & 0x10) << 4) | ((word(crtc + 9) & 0x40) << 3),
    panning: word(attribute + 0x13) & 15,
    scan_lines_per_row: (word(crtc + 9) & 0x1f) + 1,
    cursor_address: (word(crtc + 0x0e) << 8) | word(crtc + 0x0f),
    blinking: (word(attribute + 0x10) & 8) !== 0,
    retrace: (board.peekPort((word(vgaFields.miscOutput) & 1) !== 0 ? 0x3da : 0x3ba) & 8) !== 0,
    frame: board.vga.frame(),
  };
  const n = numbers;
  return {
    lines: [
      `${width}x${height} ${n.graphics ? 'graphics' : 'text'}, ${n.chain4 ? 'chain 4' : n.odd_even ? 'odd/even' : 'planar'}, window ${n.window}`,
      `writes: mode ${n.write_mode}, planes ${n.map_mask.toString(2).padStart(4, '0')}, bit mask ${hex(n.bit_mask, 2)}h, ${n.function}, rotate ${n.rotate}, set/reset ${hex(n.set_reset, 1)}h of ${hex(n.enable_set_reset, 1)}h`,
      `reads: mode ${n.read_mode}, plane ${n.read_map}`,
      `picture: from ${hex(n.start_address, 4)}h, ${n.row_bytes} address units a row, ${n.scan_lines_per_row} scan lines a row, split at line ${n.line_compare}, panning ${n.panning}`,
      `cursor at ${hex(n.cursor_address, 4)}h, blinking ${onOff(n.blinking)}, frame ${n.frame}, ${n.retrace ? 'in' : 'not in'} vertical retrace`,
    ],
    numbers,
  };
}

function palette({ board }: DosSystem): View {
  const { vga } = board.parts;
  const attribute = Array.from(vga.subarray(vgaFields.attribute, vgaFields.attribute + 16));
  const dac = Array.from({ length: 256 }, (_, colour) =>
    Array.from(vga.subarray(vgaFields.dac + colour * 3, vgaFields.dac + colour * 3 + 3), (part) => hex(part, 2)).join(
      '',
    ),
  );
  const rows = Array.from(
    { length: 16 },
    (_, row) => `${hex(row * 16, 2)}: ${dac.slice(row * 16, row * 16 + 16).join(' ')}`,
  );
  return {
    lines: [
      `attribute ${attribute.map((colour) => hex(colour, 2)).join(' ')}, mask ${hex(vga[vgaFields.dacMask] ?? 0, 2)}h`,
      'DAC, red green blue of six bits each:',
      ...rows,
    ],
    numbers: { attribute, dac, mask: vga[vgaFields.dacMask] ?? 0 },
  };
}

function mode({ board, bios: { video } }: DosSystem): View {
  const vesa = currentMode(video);
  if (vesa) return vesaMode(video, vesa);
  const number = board.memory.peek8(bda.videoMode);
  const { columns, rows, activePage: page } = video;
  const { layout, pageBytes, base } = video.mode;
  const { width, height } = board.vga.picture();
  return {
    lines: [
      `mode ${hex(number, 2)}h, ${layout}, ${columns}x${rows} characters of ${video.characterHeight} lines, ${width}x${height}, page ${page}, memory at ${hex(base, 5)}`,
    ],
    numbers: {
      mode: number,
      layout,
      columns,
      rows,
      character_height: video.characterHeight,
      page,
      page_bytes: pageBytes,
      base,
      width,
      height,
    },
  };
}

function vesaMode({ vga, columns, rows }: VideoBios, { number, width, height, bits }: VbeMode): View {
  const [pitch, bank] = [vga.readSvga(svgaRegisters.pitch), vga.readSvga(svgaRegisters.bank)];
  const [x, y] = [vga.readSvga(svgaRegisters.startX), vga.readSvga(svgaRegisters.startY)];
  const layout = bits === 4 ? 'planar' : 'packed';
  return {
    lines: [
      `VESA mode ${hex(number, 3)}h, ${layout}, ${width}x${height} of ${bits} bits, ${pitch} bytes a line, shown from (${x}, ${y}), bank ${bank}`,
    ],
    numbers: { mode: number, layout, columns, rows, width, height, bits, pitch, bank, start_x: x, start_y: y },
  };
}

function setMode(wanted: Wanted): readonly InputEvent[] {
  const number = numberIn(wanted, 'mode', 0x7f);
  const keep = numberIn(wanted, 'keep', 1) ?? 0;
  const page = numberIn(wanted, 'page', pages - 1);
  if (number !== undefined && !videoModes.has(number)) {
    const known = [...videoModes.keys()].map((each) => `${each}`).join(', ');
    throw new MachineError('INVALID_ARGUMENT', `The BIOS has no mode ${number}.`, `Modes: ${known}.`);
  }
  return [
    ...(number === undefined ? [] : [{ type: 'videoMode', mode: number | (keep ? keepMemory : 0) } as const]),
    ...(page === undefined ? [] : [{ type: 'page', page } as const]),
  ];
}

function cursor(video: VideoBios, page: number): View {
  const { row, column } = video.cursor(page);
  const shape = video.memory.read16(bda.cursorShape);
  const [first, last] = [(shape >> 8) & 0x1f, shape & 0x1f];
  const hidden = (shape & 0x2000) !== 0;
  return {
    lines: [`page ${page}: column ${column}, row ${row}, lines ${first}-${last}${hidden ? ', hidden' : ''}`],
    numbers: { x: column, y: row, first_line: first, last_line: last, hidden, active: page === video.activePage },
  };
}

function moveCursor(video: VideoBios, page: number, wanted: Wanted): readonly InputEvent[] {
  const now = video.cursor(page);
  const column = numberIn(wanted, 'x', video.columns - 1) ?? now.column;
  const row = numberIn(wanted, 'y', video.rows - 1) ?? now.row;
  return [{ type: 'cursor', page, row, column }];
}

function text({ board }: DosSystem): View {
  const shown = board.vga.text();
  if (!shown) return { lines: ['a graphics mode: no characters are kept'] };
  const rows = Array.from({ length: shown.rows }, (_, row) =>
    Array.from(shown.codes.subarray(row * shown.columns, (row + 1) * shown.columns), (code) =>
      code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : code === 0 ? ' ' : '.',
    )
      .join('')
      .trimEnd(),
  );
  return { lines: rows, numbers: { columns: shown.columns, rows: shown.rows } };
}

function print(wanted: Wanted): readonly InputEvent[] {
  const written = String(wanted.text ?? '');
  if (written.length > mostCharacters) {
    const message = `${written.length} characters are too many at once.`;
    throw new MachineError('LIMIT_REACHED', message, `Write up to ${mostCharacters}.`);
  }
  const codes = [...written.replaceAll(/\r?\n/g, '\r\n')].map((character) => {
    const code = /^[\r\n\b\t]$/.test(character) ? character : toCodePage(character);
    if (code !== undefined) return code.charCodeAt(0);
    const shown = JSON.stringify(character);
    throw new MachineError('INVALID_ARGUMENT', `Code page 437 has no ${shown}.`, 'Leave it out or write another.');
  });
  return [{ type: 'print', codes }];
}

function character({ board, bios: { video } }: DosSystem, index: number): View {
  const { columns, rows } = video;
  const [x, y] = [index % columns, Math.floor(index / columns) % rows];
  const page = Math.floor(index / columns / rows);
  if (page >= pages || video.mode.layout !== 'text') return { lines: ['no cell of a text mode'] };
  const at = video.cellAddress(page, y, x);
  const [code, attribute] = [board.memory.peek8(at), board.memory.peek8(at + 1)];
  return {
    lines: [`page ${page}, column ${x}, row ${y}: code ${hex(code, 2)}h, attribute ${hex(attribute, 2)}h`],
    numbers: { page, x, y, code, attribute },
  };
}

function placeOf(video: VideoBios, index: number): { readonly x: number; readonly y: number } | undefined {
  const { layout, columns, rows, characterHeight } = video.mode;
  const width = columns * cellWidth;
  const [x, y] = [index % width, Math.floor(index / width)];
  return layout === 'text' || y >= rows * characterHeight ? undefined : { x, y };
}

/** As it is on the screen: the number of a colour, or what of red, green and blue where pixels have no numbers. */
function vesaPixel({ board }: DosSystem, { width, height }: VbeMode, index: number): View {
  const [x, y] = [index % width, Math.floor(index / width)];
  if (y >= height) return { lines: ['no pixel of this mode'] };
  const picture = board.vga.picture();
  if ('pixels' in picture) {
    const colour = picture.pixels[index] ?? 0;
    return { lines: [`(${x}, ${y}): colour ${colour}`], numbers: { x, y, colour } };
  }
  const [red = 0, green = 0, blue = 0] = picture.rgb.subarray(3 * index);
  return {
    lines: [`(${x}, ${y}): red ${red}, green ${green}, blue ${blue} of 255`],
    numbers: { x, y, red, green, blue },
  };
}

function pixel(system: DosSystem, index: number): View {
  const { board, bios } = system;
  const { video } = bios;
  const vesa = currentMode(video);
  if (vesa) return vesaPixel(system, vesa, index);
  const place = placeOf(video, index);
  if (!place) return { lines: ['no pixel of a graphics mode of the BIOS'] };
  const colour = board.undisturbed(() => video.page(video.activePage).getPixel(place.x, place.y));
  return { lines: [`(${place.x}, ${place.y}): colour ${colour}`], numbers: { ...place, colour } };
}

function putPixel(video: VideoBios, index: number, wanted: Wanted): readonly InputEvent[] {
  if (currentMode(video)) {
    throw new MachineError(
      'INVALID_ARGUMENT',
      'The BIOS puts no pixels in VESA modes.',
      advice`Write to the memory that is shown: ${call('chip_read', { chip: 'video', part: 'mode' })} tells how it lies.`,
    );
  }
  const place = placeOf(video, index);
  const colour = numberIn(wanted, 'colour', 0xff);
  if (place && colour !== undefined) return [{ type: 'pixel', ...place, colour }];
  throw new MachineError('INVALID_ARGUMENT', 'No pixel there in this mode.', 'Set a graphics mode, and give "colour".');
}
