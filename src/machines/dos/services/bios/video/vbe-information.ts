import { linearBuffer, memoryBytes } from '../../../../../chips/vga/fields.ts';
import { romCode, romTables } from '../rom-layout.ts';
import { colourFields, hasLinearBuffer, lineBytes, vbeModes } from './vbe-modes.ts';
import type { VideoBios } from './video-bios.ts';

const romSegment = 0xf000;
const shortBytes = 256;
const longBytes = 512;
const modeBytes = 256;
const revision = 0x0200;
/** The DAC can have eight bits. */
const capabilities = 1;
/** The list of modes lies in the part of the block that is not used otherwise. */
const modeList = 0x22;
/** Supported, with what follows here, coloured, graphics. Characters are not drawn. */
const attributes = 0x1b;
/** There is a linear frame buffer. */
const linear = 0x80;
const readWriteWindow = 7;
const models = { 4: 3, 8: 4, 15: 6, 16: 6, 24: 6 } as const;

/** Function 4F00h. Programs for version 2 ask for 512 bytes by the signature they leave. */
export function writeInformation({ memory }: VideoBios, place: number): boolean {
  const long = String.fromCharCode(...memory.bytes(place, 4)) === 'VBE2';
  const block = new Uint8Array(long ? longBytes : shortBytes);
  const view = new DataView(block.buffer);
  const text = (value: string, at: number) => block.set(Buffer.from(value, 'latin1'), at);
  const far = (at: number, segment: number, offset: number) => {
    view.setUint16(at, offset, true);
    view.setUint16(at + 2, segment, true);
  };
  text('VESA', 0);
  view.setUint16(4, revision, true);
  far(6, romSegment, romTables.oemName);
  view.setUint32(10, capabilities, true);
  far(14, place >> 4, (place & 15) + modeList);
  view.setUint16(18, memoryBytes / 0x10000, true);
  if (long) for (const at of [22, 26, 30]) far(at, romSegment, romTables.oemName);
  const numbers = [...vbeModes.keys(), 0xffff];
  numbers.forEach((number, index) => {
    view.setUint16(modeList + index * 2, number, true);
  });
  memory.write(place, block);
  return true;
}

/** Function 4F01h. */
export function writeModeInformation({ memory }: VideoBios, number: number, place: number): boolean {
  const mode = vbeModes.get(number);
  if (mode === undefined) return false;
  const { width, height, bits } = mode;
  const block = new Uint8Array(modeBytes);
  const view = new DataView(block.buffer);
  const pitch = lineBytes(bits, width);
  const whole = bits === 4 ? memoryBytes / 4 : memoryBytes;
  view.setUint16(0, attributes | (hasLinearBuffer(mode) ? linear : 0), true);
  block[2] = readWriteWindow;
  view.setUint16(4, 64, true);
  view.setUint16(6, 64, true);
  view.setUint16(8, 0xa000, true);
  view.setUint16(12, romCode.vbeWindow, true);
  view.setUint16(14, romSegment, true);
  view.setUint16(16, pitch, true);
  view.setUint16(18, width, true);
  view.setUint16(20, height, true);
  block.set([8, 16, bits === 4 ? 4 : 1, bits, 1, models[bits], 0], 22);
  block[29] = Math.min(255, Math.floor(whole / (pitch * height)) - 1);
  block[30] = 1;
  block.set(colourFields(bits), 31);
  if (hasLinearBuffer(mode)) view.setUint32(40, linearBuffer, true);
  memory.write(place, block);
  return true;
}
