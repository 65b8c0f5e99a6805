/**
 * Adds to package-lock.json what npm left out: optional packages for other systems which the registry in use does not
 * carry. Without them `npm ci` calls the file out of date. Run it after `npm install`: `npx tsx scripts/complete-lock.ts [FILE]`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Entry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
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
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${missing.length} packages for other systems added to ${file}`);

function isThere(place: string, name: string): boolean {
  return `node_modules/${name}` in lock.packages || `${place}/node_modules/${name}` in lock.packages;
}

function entryFor(name: string, version: string, dev: boolean | undefined): Entry {
  const words = name.split(/[-/]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  if (os.length + cpu.length === 0) throw new Error(`${name}: for which system is it?`);
  return { version, optional: true, ...(dev && { dev }), ...(os.length > 0 && { os }), ...(cpu.length > 0 && { cpu }) };
}
