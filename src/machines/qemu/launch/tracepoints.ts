import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { nearestNames } from '../../../formats/nearest-name.ts';
import { MachineError } from '../../../machine/errors.ts';

const listMs = 10_000;
const maxListBytes = 4 * 1024 * 1024;

/** QEMU itself only warns of a name it does not have, and then says nothing about it ever again. */
export async function checkTracepoints(
  program: string,
  names: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  if (names.length === 0) return;
  const known = await tracepointsOf(program, env);
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return;
  const near = nearestNames(unknown, [...known]);
  throw new MachineError(
    'INVALID_ARGUMENT',
    `"trace": this QEMU has no tracepoint ${unknown}.`,
    near.length > 0
      ? `Did you mean ${near.join(', ')}?`
      : `Its ${known.size} tracepoints are listed by the command: ${program.replace(/^.*\//, '')} -trace help.`,
  );
}

async function tracepointsOf(program: string, env: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> {
  const { stdout } = await promisify(execFile)(program, ['-trace', 'help'], {
    env,
    timeout: listMs,
    maxBuffer: maxListBytes,
  });
  return new Set(stdout.split('\n').filter(Boolean));
}
