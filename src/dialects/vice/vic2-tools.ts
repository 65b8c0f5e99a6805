import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import type { DialectTool } from '../dialect.ts';
import { chipValues, namedRegisters, registerBytes } from './chip-reading.ts';
import { momentOf } from './moment.ts';
import { hexWord } from './numbers.ts';
import { vic2Rows } from './register-names.ts';
import { captureInput, captureScreen } from './screen-capture.ts';
import type { ViceCall } from './vice-call.ts';
import { viceTool } from './vice-tool.ts';

const chips = ['vic2'] as const;
const nothing = z.strictObject({});
const sprite = z.number().int().min(0).max(7);
const base = 0xd000;

const registers = viceTool({
  name: 'vice.vic2.registers.get',
  title: 'Get VIC-II registers',
  description: 'All VIC-II registers ($D000-$D02E) with name, value and meaning, by address.',
  effect: 'read',
  chips,
  input: nothing,
  call: async (_input, call) => namedRegisters(await bytesOf(call), base, vic2Rows),
});

const spritesGet = viceTool({
  name: 'vice.vic2.sprites.get',
  title: 'Get sprites',
  description: 'Position, color, flags, pointer and data address of all sprites, or of one.',
  effect: 'read',
  chips,
  input: z.strictObject({ sprite: sprite.optional() }),
  async call({ sprite: wanted }, call) {
    const numbers = wanted === undefined ? [0, 1, 2, 3, 4, 5, 6, 7] : [wanted];
    return { sprites: await spritesOf(call, numbers) };
  },
});

const spritesSet = viceTool({
  name: 'vice.vic2.sprites.set',
  title: 'Set a sprite',
  description: 'Update properties of a sprite: {"sprite":0,"x":100,"enabled":true}. Pause first.',
  effect: 'change',
  idempotent: true,
  chips,
  guard: { whileRunning: 'write memory' },
  input: z.strictObject({
    sprite,
    x: z.number().int().min(0).max(511).optional(),
    y: z.number().int().min(0).max(255).optional(),
    color: z.number().int().min(0).max(15).optional(),
    enabled: z.boolean().optional(),
    multicolor: z.boolean().optional(),
    expand_x: z.boolean().optional(),
    expand_y: z.boolean().optional(),
    priority: z.boolean().optional().describe('True: behind the background'),
    pointer: z.number().int().min(0).max(255).optional(),
  }),
  async call({ sprite: number, ...wanted }, call) {
    if (Object.keys(wanted).length === 0) {
      throw new MachineError('INVALID_ARGUMENT', 'Nothing to set.', 'Give x, y, color or another property.');
    }
    const bytes = await bytesOf(call);
    const writes = new Map<number, number>();
    const bit = (register: number, on: boolean | undefined) => {
      if (on === undefined) return;
      const before = bytes[register] ?? 0;
      writes.set(register, on ? before | (1 << number) : before & ~(1 << number));
    };
    if (wanted.x !== undefined) {
      writes.set(number * 2, wanted.x & 0xff);
      bit(0x10, wanted.x > 0xff);
    }
    if (wanted.y !== undefined) writes.set(number * 2 + 1, wanted.y);
    if (wanted.color !== undefined) writes.set(0x27 + number, wanted.color);
    bit(0x15, wanted.enabled);
    bit(0x17, wanted.expand_y);
    bit(0x1b, wanted.priority);
    bit(0x1c, wanted.multicolor);
    bit(0x1d, wanted.expand_x);
    for (const [register, value] of writes) await write(call, 'io', base + register, value);
    if (wanted.pointer !== undefined) await write(call, 'ram', await pointerPlace(call, bytes, number), wanted.pointer);
    return { sprites: await spritesOf(call, [number]) };
  },
});

const raster = viceTool({
  name: 'vice.vic2.raster.get',
  title: 'Get the raster position',
  description: 'The current raster line, the cycle in it, and the frame.',
  effect: 'read',
  chips,
  input: nothing,
  async call(_input, call) {
    const { beam } = await momentOf(call);
    return { raster_line: beam?.line, raster_cycle: beam?.cycle, frame: beam?.frame };
  },
});

const capture = viceTool({
  name: 'vice.vic2.screen.capture',
  title: 'Capture the screen',
  description: 'The frame as a PNG, pixel by pixel, as an image or as base64 text.',
  effect: 'read',
  chips,
  input: captureInput,
  call: captureScreen,
});

async function bytesOf(call: ViceCall): Promise<readonly number[]> {
  return registerBytes(await chipValues(call, 'vic2'));
}

function write(call: ViceCall, space: string, address: number, value: number): Promise<unknown> {
  const bytes = value.toString(16).padStart(2, '0');
  return call.use('memory_write', { address: hexWord(address), bytes, space }, {});
}

/** The last bytes of the screen's kilobyte. */
async function pointerPlace(call: ViceCall, bytes: readonly number[], number: number): Promise<number> {
  return (await bankStart(call)) + (((bytes[0x18] ?? 0) & 0xf0) << 6) + 0x3f8 + number;
}

/** The 16K that the VIC-II sees: the inverted bits 0 and 1 of CIA 2's port A. */
async function bankStart(call: ViceCall): Promise<number> {
  const [port = 3] = await call.bytes(0xdd00, 1, 'io');
  return (~port & 3) << 14;
}

async function spritesOf(call: ViceCall, numbers: readonly number[]) {
  const bytes = await bytesOf(call);
  const bank = await bankStart(call);
  const [first = 0] = numbers;
  const place = await pointerPlace(call, bytes, first);
  const pointers = await call.bytes((place & 0x3fff) as number, numbers.length, 'vic');
  const register = (index: number) => bytes[index] ?? 0;
  return numbers.map((number, index) => {
    const isSet = (each: number) => ((register(each) >> number) & 1) !== 0;
    const pointer = pointers[index] ?? 0;
    return {
      sprite: number,
      x: register(number * 2) + (isSet(0x10) ? 256 : 0),
      y: register(number * 2 + 1),
      color: register(0x27 + number) & 15,
      enabled: isSet(0x15),
      multicolor: isSet(0x1c),
      expand_x: isSet(0x1d),
      expand_y: isSet(0x17),
      priority: isSet(0x1b),
      pointer,
      data_address: hexWord(bank + pointer * 64),
      sprite_collision: isSet(0x1e),
      background_collision: isSet(0x1f),
    };
  });
}

export const vic2Tools: readonly DialectTool[] = [registers, spritesGet, spritesSet, raster, capture];
