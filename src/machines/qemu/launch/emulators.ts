import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { ownValue } from '../../../formats/own-value.ts';
import { MachineError } from '../../../machine/errors.ts';

const programName = /^qemu-system-(\w+)$/;

/** Debian's names, which its newer packages install as well, and what others call the same. */
const otherNames: Readonly<Record<string, string>> = {
  amd64: 'x86_64',
  x64: 'x86_64',
  i686: 'i386',
  x86: 'i386',
  arm64: 'aarch64',
  armel: 'arm',
  armhf: 'arm',
  loong64: 'loongarch64',
  ppc64el: 'ppc64',
  ppc64le: 'ppc64',
};

/** The name that QEMU itself has for an architecture. */
export function ownNameOf(arch: string): string {
  return ownValue(otherNames, arch) ?? arch;
}

/** The system emulators found along `searchPath`, by architecture; the first of a name wins, as in a shell. */
export async function findEmulators(searchPath: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const folder of searchPath.split(delimiter).filter(Boolean)) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      const named = programName.exec(name)?.[1];
      if (named === undefined) continue;
      const arch = ownNameOf(named);
      if (found.has(arch)) continue;
      const program = join(folder, name);
      if (await isExecutable(program)) found.set(arch, program);
    }
  }
  return new Map([...found].sort(([a], [b]) => a.localeCompare(b)));
}

/** The program for an architecture; a refusal names those that are installed. */
export async function emulatorFor(arch: string, searchPath: string): Promise<string> {
  const name = `qemu-system-${arch}`;
  if (programName.test(name)) {
    for (const folder of searchPath.split(delimiter).filter(Boolean)) {
      if (await isExecutable(join(folder, name))) return join(folder, name);
    }
  }
  const emulators = await findEmulators(searchPath);
  const underAnotherName = emulators.get(arch);
  if (underAnotherName !== undefined) return underAnotherName;
  const installed = [...emulators.keys()];
  throw new MachineError(
    installed.length > 0 ? 'INVALID_ARGUMENT' : 'UNAVAILABLE',
    `There is no ${name} on this computer.`,
    installed.length > 0
      ? `Installed: ${installed.join(', ')}. Use one of them as "arch", install the one you need, or start the server with --qemu-dir.`
      : 'Install QEMU (Debian, Ubuntu: apt-get install qemu-system), or start the server with --qemu-dir where it is.',
    { installed },
  );
}

function isExecutable(program: string): Promise<boolean> {
  return access(program, constants.X_OK).then(
    () => true,
    () => false,
  );
}
