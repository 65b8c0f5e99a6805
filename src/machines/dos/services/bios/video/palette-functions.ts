import { hex } from '../../../../../formats/hex.ts';
import type { Guest } from '../../guest.ts';
import type { FunctionRow } from '../service-row.ts';
import type { VideoBios } from './video-bios.ts';

const names: ReadonlyMap<number, string> = new Map([
  [0x00, 'set palette register'],
  [0x01, 'set border'],
  [0x02, 'set palette and border'],
  [0x03, 'blink or intensity'],
  [0x07, 'read palette register'],
  [0x08, 'read border'],
  [0x09, 'read palette and border'],
  [0x10, 'set DAC colour'],
  [0x12, 'set DAC colours'],
  [0x13, 'select DAC page'],
  [0x15, 'read DAC colour'],
  [0x17, 'read DAC colours'],
  [0x18, 'set DAC mask'],
  [0x19, 'read DAC mask'],
  [0x1a, 'read DAC page'],
  [0x1b, 'DAC colours to grey'],
]);

/** INT 10h AH=10h. */
export const paletteFunctions: FunctionRow<VideoBios> = {
  name: 'palette',
  details: (g) => `al=${hex(g.al, 2)} ${names.get(g.al) ?? 'unknown'} bx=${hex(g.bx, 4)}`,
  run(video, guest) {
    if (guest.al < 0x10) attributeFunction(video, guest);
    else dacFunction(video, guest);
    return 'done';
  },
};

function attributeFunction(video: VideoBios, guest: Guest): void {
  const { memory, vga } = video;
  const table = (guest.es << 4) + guest.dx;
  switch (guest.al) {
    case 0x00:
      if (guest.bl < 0x15) vga.attribute(guest.bl, guest.bh);
      break;
    case 0x01:
      vga.attribute(0x11, guest.bh);
      break;
    case 0x02:
      for (let index = 0; index < 16; index++) vga.attribute(index, memory.read8(table + index));
      vga.attribute(0x11, memory.read8(table + 16));
      break;
    case 0x03: {
      const mode = vga.readAttribute(0x10);
      vga.attribute(0x10, (guest.bl & 1) !== 0 ? mode | 8 : mode & ~8);
      break;
    }
    case 0x07:
      if (guest.bl < 0x15) guest.bh = vga.readAttribute(guest.bl);
      break;
    case 0x08:
      guest.bh = vga.readAttribute(0x11);
      break;
    case 0x09:
      for (let index = 0; index < 16; index++) memory.write8(table + index, vga.readAttribute(index));
      memory.write8(table + 16, vga.readAttribute(0x11));
      break;
  }
}

function dacFunction(video: VideoBios, guest: Guest): void {
  const { memory, vga } = video;
  const table = (guest.es << 4) + guest.dx;
  switch (guest.al) {
    case 0x10:
      vga.dac(guest.bl, guest.dh, guest.ch, guest.cl);
      break;
    case 0x12:
      for (let i = 0; i < guest.cx; i++) {
        const at = table + i * 3;
        vga.dac((guest.bx + i) & 0xff, memory.read8(at), memory.read8(at + 1), memory.read8(at + 2));
      }
      break;
    case 0x13: {
      const mode = vga.readAttribute(0x10);
      if (guest.bl === 0) vga.attribute(0x10, (mode & 0x7f) | ((guest.bh & 1) << 7));
      else vga.attribute(0x14, (mode & 0x80) !== 0 ? guest.bh & 15 : (guest.bh & 3) << 2);
      break;
    }
    case 0x15:
      [guest.dh, guest.ch, guest.cl] = vga.readDac(guest.bl);
      break;
    case 0x17:
      for (let i = 0; i < guest.cx; i++)
        memory.write(table + i * 3, Uint8Array.from(vga.readDac((guest.bx + i) & 0xff)));
      break;
    case 0x18:
      vga.dacMask = guest.bl;
      break;
    case 0x19:
      guest.bl = vga.dacMask;
      break;
    case 0x1a: {
      const paged = vga.readAttribute(0x10) >> 7;
      guest.bl = paged;
      guest.bh = paged !== 0 ? vga.readAttribute(0x14) : vga.readAttribute(0x14) >> 2;
      break;
    }
    case 0x1b:
      for (let i = 0; i < guest.cx; i++) toGrey(video, (guest.bx + i) & 0xff);
      break;
  }
}

/** 30 % red, 59 % green, 11 % blue. */
function toGrey({ vga }: VideoBios, colour: number): void {
  const [red, green, blue] = vga.readDac(colour);
  const grey = (red * 77 + green * 151 + blue * 28 + 128) >> 8;
  vga.dac(colour, grey, grey, grey);
}
