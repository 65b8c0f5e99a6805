import { MachineError } from '../../../machine/errors.ts';

export const driveTypes = ['disk', 'cdrom', 'floppy'] as const;
const formats = ['raw', 'qcow2'] as const;
export const driveInterfaces = ['ide', 'virtio', 'scsi', 'usb', 'nvme', 'sd', 'pflash'] as const;
/** What happens to what the guest writes; `snapshot`, the usual, throws it away. */
const fates = ['readonly', 'snapshot', 'write'] as const;

export type DriveType = (typeof driveTypes)[number];
export type DriveFormat = (typeof formats)[number];
export type DriveInterface = (typeof driveInterfaces)[number];

/** One entry of the option `drives`, as it was written. */
export interface DriveSpec {
  /** Undefined: an empty drive. */
  readonly path: string | undefined;
  readonly type: DriveType | undefined;
  readonly format: DriveFormat | undefined;
  readonly interface: DriveInterface | undefined;
  readonly readOnly: boolean;
  /** The file itself is changed. */
  readonly write: boolean;
}

/** `PATH[,WORD…]`; words are taken from the end as long as they are known, so that paths may contain commas. */
export function parseDrive(text: string): DriveSpec {
  const parts = text.split(',');
  const words = new Set<string>();
  while (parts.length > 0 && isWord(parts.at(-1) ?? '')) words.add((parts.pop() ?? '').trim());
  const path = parts.join(',').trim() || undefined;
  if (words.delete('iso')) words.add('cdrom');
  const where = one(text, driveInterfaces, words);
  // Whatever its size, a floppy disk goes nowhere but into its own drive.
  const type = one(text, driveTypes, words) ?? kindOf(path ?? '', where);
  const fate = one(text, fates, words);
  const spec: DriveSpec = {
    path,
    type,
    format: one(text, formats, words),
    interface: where,
    readOnly: fate === 'readonly',
    write: fate === 'write',
  };
  if (path === undefined && (type === undefined || type === 'disk')) {
    throw refusal(text, 'it has no path', 'Write "PATH", "PATH,readonly"; only "cdrom" and "floppy" may be empty.');
  }
  if (type === 'floppy' && where !== undefined) throw refusal(text, `a floppy is not on ${where}`, 'Leave one out.');
  if (spec.write && type === 'cdrom')
    throw refusal(text, 'a cdrom is never written', 'Leave "write" out, or add "disk".');
  return spec;
}

export const driveWords: readonly string[] = [...driveTypes, 'iso', ...formats, ...fates, ...driveInterfaces];
const known: ReadonlySet<string> = new Set(driveWords);

function kindOf(path: string, where: DriveInterface | undefined): DriveType | undefined {
  if (/\.iso$/i.test(path)) return 'cdrom';
  return where === undefined ? undefined : 'disk';
}

function isWord(part: string): boolean {
  return known.has(part.trim());
}

function one<T extends string>(text: string, choices: readonly T[], words: ReadonlySet<string>): T | undefined {
  const [first, second] = choices.filter((choice) => words.has(choice));
  if (second !== undefined) throw refusal(text, `${first} and ${second} exclude each other`, 'Leave one out.');
  return first;
}

function refusal(text: string, why: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', `The drive ${JSON.stringify(text.slice(0, 120))}: ${why}.`, fix);
}
