import type { MediaKind } from '../../../formats/commodore/media/detect-media.ts';
import { numberOf, setNumber } from './held-settings.ts';
import type { ViceSession } from './vice-session.ts';

/** VICE's numbers for drives that take such disks; the first of them is put there where another is. */
const with170K = [1542, 1541, 1540, 1551, 1570, 1571, 1573, 2031, 2040, 3040, 4040];
const takers: Readonly<Partial<Record<MediaKind, readonly number[]>>> = {
  d64: with170K,
  g64: with170K,
  d71: [1571, 1573],
  d81: [1581, 2000, 4000],
};
/** Those whose numbers are not their names. */
const names: Readonly<Record<number, string>> = { 1542: '1541-II', 1573: '1571CR', 2000: 'FD-2000', 4000: 'FD-4000' };
/** In which it has found out what it is; until then it keeps the lines of the bus. */
const framesToStart = 60;
/** To be had with the ROMs of a 1541 alone. */
const plain = 1541;

/** Sees to it that the drive can read the disk. Answers what has changed, or why it cannot; whoever calls has the turn. */
export async function driveFor(session: ViceSession, unit: number, kind: MediaKind): Promise<string | undefined> {
  const resource = `Drive${unit}Type`;
  const fitting = takers[kind];
  if (!fitting) return undefined;
  const before = await numberOf(session, resource);
  const romBefore = await romOf(session, unit);
  if (fitting.includes(before)) return isRom(romBefore) ? undefined : withoutRom(unit, before);
  const [first = 0] = fitting;
  for (const type of fitting.includes(plain) ? [first, plain] : [first]) {
    await setNumber(session, resource, type);
    // VICE says yes to every type, may take another, and leaves the last ROM there where it has none.
    const rom = await romOf(session, unit);
    const isNew = before === 0 || Buffer.compare(rom, romBefore) !== 0;
    if ((await numberOf(session, resource)) === type && isRom(rom) && isNew)
      return `drive ${unit} is a ${nameOf(type)} now: let ${framesToStart} frames pass before it is used`;
  }
  await setNumber(session, resource, before);
  return withoutRom(unit, first);
}

/** Its processor's own view, beginning with drive 8. */
export function driveSpace(unit: number): number {
  return unit - 7;
}

function romOf(session: ViceSession, unit: number): Promise<Uint8Array> {
  return session.peek(0, 0xc000, 0x4000, { memspace: driveSpace(unit) });
}

/** Where VICE has not found it, there is nothing where the processor begins. */
function isRom(rom: Uint8Array): boolean {
  return rom.subarray(-4, -2).some((byte) => byte !== 0);
}

function withoutRom(unit: number, type: number): string {
  return `drive ${unit} cannot read it: VICE has no ROM of a ${nameOf(type)}`;
}

function nameOf(type: number): string {
  return names[type] ?? String(type);
}
