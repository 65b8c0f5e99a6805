/**
 * Adds to package-lock.json what npm left out: optional packages for other systems which the registry in use does not
 * carry, without which `npm ci` calls the file out of date, and the C library that a package is made for. Run it after
 * `npm install`: `npx tsx scripts/complete-lock.ts [FILE]`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Entry {
  version?: string;
  /** Only packages that the registry in use carries have one. */
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const systems = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'aix', 'win32'];
const processors = ['arm64', 'arm', 'x64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32'];

const file = process.argv[2] ?? 'package-lock.json';
const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync(file, 'utf8'));
const missing: [string, Entry][] = Object.entries(lock.packages).flatMap(([place, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => !isThere(place, name))
    .map(([name, version]): [string, Entry] => [`node_modules/${name}`, entryFor(name, version, entry.dev)]),
);
for (const [place, entry] of missing) lock.packages[place] = entry;
lock.packages = Object.fromEntries(
  Object.entries(lock.packages)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([place, entry]) => [place, { ...entry, ...libraryOf(place, entry) }]),
);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${missing.length} packages for other systems added to ${file}`);

function isThere(place: string, name: string): boolean {
  return `node_modules/${name}` in lock.packages || `${place}/node_modules/${name}` in lock.packages;
}

/** Of two packages for one processor only that is installed which is made for the system's C library. */
function libraryOf(place: string, { os, libc, integrity }: Entry): Pick<Entry, 'libc'> {
  // Of one that the registry carries npm has written what its maker says.
  if (libc || integrity !== undefined || !os?.includes('linux')) return {};
  if (/-musl(eabihf)?$/.test(place)) return { libc: ['musl'] };
  return /-gnu(eabihf)?$/.test(place) ? { libc: ['glibc'] } : {};
}

function entryFor(name: string, version: string, dev: boolean | undefined): Entry {
  const words = name.split(/[-/]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  if (os.length + cpu.length === 0) throw new Error(`${name}: for which system is it?`);
  return { version, optional: true, ...(dev && { dev }), ...(os.length > 0 && { os }), ...(cpu.length > 0 && { cpu }) };
}
