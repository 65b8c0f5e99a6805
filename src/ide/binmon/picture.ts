import { items, u16, u32 } from '../../links/vice/wire.ts';
import type { DebuggedMachine } from '../debugged-machine.ts';

const infoBytes = 13;
const bitsPerPixel = 8;

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly window: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly pixels: string;
  readonly palette: string;
}

/** The picture with its borders, a byte a pixel. */
export async function displayOf(machine: DebuggedMachine): Promise<Buffer> {
  const { width, height, window, pixels } = await pixelsOf(machine);
  const bytes = Buffer.from(pixels, 'base64');
  const head = [width, height, window.x, window.y, window.width, window.height].flatMap(u16);
  return Buffer.concat([Buffer.from([...u32(infoBytes), ...head, bitsPerPixel, ...u32(bytes.length)]), bytes]);
}

export async function paletteOf(machine: DebuggedMachine): Promise<Buffer> {
  const colours = Buffer.from((await pixelsOf(machine)).palette, 'base64');
  return items(
    Array.from({ length: colours.length / 3 }, (_, index) => [...colours.subarray(index * 3, index * 3 + 3)]),
  );
}

async function pixelsOf(machine: DebuggedMachine): Promise<Pixels> {
  return (await machine.call('pixels_read')) as unknown as Pixels;
}
