import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { MachineError } from '../../../machine/errors.ts';
import { explainedDisk } from '../launch/disk-trouble.ts';
import type { RuntimePaths } from '../launch/runtime-paths.ts';
import { counterSource } from './counter-source.ts';

const run = promisify(execFile);
const patienceMs = 30_000;
const maxHelpBytes = 4 * 1024 * 1024;
/** From this one on, versions of the interface before the second are no longer taken. */
const secondInterface = 9;
const without = 'Leave "count" out: which code ran is told without it, but not how often.';

/** Makes the plugin that counts, for this QEMU; no package has one that does. */
export async function buildCounter(
  program: string,
  { counter }: Pick<RuntimePaths, 'counter'>,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  if (process.platform !== 'linux') throw unavailable('it is known for Linux alone.', without);
  const api = await interfaceOf(program, env);
  const folder = dirname(counter);
  const source = `${counter}.c`;
  const args = ['-shared', '-fPIC', '-O2', '-fvisibility=hidden', `-DAPI=${api}`, '-o', counter, source];
  try {
    await writeFile(source, counterSource, { mode: 0o600 });
    // What a compiler that is stopped leaves goes with the machine.
    await run('cc', args, { env: { ...env, TMPDIR: folder }, timeout: patienceMs }).catch((error: unknown) => {
      throw notBuilt(error);
    });
  } catch (error) {
    throw explainedDisk(error, folder, 'leave "count" out');
  }
  return counter;
}

async function interfaceOf(program: string, env: Readonly<Record<string, string>>): Promise<number> {
  const { stdout } = await run(program, ['-help'], { env, timeout: patienceMs, maxBuffer: maxHelpBytes });
  const [, version = '?'] = /version (\d[\w.]*)/.exec(stdout) ?? [];
  if (!/^-plugin\b/m.test(stdout)) throw unavailable(`this QEMU (${version}) was built without plugins.`, without);
  return Number.parseInt(version, 10) >= secondInterface ? 2 : 1;
}

function notBuilt(error: unknown): Error {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    return unavailable(
      'QEMU takes plugins, but comes with none that counts, and there is no C compiler (cc) to make one.',
      `Install one (Debian: gcc and libc6-dev). Or: ${without}`,
    );
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  // A linker that writes by way of memory is ended by a signal instead.
  if (/No space left on device|Bus error|SIGBUS|signal 7\b/.test(said))
    return Object.assign(new Error('cc found no room'), { code: 'ENOSPC' });
  const why = said.split('\n').find((line) => /error/i.test(line)) ?? said;
  return unavailable(`cc cannot make the plugin: ${why.trim().slice(0, 200)}`, `Debian: install libc6-dev. ${without}`);
}

function unavailable(why: string, fix: string): MachineError {
  return new MachineError('UNAVAILABLE', `Nothing can be counted: ${why}`, fix);
}
