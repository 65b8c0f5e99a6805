import { z } from 'zod';
import type { CoreBytes, CoreFile } from '../../../formats/elf/core-file.ts';
import { parseModestJson } from '../../../formats/modest-json.ts';
import type { LoggedException } from '../launch/exception-log.ts';
import type { CoreState } from './core-state.ts';

/**
 * QEMU's notes leave out much of a processor: on ARM and RISC-V everything that says how addresses are translated. So a
 * file that is written here has all registers after its end, where other debuggers do not look: text, its length, a mark.
 */
const mark = Buffer.from('FRONTPANEL-1', 'latin1');
const tailBytes = mark.length + 4;
const maxBytes = 2 * 1024 * 1024;
/** Vectors of ARM can have as many; they are left out where there is no room for all. */
const narrowBits = 64;

const hex = z.string().regex(/^(?:[0-9a-f]{2})*$/);
const number = z.string().regex(/^[0-9a-f]{1,16}$/);
const small = z.number().int().min(0).max(0xffff);
const word = z.string().max(80);

const exception = z.strictObject({
  family: z.enum(['x86', 'riscv', 'arm']),
  code: z.number().int(),
  name: word.optional(),
  pc: number,
  values: z.record(word, number),
  during: z.strictObject({ first: z.number(), second: z.number() }).optional(),
  triple: z.boolean().optional(),
  times: z.number().int().min(2).optional(),
  registers: z.string().max(4096).optional(),
});

const appendix = z.strictObject({
  arch: z.string().regex(/^\w{1,32}$/),
  architecture: word,
  registers: z.array(z.tuple([word, small, z.number().int().min(1).max(32_768), word, word, word])).max(8192),
  selected: small,
  time_ms: z.number().min(0),
  processors: z
    .array(
      z.strictObject({
        general: hex,
        others: z.array(z.tuple([small, hex])).max(8192),
        monitor: z.string().max(16_384),
      }),
    )
    .min(1)
    .max(256),
  pieces: z.array(z.tuple([number, hex])).max(16),
  log: z.strictObject({
    exceptions: z.array(exception).max(64),
    past: z.array(exception).max(64).default([]),
    count: z.number().int().min(0),
    is_on: z.boolean(),
  }),
});

type Appendix = z.output<typeof appendix>;

export function writtenAppendix(state: CoreState): Uint8Array {
  const whole = Buffer.from(JSON.stringify(asJson(state, Number.POSITIVE_INFINITY)));
  const text = whole.length <= maxBytes ? whole : Buffer.from(JSON.stringify(asJson(state, narrowBits)));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([text, length, mark]);
}

/** Undefined for a file that has none. Throws a RangeError for one that is broken. */
export async function readAppendix(file: CoreBytes, { end }: CoreFile): Promise<CoreState | undefined> {
  if (file.size < end + tailBytes) return undefined;
  const tail = Buffer.from(await file.read(file.size - tailBytes, tailBytes));
  if (tail.length !== tailBytes || !tail.subarray(4).equals(mark)) return undefined;
  const length = tail.readUInt32LE(0);
  const start = file.size - tailBytes - length;
  if (length > maxBytes || start < end) throw new RangeError('what was added at its end is longer than it can be');
  const parsed = appendix.safeParse(jsonOf(Buffer.from(await file.read(start, length)).toString('utf8')));
  if (!parsed.success) throw new RangeError('what was added at its end is damaged');
  return stateOf(parsed.data);
}

function jsonOf(text: string): unknown {
  try {
    return parseModestJson(text);
  } catch {
    return undefined;
  }
}

function asJson(state: CoreState, mostBits: number): Appendix {
  const { arch, description, processors, pieces, selected, log, timeMs = 0 } = state;
  const bits = new Map(description.registers.map((each) => [each.number, each.bits]));
  return {
    arch,
    architecture: description.architecture,
    registers: description.registers.map(({ name, number: n, bits, type, feature, group }) => [
      name,
      n,
      bits,
      type,
      feature,
      group,
    ]),
    selected,
    time_ms: timeMs,
    processors: processors.map(({ general, others, monitor }) => ({
      general: hexOf(general),
      others: [...others]
        .filter(([n]) => (bits.get(n) ?? 0) <= mostBits)
        .map(([n, bytes]): [number, string] => [n, hexOf(bytes)]),
      monitor,
    })),
    pieces: pieces.map(({ physical, bytes }): [string, string] => [physical.toString(16), hexOf(bytes)]),
    log: {
      exceptions: log.exceptions.map(exceptionJson),
      past: log.past.map(exceptionJson),
      count: log.count,
      is_on: log.isOn,
    },
  };
}

function exceptionJson({ pc, values, ...others }: LoggedException): Appendix['log']['exceptions'][number] {
  const entries = Object.entries(values).map(([name, value]) => [name, value.toString(16)]);
  return { ...others, pc: pc.toString(16), values: Object.fromEntries(entries) };
}

function stateOf({ arch, architecture, registers, selected, time_ms, processors, pieces, log }: Appendix): CoreState {
  const described = registers.map(([name, n, bits, type, feature, group]) => ({
    name,
    number: n,
    bits,
    type,
    feature,
    group,
  }));
  return {
    arch,
    description: { architecture, registers: described, flags: new Map() },
    selected: Math.min(selected, processors.length - 1),
    timeMs: time_ms,
    isWhole: true,
    processors: processors.map(({ general, others, monitor }) => ({
      general: Buffer.from(general, 'hex'),
      others: new Map(others.map(([n, value]) => [n, Buffer.from(value, 'hex')])),
      monitor,
    })),
    pieces: pieces.map(([at, bytes]) => ({ physical: BigInt(`0x${at}`), bytes: Buffer.from(bytes, 'hex') })),
    log: {
      exceptions: log.exceptions.map(exceptionOf),
      past: log.past.map(exceptionOf),
      count: log.count,
      isOn: log.is_on,
    },
  };
}

function exceptionOf({
  name,
  during,
  triple,
  times,
  registers,
  pc,
  values,
  ...others
}: Appendix['log']['exceptions'][number]) {
  const entries = Object.entries(values).map(([key, value]) => [key, BigInt(`0x${value}`)]);
  return {
    ...others,
    pc: BigInt(`0x${pc}`),
    values: Object.fromEntries(entries) as Record<string, bigint>,
    ...(name !== undefined && { name }),
    ...(during && { during }),
    ...(triple !== undefined && { triple }),
    ...(times !== undefined && { times }),
    ...(registers !== undefined && { registers }),
  };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
