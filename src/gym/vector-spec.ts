import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import { checkedOptions } from './problem-text.ts';

const directions = ['up', 'down', 'left', 'right', 'fire'] as const;

/** What is held down during a step; nothing but this. */
const hold = z.strictObject({
  joystick: z.array(z.enum(directions)).max(5).optional(),
  /** Of the joystick. */
  port: z.int().min(1).max(2).default(2),
  keys: z.array(z.string().max(20)).max(8).optional(),
});

const choices = z.array(hold).min(2).max(256);

type Choices = z.input<typeof choices>;
type ActionOptions = Choices | Choices[];

function forEachPlayer(action: ActionOptions): unknown {
  return Array.isArray(action) && !action.some((each) => Array.isArray(each)) ? [action] : action;
}

/** All that a stick can say: eight directions and the middle, without and with fire. */
export const allStickPositions: readonly z.input<typeof hold>[] = [false, true].flatMap((fire) =>
  [[], ['up'], ['down'], ['left'], ['right'], ['up', 'left'], ['up', 'right'], ['down', 'left'], ['down', 'right']].map(
    (way) => ({ joystick: [...way, ...(fire ? ['fire'] : [])] as (typeof directions)[number][] }),
  ),
);

const pixels = z.strictObject({
  width: z.int().min(8).max(1024).default(84),
  height: z.int().min(8).max(1024).default(84),
  /** One byte a pixel; without it red, green and blue. */
  grey: z.boolean().default(true),
  /** The brighter of the last two frames, for pictures that flicker. */
  max: z.boolean().default(false),
  /** The part inside the border, where the machine has one. */
  window: z.boolean().default(true),
});

const range = z.strictObject({
  address: z.int().min(0),
  length: z.int().min(1).max(65_536),
  space: z.string().max(20).optional(),
});

const expression = z.string().max(4096);

/** An environment many times over. */
export const vectorSpec = z.strictObject({
  kind: z.string().max(40),
  /** As `machine_start` takes them. */
  options: z.record(z.string(), z.unknown()).default({}),
  /** Where each episode begins. */
  from: z
    .strictObject({
      /** A file that `snapshot_save` has written. */
      snapshot: z.string().max(4096).optional(),
      /** A program to load and run. */
      program: z.string().max(4096).optional(),
      /** Assembler or BASIC text instead of a file. */
      source: z.string().max(1_000_000).optional(),
      format: z.string().max(20).optional(),
      /** Let so many frames pass before. */
      frames: z.int().min(0).max(100_000).default(0),
    })
    .default({ frames: 0 }),
  count: z.int().min(1).max(4096).default(1),
  /** 0: in this thread. */
  threads: z.int().min(0).max(256).default(0),
  /** A step takes so many. */
  frames: z.int().min(1).max(600).default(4),
  /** What can be chosen from, or that for each of several players. */
  action: z
    .custom<ActionOptions>()
    .transform(forEachPlayer)
    .pipe(z.array(choices).min(1).max(4))
    .default([[...allStickPositions].map((each) => hold.parse(each))]),
  observe: z
    .strictObject({
      pixels: pixels.optional(),
      memory: z.array(range).max(64).optional(),
      /** The characters on screen, as Unicode. */
      text: z.strictObject({ columns: z.int().min(1).max(256), rows: z.int().min(1).max(128) }).optional(),
    })
    .default({ pixels: pixels.parse({}) }),
  /** Its change in a step is the reward, for all players or one each. */
  reward: z.union([expression, z.array(expression).min(1).max(4)]).default('0'),
  /** The episode has ended when this is not 0. */
  end: expression.default('0'),
  /** And is cut off after so many steps; 0: never. */
  limit: z.int().min(0).default(0),
  seed: z.int().min(0).max(0xffff_ffff).default(0),
  /** How often the last action is carried out once more instead of the one given. */
  sticky: z.number().min(0).max(1).default(0),
  /** Each episode begins with up to so many frames in which nothing is held. */
  idle: z.int().min(0).max(600).default(0),
  /** As Gymnasium names them. */
  autoreset: z.enum(['next_step', 'same_step', 'disabled']).default('next_step'),
  /** Folders from which files may be read. */
  read: z.array(z.string()).default([]),
});

const beginnings = ['snapshot', 'program', 'source'] as const;

/** Throws what is wrong with the options, and what to do about it. */
export function vectorSpecOf(options: unknown): z.output<typeof vectorSpec> {
  const spec = checkedOptions('environments', vectorSpec, options, ['read']);
  const players = spec.action.length;
  if (typeof spec.reward !== 'string' && spec.reward.length !== players) {
    const message = `There are ${count(spec.reward.length, 'reward')} for ${count(players, 'player')}.`;
    const fix =
      'Give one expression for all, or a list with one for each player; "action" has a list of choices for each.';
    throw new MachineError('INVALID_ARGUMENT', message, fix);
  }
  const given = beginnings.filter((name) => spec.from[name] !== undefined);
  if (given.length > 1) {
    const message = `Episodes can begin at only one place, but "from" has ${given.join(' and ')}.`;
    throw new MachineError('INVALID_ARGUMENT', message, 'Give one of them.');
  }
  return spec;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

export type VectorOptions = z.input<typeof vectorSpec>;
export type VectorSpec = z.output<typeof vectorSpec>;
export type Hold = z.output<typeof hold>;
export type MemoryRange = z.output<typeof range>;
export type PixelSpec = z.output<typeof pixels>;

/** How the answers of one environment lie in memory. */
export interface ObservationPart {
  readonly name: string;
  readonly shape: readonly number[];
  readonly type: 'uint8' | 'uint32';
  /** Of this part in the observation of one environment. */
  readonly offset: number;
  readonly bytes: number;
}

/** Parts begin at multiples of four bytes. */
export function observationParts({ observe }: VectorSpec): readonly ObservationPart[] {
  const parts: Omit<ObservationPart, 'offset' | 'bytes'>[] = [];
  if (observe.pixels) {
    const { width, height, grey } = observe.pixels;
    parts.push({ name: 'pixels', shape: grey ? [height, width] : [height, width, 3], type: 'uint8' });
  }
  if (observe.memory && observe.memory.length > 0) {
    parts.push({ name: 'memory', shape: [observe.memory.reduce((sum, { length }) => sum + length, 0)], type: 'uint8' });
  }
  if (observe.text) parts.push({ name: 'text', shape: [observe.text.rows, observe.text.columns], type: 'uint32' });
  let offset = 0;
  return parts.map((part) => {
    const bytes = part.shape.reduce((product, size) => product * size, part.type === 'uint32' ? 4 : 1);
    const placed = { ...part, offset, bytes };
    offset += Math.ceil(bytes / 4) * 4;
    return placed;
  });
}

export function observationBytes(spec: VectorSpec): number {
  const last = observationParts(spec).at(-1);
  return last ? Math.ceil((last.offset + last.bytes) / 4) * 4 : 0;
}

/** One expression for each player. */
export function rewardsOf({ reward, action: players }: VectorSpec): readonly string[] {
  return typeof reward === 'string' ? players.map(() => reward) : reward;
}
