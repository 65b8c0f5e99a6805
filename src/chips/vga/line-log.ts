import { readWide, writeWide } from '../wide-word.ts';
import { fields, type VgaState } from './fields.ts';

/** A register that changed while the beam was on its way down the picture. */
export interface LineChange {
  /** The first line that shows it. */
  readonly line: number;
  /** Its place in the state; three words there for a colour of the DAC. */
  readonly register: number;
  /** One value, or red, green and blue in a byte each. */
  readonly before: number;
  readonly after: number;
}

const logCapacity = 2048;
const entryWords = 3;

/** Changes of this frame and the one before it: two lists that take turns. A program that changes nothing writes nothing here. */
export function noteChange(s: VgaState, frame: number, { line, register, before, after }: LineChange): void {
  turn(s, frame);
  const bank = s[fields.logBank];
  const count = s[fields.logCounts + bank];
  if (count > logCapacity) return;
  s[fields.logCounts + bank] = count + 1;
  if (count === logCapacity) return;
  const at = fields.log + (bank * logCapacity + count) * entryWords;
  s[at] = (line << 16) | register;
  s[at + 1] = before;
  s[at + 2] = after;
}

/** The mode is another one: lines are no longer what they were, and what else is set up in this frame is no effect. */
export function forgetChanges(s: VgaState, frame: number): void {
  turn(s, frame);
  const bank = s[fields.logBank];
  s[fields.logCounts + bank] = logCapacity + 1;
  s[fields.logCounts + (bank ^ 1)] = 0;
}

/**
 * The registers as they were when the last whole frame began, and what changed while it was drawn; undefined where nothing
 * did, or more than there is room for. `words` of the state are copied.
 */
export function lastFrame(
  s: VgaState,
  frame: number,
  words: number,
): { readonly start: VgaState; readonly changes: readonly LineChange[] } | undefined {
  const logged = readWide(s, fields.logFrame);
  const bank = s[fields.logBank];
  const shown = logged === frame ? bank ^ 1 : logged + 1 === frame ? bank : -1;
  const count = shown < 0 ? 0 : s[fields.logCounts + shown];
  if (count === 0 || count > logCapacity) return undefined;
  const changes = entries(s, shown, count);
  const start = s.slice(0, words) as VgaState;
  const since = logged === frame ? entries(s, bank, Math.min(s[fields.logCounts + bank], logCapacity)) : [];
  for (const change of [...changes, ...since].reverse()) setRegister(start, change.register, change.before);
  return { start, changes };
}

export function setRegister(s: VgaState, register: number, value: number): void {
  if (register < fields.dac) s[register] = value;
  else for (let i = 0; i < 3; i++) s[register + i] = (value >> (i * 8)) & 0xff;
}

function entries(s: VgaState, bank: number, count: number): LineChange[] {
  return Array.from({ length: count }, (_, index) => {
    const at = fields.log + (bank * logCapacity + index) * entryWords;
    const [place = 0, before = 0, after = 0] = s.subarray(at, at + entryWords);
    return { line: place >> 16, register: place & 0xffff, before, after };
  });
}

function turn(s: VgaState, frame: number): void {
  const logged = readWide(s, fields.logFrame);
  if (logged === frame) return;
  if (logged + 1 !== frame) s[fields.logCounts + s[fields.logBank]] = 0;
  s[fields.logBank] ^= 1;
  s[fields.logCounts + s[fields.logBank]] = 0;
  writeWide(s, fields.logFrame, frame);
}
