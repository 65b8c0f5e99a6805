import { advice, call, MachineError } from '../../../../machine/errors.ts';
import { type HeldSettings, numberOf } from '../held-settings.ts';
import type { ViceSession } from '../vice-session.ts';

/** A 1541 as VICE writes it into a snapshot file: modules with a name, a version, a length and bytes one after the other. */
export interface DriveMoment {
  /** The computer's cycle up to which it has run, what is left of a cycle of its own (65,536 are one), and how many it is ahead. */
  readonly ranTo: number;
  readonly fraction: number;
  readonly ahead: number;
  readonly cpu: {
    readonly a: number;
    readonly x: number;
    readonly y: number;
    readonly sp: number;
    readonly pc: number;
  };
  readonly status: number;
  readonly ram: Uint8Array;
  readonly vias: readonly [ViaMoment, ViaMoment];
  /** Counted from 2. */
  readonly halfTrack: number;
  readonly bit: number;
  /** How far into that bit, of 3,200,000. */
  readonly clock: number;
  readonly shifter: number;
  readonly bitCount: number;
  readonly lastByte: number;
  /** 1 until its processor has noticed that byte. */
  readonly byteReady: number;
  /** How far the read circuit has come, as `DiskHead` counts. */
  readonly readClock: number;
  readonly readCounter: number;
}

export interface ViaMoment {
  readonly ora: number;
  readonly ddra: number;
  readonly orb: number;
  readonly ddrb: number;
  readonly t1Latch: number;
  readonly t1: number;
  readonly t2LatchLow: number;
  readonly t2: number;
  readonly acr: number;
  readonly pcr: number;
  readonly ifr: number;
  readonly ier: number;
}

/** VICE's numbers of a 1541 and a 1541-II. */
const types = [1541, 1542];
const rom = { first: 0xc000, bytes: 0x4000, memspace: 1 } as const;
/** Nothing is left out while it waits, the disk turns evenly, and no other drive is on the bus. */
const settings = {
  Drive8TrueEmulation: 1,
  Drive8IdleMethod: 0,
  Drive8RPM: 30_000,
  Drive8WobbleFrequency: 0,
  Drive8WobbleAmplitude: 0,
  Drive9Type: 0,
  Drive10Type: 0,
  Drive11Type: 0,
} as const;

/** Makes drive 8 of a VICE one that can be compared; resolves to its ROM. Whoever calls has the turn. */
export async function readyDrive(session: ViceSession, held: HeldSettings): Promise<Uint8Array> {
  if (!types.includes(await numberOf(session, 'Drive8Type'))) throw otherDrive();
  await held.hold(session, settings);
  return session.peek(0, rom.first, rom.bytes, { memspace: rom.memspace });
}

export function otherDrive(): MachineError {
  return new MachineError('UNAVAILABLE', 'Drive 8 of this VICE is not a 1541, or not one that can be read.', [
    advice`A 1541 needs its ROM, in DRIVES/ of the folder given as "roms": ${call('machine_start', { kind: 'vice', roms: 'DIR' })}.`,
    advice`What a disk holds can be compared as a PRG.`,
  ]);
}

const headBytes = 22;
const firstModule = 58;
const known = { DRIVE8: [2, 0, 167], DRIVECPU0: [1, 2, 2173], '1541VIA1D0': [2, 2, 50], VIA2D0: [2, 2, 50] } as const;
type ModuleName = keyof typeof known;
const names: readonly ModuleName[] = ['DRIVE8', 'DRIVECPU0', '1541VIA1D0', 'VIA2D0'];

/** Undefined where the file has no such drive, or one in another form. */
export function driveMoment(vsf: Uint8Array): DriveMoment | undefined {
  const modules = modulesOf(Buffer.from(vsf.buffer, vsf.byteOffset, vsf.length));
  const [drive, cpu, via1, via2] = names.map((name) => modules.get(name));
  if (!drive || !cpu || !via1 || !via2 || drive[0] === 0) return undefined;
  const clock = low(cpu, 0);
  return {
    ranTo: low(cpu, 19),
    fraction: low(cpu, 27),
    ahead: clock - low(cpu, 43),
    cpu: { a: cpu[8] ?? 0, x: cpu[9] ?? 0, y: cpu[10] ?? 0, sp: cpu[11] ?? 0, pc: cpu.readUInt16LE(12) },
    status: cpu[14] ?? 0,
    ram: cpu.subarray(91, 91 + 0x800),
    vias: [viaMoment(via1), viaMoment(via2)],
    halfTrack: drive.readUInt16LE(16),
    bit: drive.readUInt32LE(27),
    clock: drive.readUInt32LE(44),
    bitCount: drive.readUInt32LE(56),
    shifter: drive.readUInt16LE(64) & 0x3ff,
    lastByte: drive[31] ?? 0,
    byteReady: (drive[143] ?? 0) & 1,
    // UE7 counts from the zone to 16.
    readClock: Math.max(0, drive.readUInt32LE(79) - drive.readUInt32LE(75)),
    readCounter: drive.readUInt32LE(83) & 15,
  };
}

function viaMoment(bytes: Buffer): ViaMoment {
  return {
    ora: bytes[0] ?? 0,
    ddra: bytes[1] ?? 0,
    orb: bytes[2] ?? 0,
    ddrb: bytes[3] ?? 0,
    t1Latch: bytes.readUInt16LE(4),
    t1: bytes.readUInt16LE(6),
    t2LatchLow: bytes[8] ?? 0,
    t2: bytes.readUInt16LE(12),
    acr: bytes[16] ?? 0,
    pcr: bytes[17] ?? 0,
    ifr: bytes[18] ?? 0,
    ier: bytes[19] ?? 0,
  };
}

/** Clocks have 64 bits; a session is shorter. */
function low(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 0x1_0000_0000;
}

function modulesOf(file: Buffer): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = firstModule; at + headBytes <= file.length; ) {
    const name = file.toString('latin1', at, at + 16).replace(/\0.*/s, '');
    const [major, minor] = file.subarray(at + 16, at + 18);
    const size = file.readUInt32LE(at + 18);
    if (size < headBytes || at + size > file.length) break;
    const [wantedMajor, wantedMinor, wantedSize] = known[name as ModuleName] ?? [];
    if (major === wantedMajor && minor === wantedMinor && size === wantedSize) {
      found.set(name, file.subarray(at + headBytes, at + size));
    }
    at += size;
  }
  return found;
}
