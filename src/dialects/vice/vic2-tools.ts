import { z } from 'zod';
import { hexWord } from '../../formats/hex.ts';
import { MachineError } from '../../machine/errors.ts';
import type { DialectTool } from '../dialect.ts';
import { namedRegisters, readChip } from './chip-reading.ts';
import { momentOf } from './moment.ts';

import { captureInput, captureScreen } from './screen-capture.ts';
import type { ViceCall } from './vice-call.ts';
import { viceTool } from './vice-tool.ts';

const chips = ['vic2'] as const;
const nothing = z.strictObject({});
/** What one answer holds; an effect that changes the border all the time has more in a few frames. */
const mostChanges = 2000;
const sprite = z.number().int().min(0).max(7);

const registers = viceTool({
  name: 'vice.vic2.registers.get',
  title: 'Get VIC-II registers',
  description: 'All VIC-II registers ($D000-$D02E) with name, value and meaning, by address.',
  effect: 'read',
  chips,
  input: nothing,
  call: async (_input, call) => namedRegisters(await readChip(call, 'vic2')),
});

const spritesGet = viceTool({
  name: 'vice.vic2.sprites.get',
  title: 'Get sprites',
  description: 'Position, color, flags, pointer and data address of all sprites, or of one.',
  effect: 'read',
  chips,
  input: z.strictObject({ sprite: sprite.optional() }),
  async call({ sprite: wanted }, call) {
    const sprites: unknown[] = [];
    for (const number of wanted === undefined ? [0, 1, 2, 3, 4, 5, 6, 7] : [wanted]) {
      sprites.push(await spriteOf(call, number));
    }
    return { sprites };
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
    const values = Object.entries(wanted).map(([name, value]) => [name, Number(value)] as const);
    if (values.length === 0) {
      throw new MachineError('INVALID_ARGUMENT', 'Nothing to set.', 'Give x, y, color or another property.');
    }
    const part = { chip: 'vic2', part: 'sprite', index: number };
    await call.use('chip_write', { ...part, values: Object.fromEntries(values) }, {});
    return { sprites: [await spriteOf(call, number)] };
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

const borders = viceTool({
  name: 'vice.vic2.borders.get',
  title: 'Get the border color history',
  description: 'The colors that the border had in the last frames, with raster position and PC, for raster effects.',
  effect: 'read',
  chips,
  input: z.strictObject({ frames: z.number().int().min(1).max(50).default(1) }),
  async call({ frames }, call) {
    const change = z.object({
      frame: z.number(),
      raster_line: z.number(),
      raster_cycle: z.number(),
      color: z.number(),
      pc: z.string().optional(),
    });
    const shape = { history: z.array(change), total: z.number() };
    const { history, total } = await call.use('frame_trace', { action: 'borders', frames, limit: mostChanges }, shape);
    return {
      history: history.map((each) => ({ ...each, pc: each.pc ?? null })),
      ...(total > history.length && { left_out: total - history.length }),
    };
  },
});

async function spriteOf(call: ViceCall, number: number) {
  const { numbers } = await readChip(call, 'vic2', 'sprite', number);
  const { data_address, hit_sprite, hit_background, ...sprite } = numbers;
  return {
    ...sprite,
    data_address: hexWord(Number(data_address)),
    sprite_collision: hit_sprite,
    background_collision: hit_background,
  };
}

export const vic2Tools: readonly DialectTool[] = [registers, spritesGet, spritesSet, raster, capture, borders];
