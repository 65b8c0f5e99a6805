import type { Disc } from '../../../formats/cd/disc.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import { type DiscHost, openDisc } from '../drives/open-disc.ts';

/** What is to be in the CD-ROM drives when a machine starts. */
export interface WantedDiscs {
  readonly letters: readonly number[];
  /** Paths of images; undefined for drives without a disc. */
  readonly paths: readonly (string | undefined)[];
}

const driveD = 3;
/** The last drives are the built-in commands' and SUBST's. */
const lastLetter = 21;

/** `afterHardDisk`: D: is taken. */
export function wantedDiscs(given: readonly string[], afterHardDisk: boolean): WantedDiscs {
  const named = given.map(letterNamed);
  const first = named[0] ?? driveD + (afterHardDisk ? 1 : 0);
  if (first + given.length - 1 > lastLetter || (afterHardDisk && first === driveD)) {
    const message = `A CD-ROM drive cannot be ${letterOf(first + given.length - 1)}:.`;
    throw new MachineError('INVALID_ARGUMENT', message, 'Leave the letter out, or choose one between E: and S:.');
  }
  const letters = given.map((_, index) => first + index);
  const odd = letters.findIndex((letter, index) => (named[index] ?? letter) !== letter);
  if (odd > 0) {
    const message = `CD-ROM drive ${odd + 1} is ${letterOf(letters[odd] ?? 0)}:, not ${letterOf(named[odd] ?? 0)}:, as drives follow the first one.`;
    const fix = advice`Name a letter only for the first drive, as in ["empty F:","empty"], and insert its disc with ${call('media_attach')}.`;
    throw new MachineError('INVALID_ARGUMENT', message, fix);
  }
  return { letters, paths: given.map((path) => (emptyDrive.test(path) ? undefined : path)) };
}

const emptyDrive = /^empty(?: ([D-V]):)?$/i;

function letterNamed(given: string): number | undefined {
  const letter = emptyDrive.exec(given)?.[1];
  return letter === undefined ? undefined : letter.toUpperCase().charCodeAt(0) - 0x41;
}

/** Opens all of them, or none. */
export async function openDiscs(host: DiscHost, paths: WantedDiscs['paths']): Promise<readonly (Disc | undefined)[]> {
  const discs: (Disc | undefined)[] = [];
  try {
    for (const path of paths) discs.push(path === undefined ? undefined : await openDisc(host, path));
    return discs;
  } catch (error) {
    for (const disc of discs) disc?.close();
    throw error;
  }
}

export const letterOf = (number: number) => String.fromCharCode(0x41 + number);

/** `3 tracks, 12:30, TITLE`. */
export function describeDisc({ tracks, leadOut }: Disc, label: string): string {
  const seconds = Math.floor(leadOut / 75);
  const audio = tracks.filter(({ kind }) => kind === 'audio').length;
  const parts = [
    tracks.length === 1 ? '1 track' : `${tracks.length} tracks`,
    ...(audio > 0 ? [`${audio} of sound`] : []),
    `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} minutes`,
    label === '' ? 'no ISO 9660 volume on it' : label,
  ];
  return parts.join(', ');
}
