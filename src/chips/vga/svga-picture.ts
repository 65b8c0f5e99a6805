import { fields, memoryBytes, type VgaState } from './fields.ts';
import type { ColourPicture, VgaPicture } from './picture.ts';
import { attribute } from './registers.ts';
import { svgaRegister, svgaRegisters } from './svga.ts';

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly pitch: number;
  /** The first byte of the picture, and of planes the first pixel in it. */
  readonly start: number;
  readonly pan: number;
}

/** What the monitor shows in a mode that a VGA does not have. */
export function drawSvga(s: VgaState, planes: Int32Array, palette: Uint8Array): VgaPicture | ColourPicture {
  const bits = svgaRegister(s, svgaRegisters.bits);
  const bytes = new Uint8Array(planes.buffer, planes.byteOffset, memoryBytes);
  const frame = frameOf(s, bits);
  if (bits === 4) return { ...size(frame), pixels: drawPlanes(s, planes, frame), palette };
  if (bits === 8) return { ...size(frame), pixels: drawBytes(s, bytes, frame), palette };
  return { ...size(frame), rgb: drawColours(bytes, frame, bits) };
}

const size = ({ width, height }: Frame) => ({ width, height });

function frameOf(s: VgaState, bits: number): Frame {
  const register = (name: keyof typeof svgaRegisters) => svgaRegister(s, svgaRegisters[name]);
  const pitch = register('pitch');
  const column = register('startX');
  const first = bits === 4 ? column >> 3 : column * bytesOf(bits);
  return {
    width: register('width'),
    height: register('height'),
    pitch,
    start: register('startY') * pitch + first,
    pan: bits === 4 ? column & 7 : 0,
  };
}

const bytesOf = (bits: number) => (bits + 7) >> 3;

function drawBytes(s: VgaState, bytes: Uint8Array, { width, height, pitch, start }: Frame): Uint8Array {
  const pixels = new Uint8Array(width * height);
  const mask = s[fields.dacMask];
  for (let y = 0; y < height; y++) {
    const row = start + y * pitch;
    for (let x = 0; x < width; x++) pixels[y * width + x] = bytes[(row + x) % memoryBytes] & mask;
  }
  return pixels;
}

function drawPlanes(s: VgaState, planes: Int32Array, { width, height, pitch, start, pan }: Frame): Uint8Array {
  const pixels = new Uint8Array(width * height);
  const colours = Array.from(
    { length: 16 },
    (_, index) => attribute(s, index & attribute(s, 0x12)) & s[fields.dacMask],
  );
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (start + y * pitch + ((x + pan) >> 3)) % planes.length;
      const bits = planes[at] >> (7 - ((x + pan) & 7));
      pixels[y * width + x] = colours[(bits & 1) | ((bits >> 7) & 2) | ((bits >> 14) & 4) | ((bits >> 21) & 8)];
    }
  }
  return pixels;
}

/** Blue lies lowest. Five and six bits become eight by their upper ones. */
function drawColours(bytes: Uint8Array, { width, height, pitch, start }: Frame, bits: number): Uint8Array {
  const rgb = new Uint8Array(width * height * 3);
  const step = bytesOf(bits);
  const byte = (at: number) => bytes[at % memoryBytes];
  const five = (value: number) => ((value & 31) << 3) | ((value & 31) >> 2);
  for (let y = 0, out = 0; y < height; y++) {
    for (let x = 0, at = start + y * pitch; x < width; x++, at += step, out += 3) {
      if (bits > 16) {
        rgb[out] = byte(at + 2);
        rgb[out + 1] = byte(at + 1);
        rgb[out + 2] = byte(at);
        continue;
      }
      const word = byte(at) | (byte(at + 1) << 8);
      const green = bits === 15 ? five(word >> 5) : (((word >> 5) & 63) << 2) | ((word >> 9) & 3);
      rgb[out] = five(word >> (bits === 15 ? 10 : 11));
      rgb[out + 1] = green;
      rgb[out + 2] = five(word);
    }
  }
  return rgb;
}
