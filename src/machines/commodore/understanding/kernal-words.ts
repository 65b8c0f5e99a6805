import { hex, hexByte, hexWord } from '../../../formats/hex.ts';
import { ownValue } from '../../../formats/own-value.ts';

/** The processor when a call begins or ends. */
export interface CallRegisters {
  readonly a: number;
  readonly x: number;
  readonly y: number;
  readonly carry: number;
}

/** What SETLFS and SETNAM have said: OPEN, LOAD and SAVE go by it. */
export interface FileChoice {
  file: number;
  device: number;
  secondary: number;
  name: string;
}

interface Words {
  /** With parameters; `choice` is what was set last, and what this call sets of it. */
  describe(before: CallRegisters, choice: FileChoice, peek: (address: number) => number): string;
  /** Undefined where nothing is to be told. */
  result?(after: CallRegisters): string;
  /** Asked again and again while a program waits, when it comes back with this. */
  isIdle?(after: CallRegisters): boolean;
}

const errors = [
  'stopped by the STOP key',
  'too many files',
  'file open',
  'file not open',
  'file not found',
  'device not present',
  'not input file',
  'not output file',
  'missing file name',
  'illegal device number',
];

const text = (code: number) => (isPrintable(code) ? `"${character(code)}"` : hexByte(code));
const address = ({ x, y }: CallRegisters) => `$${hex(x | (y << 8), 4)}`;
const outcome = ({ carry, a }: CallRegisters) => (carry === 0 ? 'ok' : `error ${a}: ${errors[a] ?? 'unknown'}`);
const plain = (name: string): Words => ({ describe: () => name });
const withA = (name: string): Words => ({ describe: ({ a }) => `${name} ${hexByte(a)}` });
const chosen = ({ device, secondary, name }: FileChoice) => `"${name}",${device},${secondary}`;
/** The published calls by their entries, in the order of the table. */
const calls: Readonly<Record<string, Words>> = {
  CINT: plain('CINT'),
  IOINIT: plain('IOINIT'),
  RAMTAS: plain('RAMTAS'),
  RESTOR: plain('RESTOR'),
  VECTOR: { describe: (r) => `VECTOR ${r.carry === 1 ? 'to' : 'from'} ${address(r)}` },
  SETMSG: withA('SETMSG'),
  SECOND: withA('SECOND'),
  TKSA: withA('TKSA'),
  MEMTOP: { describe: (r) => (r.carry === 1 ? 'MEMTOP' : `MEMTOP ${address(r)}`), result: address },
  MEMBOT: { describe: (r) => (r.carry === 1 ? 'MEMBOT' : `MEMBOT ${address(r)}`), result: address },
  SCNKEY: plain('SCNKEY'),
  SETTMO: withA('SETTMO'),
  ACPTR: { describe: () => 'ACPTR', result: ({ a }) => text(a) },
  CIOUT: { describe: ({ a }) => `CIOUT ${text(a)}` },
  UNTLK: plain('UNTLK'),
  UNLSN: plain('UNLSN'),
  LISTEN: { describe: ({ a }) => `LISTEN ${a}` },
  TALK: { describe: ({ a }) => `TALK ${a}` },
  READST: { describe: () => 'READST', result: ({ a }) => hexByte(a) },
  SETLFS: {
    describe: ({ a, x, y }, choice) => {
      Object.assign(choice, { file: a, device: x, secondary: y });
      return `SETLFS ${a},${x},${y}`;
    },
  },
  SETNAM: {
    describe: ({ a, x, y }, choice, peek) => {
      const start = x | (y << 8);
      const codes = Array.from({ length: Math.min(a, 80) }, (_, at) => peek((start + at) & 0xffff));
      choice.name = codes.map(character).join('');
      return `SETNAM "${choice.name}"`;
    },
  },
  OPEN: { describe: (_, choice) => `OPEN ${choice.file} ${chosen(choice)}`, result: outcome },
  CLOSE: { describe: ({ a }) => `CLOSE ${a}`, result: outcome },
  CHKIN: { describe: ({ x }) => `CHKIN ${x}`, result: outcome },
  CHKOUT: { describe: ({ x }) => `CHKOUT ${x}`, result: outcome },
  CLRCHN: plain('CLRCHN'),
  CHRIN: { describe: () => 'CHRIN', result: ({ a }) => text(a) },
  CHROUT: { describe: ({ a }) => `CHROUT ${text(a)}` },
  LOAD: {
    describe: (r, choice) =>
      `${r.a === 0 ? 'LOAD' : 'VERIFY'} ${chosen(choice)}${choice.secondary === 0 ? ` to ${address(r)}` : ''}`,
    result: (r) => (r.carry === 0 ? `up to ${address(r)}` : outcome(r)),
  },
  SAVE: {
    describe: (r, choice, peek) => {
      const start = peek(r.a) | (peek((r.a + 1) & 0xff) << 8);
      return `SAVE ${chosen(choice)} from ${hexWord(start)} to ${address(r)}`;
    },
    result: outcome,
  },
  SETTIM: { describe: ({ a, x, y }) => `SETTIM ${(y << 16) | (x << 8) | a}` },
  RDTIM: { describe: () => 'RDTIM', result: ({ a, x, y }) => String((y << 16) | (x << 8) | a) },
  STOP: { describe: () => 'STOP', result: () => 'done', isIdle: () => true },
  GETIN: {
    describe: () => 'GETIN',
    result: ({ a }) => (a === 0 ? 'nothing' : text(a)),
    isIdle: ({ a }) => a === 0,
  },
  CLALL: plain('CLALL'),
  UDTIM: plain('UDTIM'),
  SCREEN: { describe: () => 'SCREEN', result: ({ x, y }) => `${x} columns, ${y} rows` },
  PLOT: { describe: (r) => (r.carry === 1 ? 'PLOT' : `PLOT ${r.x},${r.y}`), result: ({ x, y }) => `${x},${y}` },
  IOBASE: { describe: () => 'IOBASE', result: address },
};

/** What is known of a call by its name. */
export function wordsOf(name: string): Words | undefined {
  return ownValue(calls, name);
}

export function resultOf({ result }: Words, after: CallRegisters): string {
  return result?.(after) ?? 'done';
}

/** Letters with shift are letters too. */
function isPrintable(code: number): boolean {
  return (code >= 0x20 && code < 0x60) || (code >= 0xc1 && code <= 0xda);
}

function character(code: number): string {
  return isPrintable(code) ? String.fromCharCode(code & 0x7f) : `\\x${hex(code, 2)}`;
}
