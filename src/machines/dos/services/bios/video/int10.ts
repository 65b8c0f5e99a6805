import { hex } from '../../../../../formats/hex.ts';
import type { Guest } from '../../guest.ts';
import { bda } from '../data-area.ts';
import { type FunctionTable, quoted, rowByAh, type ServiceRow } from '../service-row.ts';
import { alternateSelect } from './alternate-select.ts';
import { fontFunctions } from './font-functions.ts';
import { displayCombination, functionality, videoState } from './information.ts';
import { paletteFunctions } from './palette-functions.ts';
import { readCharacter, scroll, teletype, writeCharacters } from './text-output.ts';
import { vbe } from './vbe.ts';
import type { VideoBios } from './video-bios.ts';

const lineFeed = 10;
/** As many characters as a line that scrolls the screen. */
const effortOfLine = 64;

const functions: FunctionTable<VideoBios> = [
  {
    number: 0x00,
    name: 'set mode',
    details: (g) => `${hex(g.al & 0x7f, 2)}h${g.al & 0x80 ? ' keeping memory' : ''}`,
    run(video, guest) {
      if (!video.setMode(guest.al)) return 'done';
      const mode = guest.al & 0x7f;
      guest.al = mode === 6 ? 0x3f : mode > 7 ? 0x20 : 0x30;
      return 'done';
    },
  },
  {
    number: 0x01,
    name: 'cursor shape',
    details: (g) => `lines ${g.ch & 0x1f}-${g.cl & 0x1f}${g.ch & 0x20 ? ' hidden' : ''}`,
    run: (video, guest) => {
      video.setCursorShape(guest.ch, guest.cl);
      return 'done';
    },
  },
  {
    number: 0x02,
    name: 'move cursor',
    details: (g) => `row ${g.dh} column ${g.dl} page ${g.bh}`,
    run: (video, guest) => {
      video.moveCursor(guest.bh, guest.dh, guest.dl);
      return 'done';
    },
  },
  {
    number: 0x03,
    name: 'read cursor',
    result: (g) => `row ${g.dh} column ${g.dl}, lines ${g.ch & 0x1f}-${g.cl & 0x1f}`,
    details: (g) => `page ${g.bh}`,
    run: (video, guest) => {
      const { row, column } = video.cursor(guest.bh);
      guest.dh = row;
      guest.dl = column;
      guest.cx = video.memory.read16(bda.cursorShape);
      return 'done';
    },
  },
  {
    number: 0x04,
    name: 'light pen',
    run: (_, guest) => {
      guest.ah = 0;
      return 'done';
    },
  },
  {
    number: 0x05,
    name: 'show page',
    details: (g) => `${g.al}`,
    run: (video, guest) => {
      video.showPage(guest.al);
      return 'done';
    },
  },
  { number: 0x06, name: 'scroll up', details: scrollDetails, run: (video, guest) => scrollWindow(video, guest, true) },
  {
    number: 0x07,
    name: 'scroll down',
    details: scrollDetails,
    run: (video, guest) => scrollWindow(video, guest, false),
  },
  {
    number: 0x08,
    name: 'read character',
    result: (g) => `${quoted(g.al)} attribute ${hex(g.ah, 2)}h`,
    details: (g) => `page ${g.bh}`,
    run: (video, guest) => {
      const { code, attribute } = readCharacter(video, guest.bh);
      guest.al = code;
      guest.ah = attribute;
      return 'done';
    },
  },
  {
    number: 0x09,
    name: 'write characters and attribute',
    details: (g) => `${quoted(g.al)} attribute ${hex(g.bl, 2)}h times ${g.cx} page ${g.bh}`,
    run: (video, guest) => writeCharacters(video, guest, guest.bh, guest.al, guest.bl),
  },
  {
    number: 0x0a,
    name: 'write characters',
    details: (g) => `${quoted(g.al)} times ${g.cx} page ${g.bh}`,
    run: (video, guest) => {
      const graphics = video.mode.layout !== 'text';
      return writeCharacters(video, guest, guest.bh, guest.al, graphics ? guest.bl : undefined);
    },
  },
  {
    number: 0x0b,
    name: 'set CGA colours',
    details: (g) => `${g.bh === 0 ? 'background' : 'palette'} ${g.bl}`,
    run: (video, guest) => {
      setCgaColours(video, guest.bh, guest.bl);
      return 'done';
    },
  },
  {
    number: 0x0c,
    name: 'write pixel',
    details: (g) => `(${g.cx}, ${g.dx}) colour ${g.al}`,
    run: (video, guest) => {
      if (video.mode.layout !== 'text') video.page(guest.bh).putPixel(guest.cx, guest.dx, guest.al);
      return 'done';
    },
  },
  {
    number: 0x0d,
    name: 'read pixel',
    result: (g) => `colour ${g.al}`,
    details: (g) => `(${g.cx}, ${g.dx})`,
    run: (video, guest) => {
      if (video.mode.layout !== 'text') guest.al = video.page(guest.bh).getPixel(guest.cx, guest.dx);
      return 'done';
    },
  },
  {
    number: 0x0e,
    name: 'teletype',
    details: (g) => quoted(g.al),
    run: (video, guest) => {
      const text = video.mode.layout === 'text';
      teletype(video, video.activePage, guest.al, text ? undefined : guest.bl);
      return 'done';
    },
  },
  {
    number: 0x0f,
    name: 'read mode',
    result: (g) => `${hex(g.al & 0x7f, 2)}h, ${g.ah} columns, page ${g.bh}`,
    run: (video, guest) => {
      guest.al = video.memory.read8(bda.videoMode) | (video.memory.read8(bda.videoOptions) & 0x80);
      guest.ah = video.columns;
      guest.bh = video.activePage;
      return 'done';
    },
  },
  { number: 0x10, ...paletteFunctions },
  { number: 0x11, ...fontFunctions },
  { number: 0x12, ...alternateSelect },
  {
    number: 0x13,
    name: 'write string',
    details: (g) => `${g.cx} characters at ${hex(g.es, 4)}:${hex(g.bp, 4)} row ${g.dh} column ${g.dl}`,
    run: writeString,
  },
  { number: 0x1a, ...displayCombination },
  { number: 0x1b, ...functionality },
  { number: 0x1c, ...videoState },
  { number: 0x4f, ...vbe },
];

/** INT 10h. */
export const videoService = (video: VideoBios): ServiceRow => rowByAh(0x10, 'video', video, functions, () => {});

function scrollDetails(g: Guest): string {
  const distance = g.al === 0 ? 'all' : `${g.al}`;
  return `${distance} rows ${g.ch}-${g.dh} columns ${g.cl}-${g.dl} attribute ${hex(g.bh, 2)}h`;
}

function scrollWindow(video: VideoBios, guest: Guest, up: boolean): 'done' {
  const window = { top: guest.ch, left: guest.cl, bottom: guest.dh, right: guest.dl };
  scroll(video, video.activePage, window, guest.al, up, guest.bh);
  return 'done';
}

/** What port 3D9h of a CGA did: background (and border), intensity, one of two palettes. */
function setCgaColours(video: VideoBios, what: number, value: number): void {
  const { memory, vga } = video;
  let colours = memory.read8(bda.cgaPalette);
  if (what === 0) {
    colours = (colours & 0xe0) | (value & 0x1f);
    const colour = (value & 7) | ((value & 8) << 1);
    if (video.mode.layout === 'cga2') vga.attribute(1, colour);
    else {
      if (video.mode.layout !== 'text') vga.attribute(0, colour);
      vga.attribute(0x11, colour);
    }
  } else colours = (colours & ~0x20) | ((value & 1) << 5);
  memory.write8(bda.cgaPalette, colours);
  if (video.mode.layout !== 'cga4') return;
  const intensity = colours & 0x10;
  for (let index = 1; index < 4; index++) vga.attribute(index, index * 2 + ((colours >> 5) & 1) + intensity);
}

function writeString(video: VideoBios, guest: Guest): 'done' | 'again' {
  const page = guest.bh;
  const pairs = (guest.al & 2) !== 0;
  const start = (guest.es << 4) + guest.bp;
  const { outcome, first } = video.writeMany(guest, page, guest.cx, (index, { done }) => {
    if (index === 0 && done === 0) video.moveCursor(page, guest.dh, guest.dl);
    const at = start + (pairs ? index * 2 : index);
    const code = video.memory.read8(at);
    teletype(video, page, code, pairs ? video.memory.read8(at + 1) : guest.bl);
    return code === lineFeed ? effortOfLine : 1;
  });
  if (outcome === 'done' && (guest.al & 1) === 0) video.moveCursor(page, first.row, first.column);
  return outcome;
}
