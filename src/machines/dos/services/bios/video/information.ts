import { bda } from '../data-area.ts';
import { romTables } from '../rom-layout.ts';
import type { FunctionRow } from '../service-row.ts';
import type { VideoBios } from './video-bios.ts';

const COLOUR_VGA = 8;

/** INT 10h AH=1Ah: a VGA with a colour monitor, and nothing else. */
export const displayCombination: FunctionRow<VideoBios> = {
  name: 'display combination',
  details: (g) => (g.al === 0 ? 'read' : 'set'),
  run(_, guest) {
    if (guest.al > 1) return 'done';
    if (guest.al === 0) guest.bx = COLOUR_VGA;
    guest.al = 0x1a;
    return 'done';
  },
};

/** INT 10h AH=1Bh: 64 bytes on what the adapter can do and is doing. */
export const functionality: FunctionRow<VideoBios> = {
  name: 'functionality and state',
  run({ memory, mode }, guest) {
    if (guest.bx !== 0) return 'done';
    const at = (guest.es << 4) + guest.di;
    memory.write(at, new Uint8Array(64));
    memory.write16(at, romTables.videoFunctionality);
    memory.write16(at + 2, 0xf000);
    memory.write(at + 4, memory.bytes(bda.videoMode, 30));
    memory.write8(at + 0x22, memory.read8(bda.lastRow) + 1);
    memory.write16(at + 0x23, memory.read16(bda.characterHeight));
    memory.write8(at + 0x25, COLOUR_VGA);
    const colours = {
      text: 16,
      cga4: 4,
      cga2: 2,
      planar: mode.mode === 0x11 || mode.mode === 0x0f ? 2 : 16,
      linear: 256,
    };
    memory.write16(at + 0x27, mode.palette === 'mono' ? 0 : colours[mode.layout]);
    const planes = mode.base === 0xa0000 && mode.layout === 'planar';
    memory.write8(
      at + 0x29,
      planes ? Math.max(1, Math.floor(0x10000 / mode.pageBytes)) : mode.layout === 'text' ? 8 : 1,
    );
    memory.write8(at + 0x2a, mode.crtc[6] === 0x0b ? 3 : mode.miscOutput >= 0xa0 ? 1 : mode.layout === 'text' ? 2 : 0);
    memory.write8(at + 0x2d, 0x21);
    memory.write8(at + 0x31, 3);
    guest.al = 0x1b;
    return 'done';
  },
};

const BLOCK_BYTES = 64;
const SAVED_BYTES = { hardware: 0x60, data: 0x60, dac: 0x310 } as const;

/** INT 10h AH=1Ch: the state of registers, data area and DAC, to a buffer and back. */
export const videoState: FunctionRow<VideoBios> = {
  name: 'save and restore state',
  details: (g) => ['size', 'save', 'restore'][g.al] ?? 'unknown',
  run(video, guest) {
    const parts = (['hardware', 'data', 'dac'] as const).filter((_, index) => (guest.cx & (1 << index)) !== 0);
    if (guest.al === 0) {
      const bytes = parts.reduce((sum, part) => sum + SAVED_BYTES[part], 0x20);
      guest.bx = Math.ceil(bytes / BLOCK_BYTES);
    } else {
      let at = (guest.es << 4) + guest.bx + 0x20;
      for (const part of parts) {
        if (guest.al === 1) save[part](video, at);
        else restore[part](video, at);
        at += SAVED_BYTES[part];
      }
    }
    guest.al = 0x1c;
    return 'done';
  },
};

type Part = keyof typeof SAVED_BYTES;

const save: Record<Part, (video: VideoBios, at: number) => void> = {
  hardware({ memory, vga }, at) {
    for (let i = 0; i < 5; i++) memory.write8(at + i, vga.readSequencer(i));
    for (let i = 0; i < 25; i++) memory.write8(at + 8 + i, vga.readCrtc(i));
    for (let i = 0; i < 21; i++) memory.write8(at + 40 + i, vga.readAttribute(i));
    for (let i = 0; i < 9; i++) memory.write8(at + 64 + i, vga.readGraphics(i));
    memory.write8(at + 80, vga.crtcPort === 0x3d4 ? 1 : 0);
  },
  data({ memory }, at) {
    memory.write(at, memory.bytes(bda.videoMode, 30));
    memory.write(at + 32, memory.bytes(bda.lastRow, 7));
    memory.write(at + 48, memory.bytes(0x43 * 4, 4));
    memory.write(at + 52, memory.bytes(0x1f * 4, 4));
  },
  dac({ memory, vga }, at) {
    for (let colour = 0; colour < 256; colour++) memory.write(at + colour * 3, Uint8Array.from(vga.readDac(colour)));
    memory.write8(at + 768, vga.dacMask);
  },
};

const restore: Record<Part, (video: VideoBios, at: number) => void> = {
  hardware({ memory, vga, mode }, at) {
    vga.miscOutput((mode.miscOutput & ~1) | memory.read8(at + 80));
    for (let i = 1; i < 5; i++) vga.sequencer(i, memory.read8(at + i));
    vga.crtc(0x11, 0);
    for (let i = 0; i < 25; i++) vga.crtc(i, memory.read8(at + 8 + i));
    for (let i = 0; i < 21; i++) vga.attribute(i, memory.read8(at + 40 + i));
    for (let i = 0; i < 9; i++) vga.graphics(i, memory.read8(at + 64 + i));
  },
  data({ memory }, at) {
    memory.write(bda.videoMode, memory.bytes(at, 30));
    memory.write(bda.lastRow, memory.bytes(at + 32, 7));
    memory.write(0x43 * 4, memory.bytes(at + 48, 4));
    memory.write(0x1f * 4, memory.bytes(at + 52, 4));
  },
  dac({ memory, vga }, at) {
    for (let colour = 0; colour < 256; colour++) {
      const [red = 0, green = 0, blue = 0] = memory.bytes(at + colour * 3, 3);
      vga.dac(colour, red, green, blue);
    }
    vga.dacMask = memory.read8(at + 768);
  },
};
