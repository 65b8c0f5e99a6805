import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Stop } from '../../../machine/state.ts';
import { TimeSlice } from '../../shared/time-slice.ts';

/** What a machine became on the way to its prompt. */
export interface Start {
  /** Ends of frames on the way, and what they led to. */
  readonly passed: readonly Uint8Array[];
  readonly last: Uint8Array;
  readonly picture: Uint8Array;
  readonly stop: Stop;
}

interface Header {
  readonly states: number;
  readonly stateBytes: number;
  readonly pages: number;
  readonly stop: Stop;
}

const mostBytes = 32 * 1024 * 1024;
/** At the beginning of a file: what is damaged must not become a machine that is almost right. */
const sumBytes = 32;
const lineFeed = 10;
const pageBytes = 256;

/**
 * The build lays one beside the program for each machine as most people start it. Where there is none the machine boots;
 * it does so too where one cannot be used, which is logged.
 */
export async function shippedStart(
  recipe: string,
  log: (text: string) => void,
  beside: string = import.meta.url,
): Promise<Start | undefined> {
  const file = new URL(`./${startFileName(recipe)}`, beside);
  try {
    return await unpackStart(await readFile(file));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) log(`${fileURLToPath(file)} cannot be used, so the machine boots instead: ${why}`);
    return undefined;
  }
}

export function startFileName(recipe: string): string {
  return `start-${createHash('sha256').update(recipe).digest('hex').slice(0, 16)}.bin`;
}

/** Pages that are equal, in one state or in several, are written once. */
export function packStart({ passed, last, picture, stop }: Start): Uint8Array {
  const states = [...passed, last];
  if (states.some(({ length }) => length !== last.length)) throw new Error('States of one machine differ in size.');
  const pages = new Map<string, number>();
  const numbers = states.map((state) => Uint16Array.from(pagesOf(state), (page) => numberOf(page, pages)));
  const header = { states: states.length, stateBytes: last.length, pages: pages.size, stop } satisfies Header;
  const parts = [
    Buffer.from(`${JSON.stringify(header, withoutBigints)}\n`),
    ...[...pages.keys()].map((page) => Buffer.from(page, 'latin1')),
    ...numbers.map(({ buffer }) => Buffer.from(buffer)),
    picture,
  ];
  const whole = Buffer.concat(parts);
  return Buffer.concat([sumOf(whole), deflateRawSync(whole, { level: 9 })]);
}

/** In turns: nothing of the machine has run yet, and what has not run is slow. */
export async function unpackStart(packed: Uint8Array): Promise<Start> {
  const whole = inflateRawSync(packed.subarray(sumBytes), { maxOutputLength: mostBytes });
  if (!sumOf(whole).equals(packed.subarray(0, sumBytes))) throw new Error('The file is damaged.');
  const pagesAt = whole.indexOf(lineFeed) + 1;
  const header = JSON.parse(whole.toString('utf8', 0, pagesAt), withBigints) as Header;
  const numbersAt = pagesAt + header.pages * pageBytes;
  const perState = Math.ceil(header.stateBytes / pageBytes);
  const states: Uint8Array[] = [];
  const slice = new TimeSlice();
  for (let index = 0; index < header.states; index++) {
    if (slice.isOver) await slice.next();
    const state = Buffer.alloc(perState * pageBytes);
    for (let page = 0; page < perState; page++) {
      const at = pagesAt + whole.readUInt16LE(numbersAt + 2 * (index * perState + page)) * pageBytes;
      whole.copy(state, page * pageBytes, at, at + pageBytes);
    }
    states.push(new Uint8Array(state.buffer, state.byteOffset, header.stateBytes));
  }
  const last = states.pop();
  if (!last) throw new Error('A start that came with the program is empty.');
  const picture = Uint8Array.from(whole.subarray(numbersAt + 2 * header.states * perState));
  return { passed: states, last, picture, stop: header.stop };
}

function sumOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function* pagesOf(state: Uint8Array): Iterable<string> {
  for (let at = 0; at < state.length; at += pageBytes) {
    yield Buffer.from(state.subarray(at, at + pageBytes))
      .toString('latin1')
      .padEnd(pageBytes, '\0');
  }
}

function numberOf(page: string, pages: Map<string, number>): number {
  const number = pages.get(page) ?? pages.size;
  pages.set(page, number);
  return number;
}

function withoutBigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { bigint: value.toString() } : value;
}

function withBigints(_: string, value: unknown): unknown {
  const isOne = typeof value === 'object' && value !== null && 'bigint' in value && typeof value.bigint === 'string';
  return isOne ? BigInt(String(value.bigint)) : value;
}
