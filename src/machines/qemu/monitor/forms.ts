import { deviceProblem } from '../launch/known-devices.ts';
import { objectProblem } from '../launch/known-objects.ts';

const word = /^[\w.:+-]{1,64}$/;
/** Where an object lies inside QEMU. It is no path of this computer, and no command takes it for one. */
const qomPath = /^[\w./[\]#-]{1,256}$/;
/** Names that this server gives: what carries them is not an agent's to take away. */
const serverName =
  /^(?:capture|ser|chan|copy|job)\d+$|^(?:channels|gdb\d*|compat_monitor\d+|net0|nic0|share|sound|states)$/;
const pattern = /^[\w.*-]{1,128}$/;
const maxItems = 64;
const maxDepth = 5;
const maxRingBytes = 1024 * 1024;

/** What an argument may be. Each form says why a value is none of it, or nothing. */
export const forms = {
  /** A name of something inside the machine. */
  word: (value: unknown) => (isWord(value) ? undefined : 'a plain word is wanted'),
  words: (value: unknown) =>
    Array.isArray(value) && value.length <= maxItems && value.every(isWord) ? undefined : 'a list of words is wanted',
  /** A name that an agent has given, and not this server. */
  own: (value: unknown) =>
    isWord(value) && !serverName.test(value) ? undefined : 'that name is not one that an agent has given',
  number: (value: unknown) => (isNumber(value) ? undefined : 'a number is wanted'),
  switch: (value: unknown) => (typeof value === 'boolean' ? undefined : 'true or false is wanted'),
  off: (value: unknown) => (value === false ? undefined : 'only false is taken'),
  /** What has a number or a switch for its value names no file. */
  setting: (value: unknown) =>
    typeof value === 'boolean' || isNumber(value) ? undefined : 'a number, true or false is wanted',
  qomPath: (value: unknown) =>
    typeof value === 'string' && qomPath.test(value) ? undefined : 'a path of an object in QEMU is wanted',
  text: (value: unknown) =>
    typeof value === 'string' && value.length <= 4096 ? undefined : 'text of at most 4,096 characters is wanted',
  /** With stars for what is not fixed. */
  pattern: (value: unknown) =>
    typeof value === 'string' && pattern.test(value) ? undefined : 'a name, with or without stars, is wanted',
  /** Numbers, switches and words, also in lists and objects. */
  plain: (value: unknown) => (isPlain(value, maxDepth) ? undefined : 'numbers, true, false and plain words are wanted'),
  question: (value: unknown) => forms.qomPath(value) && forms.plain(value),
  /** A character device that keeps what it gets in memory, or drops it. */
  memoryBackend: (value: unknown) =>
    isMemoryBackend(value) ? undefined : 'only "null" and "ringbuf" of at most 1 MiB',
} as const;

export type Form = keyof typeof forms;

/** Forms of all arguments of a command together. */
export const wholeForms = { device: deviceProblem, object: objectProblem } as const;

export type WholeForm = keyof typeof wholeForms;

export function isWord(value: unknown): value is string {
  return typeof value === 'string' && word.test(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isPlain(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'boolean' || isNumber(value) || isWord(value)) return true;
  if (typeof value !== 'object' || depth === 0) return false;
  if (Array.isArray(value)) return value.length <= maxItems && value.every((each) => isPlain(each, depth - 1));
  const entries = Object.entries(value);
  return entries.length <= maxItems && entries.every(([name, each]) => isWord(name) && isPlain(each, depth - 1));
}

function isMemoryBackend(value: unknown): boolean {
  if (!isRecord(value) || !hasOnly(value, ['type', 'data'])) return false;
  const { type, data = {} } = value;
  if (!isRecord(data)) return false;
  if (type === 'null') return hasOnly(data, []);
  return type === 'ringbuf' && hasOnly(data, ['size']) && isRingSize(data.size ?? 0);
}

export function isRingSize(size: unknown): boolean {
  return isNumber(size) && size >= 0 && size <= maxRingBytes;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}
