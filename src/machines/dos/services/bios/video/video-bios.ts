import { svgaRegisters } from '../../../../../chips/vga/svga.ts';
import type { Guest, GuestMemory } from '../../guest.ts';
import type { Hardware } from '../bios-wires.ts';
import { bda, vectorAddress } from '../data-area.ts';
import { font8, font14, font16 } from '../font/fonts.ts';
import { romFonts } from '../rom-layout.ts';
import { loadGlyphs } from './character-generator.ts';
import { GraphicsPage } from './graphics-characters.ts';
import { type VideoMode, videoModes } from './modes.ts';
import { paletteOf } from './palettes.ts';
import { VgaPorts } from './vga-ports.ts';

const text80 = videoModes.get(3) as VideoMode;

/** How far a call has come that writes more characters than are written in one go. */
export interface WritingProgress {
  /** ss:sp of the caller. */
  readonly stack: number;
  readonly done: number;
  /** Where the cursor was. */
  readonly row: number;
  readonly column: number;
}

/** Characters in one go: a line feed that scrolls a picture costs as much as hundreds of others. */
const effortInOneGo = 512;
const blank = 0x20;
const whiteOnBlack = 7;

/** The video BIOS: what INT 10h does, on the registers of the VGA and the words of the data area. It holds nothing else. */
export class VideoBios {
  readonly memory: GuestMemory;
  readonly vga: VgaPorts;
  /** Of the call under way, if one is. */
  writing: WritingProgress | undefined;

  constructor({ memory, ports }: Hardware) {
    this.memory = memory;
    this.vga = new VgaPorts(ports);
  }

  get mode(): VideoMode {
    return videoModes.get(this.memory.read8(bda.videoMode) & 0x7f) ?? text80;
  }

  get columns(): number {
    return this.memory.read16(bda.columns);
  }

  get rows(): number {
    return this.memory.read8(bda.lastRow) + 1;
  }

  get characterHeight(): number {
    return this.memory.read16(bda.characterHeight);
  }

  get activePage(): number {
    return this.memory.read8(bda.activePage);
  }

  /** Writes characters, as many as can be in one go. `write` says what each has cost. */
  writeMany(
    { ss, sp }: Guest,
    page: number,
    count: number,
    write: (index: number, first: WritingProgress) => number,
  ): { readonly outcome: 'done' | 'again'; readonly first: WritingProgress } {
    const stack = ((ss << 16) | sp) >>> 0;
    const first = this.writing?.stack === stack ? this.writing : { stack, done: 0, ...this.cursor(page) };
    this.writing = undefined;
    let effort = 0;
    for (let index = first.done; index < count; index++) {
      if (effort >= effortInOneGo) {
        this.writing = { ...first, done: index };
        return { outcome: 'again', first };
      }
      effort += write(index, first);
    }
    return { outcome: 'done', first };
  }

  /** False where there is no such mode. With bit 7 the memory is left as it is. */
  setMode(number: number): boolean {
    const mode = videoModes.get(number & 0x7f);
    if (mode === undefined) return false;
    const { memory } = this;
    const keep = (number & 0x80) !== 0;
    this.#program(mode);
    if (!keep) this.#clearMemory(mode);
    if (mode.layout === 'text') this.loadRomFont(16, 0);
    this.#setGraphicsFont(mode);
    memory.write8(bda.videoMode, mode.mode);
    memory.write16(bda.columns, mode.columns);
    memory.write16(bda.pageBytes, mode.pageBytes);
    memory.write16(bda.pageStart, 0);
    for (let page = 0; page < 8; page++) memory.write16(bda.cursors + page * 2, 0);
    memory.write16(bda.cursorShape, mode.mode === 7 ? 0x0b0c : 0x0607);
    memory.write8(bda.activePage, 0);
    memory.write16(bda.crtcPort, this.vga.crtcPort);
    memory.write8(bda.videoControl, [0x2c, 0x28, 0x2d, 0x29, 0x2a, 0x2e, 0x1e, 0x29][mode.mode] ?? 0x29);
    memory.write8(bda.cgaPalette, mode.mode === 6 ? 0x3f : 0x30);
    memory.write8(bda.lastRow, mode.rows - 1);
    memory.write16(bda.characterHeight, mode.characterHeight);
    memory.write8(bda.videoOptions, 0x60 | (keep ? 0x80 : 0));
    memory.write8(bda.videoSwitches, 0xf9);
    memory.write8(bda.videoFlags, (memory.read8(bda.videoFlags) & 0x8a) | 0x11);
    memory.write8(bda.displayCombination, 0x0b);
    return true;
  }

  #program(mode: VideoMode): void {
    const { vga } = this;
    vga.svga(svgaRegisters.enable, 0);
    vga.svga(svgaRegisters.bank, 0);
    vga.miscOutput(mode.miscOutput);
    vga.sequencer(0, 1);
    mode.sequencer.forEach((value, index) => {
      vga.sequencer(index + 1, value);
    });
    vga.sequencer(0, 3);
    vga.crtc(0x11, 0);
    mode.crtc.forEach((value, index) => {
      vga.crtc(index, value);
    });
    mode.graphics.forEach((value, index) => {
      vga.graphics(index, value);
    });
    mode.attribute.forEach((value, index) => {
      vga.attribute(index, value);
    });
    vga.attribute(0x14, 0);
    vga.dacMask = 0xff;
    // Bit 3 of the flags: programs asked to have their colours left alone.
    if ((this.memory.read8(bda.videoFlags) & 8) === 0) this.loadPalette(mode.mode);
  }

  /** The colours that a mode starts with. */
  loadPalette(number: number): void {
    const { vga } = this;
    const palette = paletteOf(videoModes.get(number) ?? text80);
    for (let colour = 0; colour * 3 < palette.length; colour++) {
      const [red = 0, green = 0, blue = 0] = palette.subarray(colour * 3);
      vga.dac(colour, red, green, blue);
    }
    for (let colour = palette.length / 3; colour < 256; colour++) vga.dac(colour, 0, 0, 0);
  }

  #clearMemory(mode: VideoMode): void {
    const isText = mode.layout === 'text';
    const bytes = new Uint8Array(isText || mode.base === 0xb8000 ? 0x8000 : 0x10000);
    if (isText) for (let at = 0; at < bytes.length; at++) bytes[at] = at & 1 ? whiteOnBlack : blank;
    this.memory.write(mode.base, bytes);
  }

  #setGraphicsFont(mode: VideoMode): void {
    const upper = vectorAddress(0x1f);
    this.memory.write16(upper, romFonts.upper8);
    this.memory.write16(upper + 2, 0xf000);
    const offset = { 8: romFonts.font8, 14: romFonts.font14, 16: romFonts.font16 }[mode.characterHeight];
    this.memory.write16(vectorAddress(0x43), offset);
    this.memory.write16(vectorAddress(0x43) + 2, 0xf000);
  }

  /** Into the character generator; the caller sets the height of lines. */
  loadRomFont(height: 8 | 14 | 16, block: number): void {
    const font = { 8: font8, 14: font14, 16: font16 }[height];
    loadGlyphs(this.vga, this.memory, font.bytes, height, 0, block);
  }

  loadUserFont(glyphs: Uint8Array, height: number, first: number, block: number): void {
    loadGlyphs(this.vga, this.memory, glyphs, height, first, block);
  }

  /** As many rows as fit on the screen, each of this height. */
  setTextHeight(height: number): void {
    const { memory, vga } = this;
    const overflow = vga.readCrtc(7);
    const lines = (vga.readCrtc(0x12) | ((overflow & 2) << 7) | ((overflow & 0x40) << 3)) + 1;
    vga.crtc(9, (vga.readCrtc(9) & ~0x1f) | (height - 1));
    const rows = Math.floor(lines / height);
    memory.write8(bda.lastRow, rows - 1);
    memory.write16(bda.characterHeight, height);
    memory.write16(bda.pageBytes, (rows * this.columns * 2 + 0xff) & ~0xff);
    this.setCursorShape(0x06, 0x07);
  }

  /** Shapes for eight lines are scaled to the cell, as programs for the CGA expect. */
  setCursorShape(start: number, end: number): void {
    const { memory, vga } = this;
    memory.write16(bda.cursorShape, (start << 8) | end);
    const height = this.characterHeight;
    let first = start & 0x1f;
    let last = end & 0x1f;
    const emulates = (memory.read8(bda.videoOptions) & 1) === 0;
    if (emulates && height > 8 && last <= 7 && first <= last && (start & 0x20) === 0) {
      const bottom = last >= 6;
      const span = last - first;
      last = bottom ? height - 2 : Math.floor(((last + 1) * height) / 8) - 1;
      first = bottom && span < 3 ? last - span : Math.floor((first * height) / 8);
    }
    vga.crtc(0x0a, (start & 0x20) | first);
    vga.crtc(0x0b, last);
  }

  cursor(page: number): { readonly row: number; readonly column: number } {
    const word = this.memory.read16(bda.cursors + (page & 7) * 2);
    return { row: word >> 8, column: word & 0xff };
  }

  moveCursor(page: number, row: number, column: number): void {
    this.memory.write16(bda.cursors + (page & 7) * 2, ((row & 0xff) << 8) | (column & 0xff));
    if (page !== this.activePage) return;
    const at = (this.memory.read16(bda.pageStart) >> 1) + row * this.columns + column;
    this.vga.crtc(0x0e, (at >> 8) & 0xff);
    this.vga.crtc(0x0f, at & 0xff);
  }

  showPage(page: number): void {
    const { memory, vga } = this;
    const start = page * memory.read16(bda.pageBytes);
    memory.write8(bda.activePage, page);
    memory.write16(bda.pageStart, start);
    const address = this.mode.layout === 'text' ? start >> 1 : start;
    vga.crtc(0x0c, (address >> 8) & 0xff);
    vga.crtc(0x0d, address & 0xff);
    const { row, column } = this.cursor(page);
    this.moveCursor(page, row, column);
  }

  page(page: number): GraphicsPage {
    return new GraphicsPage(this.memory, this.vga, this.mode, page);
  }

  cellAddress(page: number, row: number, column: number): number {
    return this.mode.base + page * this.memory.read16(bda.pageBytes) + (row * this.columns + column) * 2;
  }

  /** The glyph that graphics modes draw: from the tables that INT 43h and, for codes above 7Fh of the CGA, 1Fh point to. */
  glyph(code: number): Uint8Array {
    const { memory } = this;
    const height = this.characterHeight;
    const upper = code >= 0x80 && (this.mode.layout === 'cga4' || this.mode.layout === 'cga2');
    const vector = vectorAddress(upper ? 0x1f : 0x43);
    const table = (memory.read16(vector + 2) << 4) + memory.read16(vector);
    return memory.bytes(table + (upper ? code - 0x80 : code) * height, height);
  }
}
