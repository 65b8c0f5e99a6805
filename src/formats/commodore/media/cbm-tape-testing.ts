import { pulses as pulsesOn, readTap, writeTap } from './tap.ts';

/** Pulses as the KERNAL writes them, in units of eight cycles. */
const short = 0x30;
const medium = 0x42;
const long = 0x56;

/** Lengths of the leaders, in pulses: those of the KERNAL are 27,136 and 5,376. */
const headerLeader = 0x6a00 / 4;
const dataLeader = 0x1a00;

export interface TapeFile {
  readonly name: string;
  readonly address: number;
  readonly body: Uint8Array;
  /** 1 a BASIC program, 3 one that belongs where it was, 4 a data file, 5 the end of the tape (which has no body). */
  readonly kind?: 1 | 3 | 4 | 5;
  /** What lies in the header after the name. */
  readonly behindName?: Uint8Array;
  readonly leader?: number;
  /** Leaves the second copy of the header out: half the time to wait for it. */
  readonly once?: boolean;
  /** Changes the pulses of a copy of the body: each byte is 20 of them, after leader and countdown. */
  readonly damage?: (pulses: number[], copy: 1 | 2, firstByte: number) => number[];
}

/** A TAP image with one program on it, recorded as SAVE does: a header, then the data, each of them twice. */
export function tapOf(name: string, address: number, body: Uint8Array): Uint8Array {
  return tapFile(pulsesOf({ name, address, body }));
}

/** A TAP image (version 1) of these bytes. */
export function tapFile(data: readonly number[]): Uint8Array {
  return writeTap(Uint8Array.from(data));
}

/** A file on tape, as bytes of a TAP image. */
export function pulsesOf(file: TapeFile): number[] {
  const { name, address, body, kind = 1, behindName = new Uint8Array(), leader, once, damage } = file;
  const end = address + body.length;
  const header = new Uint8Array(192).fill(0x20);
  header.set([kind, address & 255, address >> 8, end & 255, (end >> 8) & 255]);
  header.set(
    Array.from(name, (character) => character.charCodeAt(0)),
    5,
  );
  header.set(behindName, 21);
  const pulses = once ? copy(header, leader ?? headerLeader, 1) : blockOf(header, leader ?? headerLeader);
  return kind === 5 ? pulses : [...pulses, ...blockOf(body, leader ?? dataLeader, damage)];
}

/** One block: both copies of it. */
export function blockOf(bytes: Uint8Array, leader: number, damage?: TapeFile['damage']): number[] {
  return [...copy(bytes, leader, 1, damage), ...copy(bytes, 0x4f, 2, damage), ...new Array<number>(0x4e).fill(short)];
}

function copy(bytes: Uint8Array, leader: number, number: 1 | 2, damage?: TapeFile['damage']): number[] {
  const flag = number === 1 ? 0x80 : 0;
  const countdown = [9, 8, 7, 6, 5, 4, 3, 2, 1].map((each) => each | flag);
  const sum = bytes.reduce((each, byte) => each ^ byte, 0);
  const pulses = new Array<number>(leader).fill(short);
  for (const byte of [...countdown, ...bytes, sum]) pulses.push(...encoded(byte));
  const damaged = damage?.(pulses, number, leader + countdown.length * 20) ?? pulses;
  return [...damaged, long, short];
}

function encoded(byte: number): number[] {
  const pulses = [long, medium];
  let parity = 1;
  for (let bit = 0; bit < 8; bit++) {
    const value = (byte >> bit) & 1;
    parity ^= value;
    pulses.push(...(value ? [medium, short] : [short, medium]));
  }
  return [...pulses, ...(parity ? [medium, short] : [short, medium])];
}

/** The copies of blocks on a tape as bytes, with countdown and checksum; bytes that are not as they should be are -1. */
export function copiesOn(image: Uint8Array): number[][] {
  const kinds = Array.from(pulsesOn(readTap(image)), (cycles) => (cycles < 456 ? 's' : cycles < 608 ? 'm' : 'l')).join(
    '',
  );
  return kinds
    .split(/s{20,}/)
    .map((copy) => (copy.match(/lm[sm]{18}/g) ?? []).map((each) => byteOf(each.slice(2))))
    .filter((copy) => copy.length > 0);
}

function byteOf(pairs: string): number {
  const bits = (pairs.match(/../g) ?? []).map((pair) => ['sm', 'ms'].indexOf(pair));
  const isOdd = bits.reduce((sum, bit) => sum + bit, 0) % 2 === 1;
  return bits.includes(-1) || !isOdd ? -1 : bits.slice(0, 8).reduce((byte, bit, at) => byte | (bit << at), 0);
}
