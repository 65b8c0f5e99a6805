import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { MachineError } from '../../../machine/errors.ts';

const programName = /^qemu-system-(\w+)$/;

/** The system emulators found along `searchPath`, by architecture; the first of a name wins, as in a shell. */
export async function findEmulators(searchPath: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const folder of searchPath.split(delimiter).filter(Boolean)) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      const arch = programName.exec(name)?.[1];
      if (arch === undefined || found.has(arch)) continue;
      const program = join(folder, name);
      const executable = await access(program, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (executable) found.set(arch, program);
    }
  }
  return new Map([...found].sort(([a], [b]) => a.localeCompare(b)));
}

/** The program for an architecture; a refusal names those that are installed. */
export async function emulatorFor(arch: string, searchPath: string): Promise<string> {
  const emulators = await findEmulators(searchPath);
  const program = emulators.get(arch);
  if (program !== undefined) return program;
  const installed = [...emulators.keys()];
  throw new MachineError(
    installed.length > 0 ? 'INVALID_ARGUMENT' : 'UNAVAILABLE',
    `There is no qemu-system-${arch} on this computer.`,
    installed.length > 0
      ? `Installed: ${installed.join(', ')}. Use one of them as "arch", or install the one you need.`
      : 'Install QEMU, on Debian and Ubuntu: apt-get install qemu-system.',
    { installed },
  );
}
