import { hex } from '../../../../../formats/hex.ts';
import type { Guest } from '../../guest.ts';
import { bda, vectorAddress } from '../data-area.ts';
import { romFonts, romTables } from '../rom-layout.ts';
import type { FunctionRow } from '../service-row.ts';
import type { VideoBios } from './video-bios.ts';

const names: ReadonlyMap<number, string> = new Map([
  [0x00, 'load user font'],
  [0x01, 'load 8x14 font'],
  [0x02, 'load 8x8 font'],
  [0x03, 'select character blocks'],
  [0x04, 'load 8x16 font'],
  [0x10, 'load user font and set rows'],
  [0x11, 'load 8x14 font and set rows'],
  [0x12, 'load 8x8 font and set rows'],
  [0x14, 'load 8x16 font and set rows'],
  [0x20, 'user 8x8 graphics font'],
  [0x21, 'user graphics font'],
  [0x22, '8x14 graphics font'],
  [0x23, '8x8 graphics font'],
  [0x24, '8x16 graphics font'],
  [0x30, 'font information'],
]);

/** Height and place of the ROM's fonts by function. */
const romGraphicsFonts: ReadonlyMap<number, readonly [height: number, offset: number]> = new Map([
  [0x22, [14, romFonts.font14]],
  [0x23, [8, romFonts.font8]],
  [0x24, [16, romFonts.font16]],
]);

/** INT 10h AH=11h. */
export const fontFunctions: FunctionRow<VideoBios> = {
  name: 'character generator',
  details: (g) => `al=${hex(g.al, 2)} ${names.get(g.al) ?? 'unknown'}`,
  run(video, guest) {
    if (guest.al === 0x30) information(video, guest);
    else if (guest.al === 0x03) video.vga.sequencer(3, guest.bl);
    else if (guest.al < 0x20) textFont(video, guest);
    else graphicsFont(video, guest);
    return 'done';
  },
};

function textFont(video: VideoBios, guest: Guest): void {
  const height = ({ 1: 14, 2: 8, 4: 16 } as const)[guest.al & 15];
  if (height !== undefined) video.loadRomFont(height, guest.bl);
  else if ((guest.al & 15) === 0 && guest.bh !== 0) {
    const glyphs = video.memory.bytes((guest.es << 4) + guest.bp, guest.cx * guest.bh);
    video.loadUserFont(glyphs, guest.bh, guest.dx, guest.bl);
  } else return;
  if (guest.al >= 0x10) video.setTextHeight(height ?? guest.bh);
}

function graphicsFont(video: VideoBios, guest: Guest): void {
  const { memory } = video;
  const point = (interrupt: number, segment: number, offset: number) => {
    memory.write16(vectorAddress(interrupt), offset);
    memory.write16(vectorAddress(interrupt) + 2, segment);
  };
  if (guest.al === 0x20) {
    point(0x1f, guest.es, guest.bp);
    return;
  }
  const rom = romGraphicsFonts.get(guest.al);
  if (rom !== undefined) point(0x43, 0xf000, rom[1]);
  else if (guest.al === 0x21) point(0x43, guest.es, guest.bp);
  else return;
  memory.write16(bda.characterHeight, rom?.[0] ?? guest.cx);
  const rows = guest.bl === 0 ? guest.dl : { 1: 14, 2: 25, 3: 43 }[guest.bl];
  if (rows !== undefined) memory.write8(bda.lastRow, rows - 1);
}

function information(video: VideoBios, guest: Guest): void {
  const { memory } = video;
  const vector = guest.bh === 0 ? 0x1f : guest.bh === 1 ? 0x43 : undefined;
  const offset = (
    {
      2: romFonts.font14,
      3: romTables.lower8,
      4: romFonts.upper8,
      5: romFonts.font14,
      6: romFonts.font16,
      7: romFonts.font16,
    } as const
  )[guest.bh];
  if (vector !== undefined) {
    guest.bp = memory.read16(vectorAddress(vector));
    guest.es = memory.read16(vectorAddress(vector) + 2);
  } else if (offset !== undefined) {
    guest.bp = offset;
    guest.es = 0xf000;
  }
  guest.cx = video.characterHeight;
  guest.dl = memory.read8(bda.lastRow);
}
