import { usualMostChars } from '../api/argument-limits.ts';
import { parseArguments } from '../api/arguments.ts';
import {
  longestSnapshotFile,
  readSnapshotFile,
  type SnapshotFile,
  SnapshotFileError,
} from '../formats/snapshot/snapshot-file.ts';
import { advice, call, MachineError } from '../machine/errors.ts';
import type { Rack } from '../rack/rack.ts';
import type { RackedMachine } from '../rack/racked-machine.ts';

interface Wanted {
  readonly kind: string;
  readonly name: string | undefined;
  readonly options: Readonly<Record<string, unknown>> | undefined;
  readonly path: string;
}

/** A new machine that goes on where a snapshot in a file was made, here or on another computer. */
export async function startFromSnapshot(
  { kind: kindName, name, options, path }: Wanted,
  rack: Rack,
  signal: AbortSignal,
): Promise<RackedMachine> {
  const kind = rack.kind(kindName);
  const file = await readFile(path, await rack.files.read(path, longestSnapshotFile));
  if (file.kind !== kindName) {
    const message = `${path} is a snapshot of a ${file.kind.slice(0, 32)} machine.`;
    throw new MachineError('INVALID_ARGUMENT', message, `Use "kind":"${file.kind.slice(0, 32)}".`);
  }
  const { data: own, error } = kind.snapshotOptions?.safeParse(file.options) ?? {};
  if (!own) throw unusable(path, error ? `its options are wrong (${error.issues[0]?.message})` : 'it takes none');
  const given = { ...own, ...options };
  const checked = parseArguments(`options of ${kindName}`, kind.options, given, usualMostChars);
  const asSaved = parseArguments(`options of ${kindName}`, kind.options, own, usualMostChars);
  const other = (kind.snapshotDecides ?? []).find((each) => checked[each] !== asSaved[each]);
  if (other !== undefined) throw contradicted(path, other, asSaved[other], checked[other]);
  const racked = await rack.start(kindName, checked, name);
  try {
    if (!racked.machine.snapshots?.unpack) throw unusable(path, `a ${kindName} machine takes no snapshot files`);
    await racked.machine.snapshots.unpack(file, 'elsewhere', signal);
    return racked;
  } catch (error) {
    await rack.stop(racked.handle, 'its snapshot could not be used');
    throw error;
  }
}

async function readFile(path: string, bytes: Uint8Array): Promise<SnapshotFile> {
  try {
    return await readSnapshotFile(bytes);
  } catch (error) {
    if (error instanceof SnapshotFileError) throw unusable(path, error.message);
    throw error;
  }
}

function contradicted(path: string, option: string, is: unknown, wanted: unknown): MachineError {
  return new MachineError(
    'INVALID_ARGUMENT',
    `${path} is of a machine with "${option}":${JSON.stringify(is)}; ${JSON.stringify(wanted)} is another machine.`,
    `Leave "${option}" out, or start one without the snapshot.`,
    { option, is },
  );
}

function unusable(path: string, why: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', `${path} cannot be used: ${why}.`, [
    advice`Use a file that ${call('snapshot_save')} wrote.`,
  ]);
}
