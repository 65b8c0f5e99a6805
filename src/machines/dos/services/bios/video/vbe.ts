import { memoryBytes } from '../../../../../chips/vga/fields.ts';
import { svgaRegisters as registers } from '../../../../../chips/vga/svga.ts';
import { hex } from '../../../../../formats/hex.ts';
import type { Guest } from '../../guest.ts';
import { bda } from '../data-area.ts';
import type { FunctionRow } from '../service-row.ts';
import { videoState } from './information.ts';
import { writeInformation, writeModeInformation } from './vbe-information.ts';
import { hasLinearBuffer, lineBytes, type VbeMode, vbeModes } from './vbe-modes.ts';
import type { VideoBios } from './video-bios.ts';

const done = 0x004f;
const failed = 0x014f;
const keepMemory = 0x8000;
const linearWanted = 0x4000;
const numberBits = 0x1ff;
const windowBytes = 0x10000;
const modeOn = 1;
const wideDac = 0x20;
const leaveMemory = 0x80;
/** The VGA mode whose timing those of VESA keep, and what INT 10h AH=0Fh says. */
const timingMode = 0x12;
const svgaStateBytes = 64;

const names = [
  'information',
  'mode information',
  'set mode',
  'get mode',
  'save or restore state',
  'window',
  'line length',
  'display start',
  'DAC width',
  'palette',
];

type Action = (video: VideoBios, guest: Guest) => boolean;

/** Function 4Fh by AL. */
const actions: readonly Action[] = [
  (video, guest) => writeInformation(video, (guest.es << 4) + guest.di),
  (video, guest) => writeModeInformation(video, guest.cx & numberBits, (guest.es << 4) + guest.di),
  (video, guest) => setMode(video, guest.bx),
  (video, guest) => {
    guest.bx = currentNumber(video);
    return true;
  },
  state,
  window,
  lineLength,
  displayStart,
  dacWidth,
  paletteData,
];

/** VESA BIOS extension 2.0. */
export const vbe: FunctionRow<VideoBios> = {
  name: 'VESA',
  details: (g) => `${names[g.al] ?? 'unknown'} bx=${hex(g.bx, 4)}h cx=${hex(g.cx, 4)}h dx=${hex(g.dx, 4)}h`,
  run(video, guest) {
    guest.ax = actions[guest.al]?.(video, guest) ? done : failed;
    return 'done';
  },
};

export function currentMode({ vga }: VideoBios): VbeMode | undefined {
  return (vga.readSvga(registers.enable) & 1) !== 0
    ? vbeModes.get(vga.readSvga(registers.scratch) & numberBits)
    : undefined;
}

function currentNumber(video: VideoBios): number {
  if (currentMode(video) !== undefined) return video.vga.readSvga(registers.scratch);
  return video.memory.read8(bda.videoMode) | ((video.memory.read8(bda.videoOptions) & 0x80) << 8);
}

function setMode(video: VideoBios, wanted: number): boolean {
  const { vga, memory } = video;
  const number = wanted & numberBits;
  const keep = (wanted & keepMemory) !== 0;
  const linear = wanted & linearWanted;
  if (number < 0x100) return linear === 0 && video.setMode(number | (keep ? 0x80 : 0));
  const mode = vbeModes.get(number);
  if (mode === undefined || (linear !== 0 && !hasLinearBuffer(mode))) return false;
  video.setMode(timingMode | 0x80);
  if (mode.bits === 8) video.loadPalette(0x13);
  vga.svga(registers.width, mode.width);
  vga.svga(registers.height, mode.height);
  vga.svga(registers.bits, mode.bits);
  vga.svga(registers.pitch, lineBytes(mode.bits, mode.width));
  vga.svga(registers.startX, 0);
  vga.svga(registers.startY, 0);
  vga.svga(registers.scratch, number | linear | (wanted & keepMemory));
  vga.svga(registers.enable, keep ? modeOn | leaveMemory : modeOn);
  vga.svga(registers.bank, 0);
  memory.write16(bda.columns, mode.width >> 3);
  memory.write8(bda.lastRow, (mode.height >> 4) - 1);
  return true;
}

/** As function 1Ch, with this card's own registers after what that saves. */
function state(video: VideoBios, guest: Guest): boolean {
  const what = guest.dl;
  if (what > 2) return false;
  const { vga, memory } = video;
  const all = Object.values(registers);
  const own = (guest.es << 4) + guest.bx;
  const { ax, bx } = guest;
  if (what === 2) for (const register of all) vga.svga(register, 0);
  guest.al = what;
  if (what !== 0) guest.bx = bx + svgaStateBytes;
  videoState.run(video, guest);
  guest.ax = ax;
  if (what === 0) guest.bx += svgaStateBytes / 64;
  else guest.bx = bx;
  if (what === 1) for (const register of all) memory.write16(own + register * 2, vga.readSvga(register));
  if (what === 2)
    for (const register of all) {
      const leave = register === registers.enable ? leaveMemory : 0;
      vga.svga(register, memory.read16(own + register * 2) | leave);
    }
  return true;
}

function window({ vga }: VideoBios, guest: Guest): boolean {
  if (guest.bl !== 0 || guest.bh > 1) return false;
  if (guest.bh === 1) guest.dx = vga.readSvga(registers.bank);
  else if (guest.dx * windowBytes >= memoryBytes) return false;
  else vga.svga(registers.bank, guest.dx);
  return true;
}

/** By pixels, by bytes, or the longest that there may be. */
function lineLength(video: VideoBios, guest: Guest): boolean {
  const mode = currentMode(video);
  if (mode === undefined || guest.bl > 3) return false;
  const { vga } = video;
  const memory = mode.bits === 4 ? memoryBytes / 4 : memoryBytes;
  const each = mode.bits === 4 ? 1 : (mode.bits + 7) >> 3;
  const most = Math.min(0xffff, Math.floor(memory / mode.height));
  if (guest.bl === 0 || guest.bl === 2) {
    const bytes = guest.bl === 2 ? Math.ceil(guest.cx / each) * each : lineBytes(mode.bits, (guest.cx + 7) & ~7);
    if (bytes < lineBytes(mode.bits, mode.width) || bytes > most) return false;
    vga.svga(registers.pitch, bytes);
  }
  const pitch = guest.bl === 3 ? most - (most % each) : vga.readSvga(registers.pitch);
  guest.bx = pitch;
  guest.cx = mode.bits === 4 ? pitch * 8 : Math.floor(pitch / each);
  guest.dx = Math.min(0xffff, Math.floor(memory / pitch));
  return true;
}

/** Bit 7 of BL waits for a retrace, which has no length for those who are called here. */
function displayStart(video: VideoBios, guest: Guest): boolean {
  const mode = currentMode(video);
  const action = guest.bl & 0x7f;
  if (mode === undefined || action > 1) return false;
  const { vga } = video;
  if (action === 1) {
    guest.bh = 0;
    guest.cx = vga.readSvga(registers.startX);
    guest.dx = vga.readSvga(registers.startY);
    return true;
  }
  const memory = mode.bits === 4 ? memoryBytes / 4 : memoryBytes;
  if ((guest.dx + mode.height) * vga.readSvga(registers.pitch) > memory) return false;
  vga.svga(registers.startX, guest.cx);
  vga.svga(registers.startY, guest.dx);
  return true;
}

function dacWidth({ vga }: VideoBios, guest: Guest): boolean {
  if (guest.bl > 1) return false;
  const enable = vga.readSvga(registers.enable);
  if (guest.bl === 0)
    vga.svga(registers.enable, guest.bh >= 8 ? enable | leaveMemory | wideDac : (enable | leaveMemory) & ~wideDac);
  guest.bh = (vga.readSvga(registers.enable) & wideDac) !== 0 ? 8 : 6;
  return true;
}

/** Four bytes a colour: blue, green, red and one that is not used. */
function paletteData({ vga, memory }: VideoBios, guest: Guest): boolean {
  const action = guest.bl & 0x7f;
  if (action > 1 || guest.dx + guest.cx > 256) return false;
  const place = (guest.es << 4) + guest.di;
  for (let i = 0; i < guest.cx; i++) {
    const at = place + i * 4;
    if (action === 0) vga.dac(guest.dx + i, memory.read8(at + 2), memory.read8(at + 1), memory.read8(at));
    else {
      const [red, green, blue] = vga.readDac(guest.dx + i);
      memory.write(at, Uint8Array.of(blue, green, red, 0));
    }
  }
  return true;
}
