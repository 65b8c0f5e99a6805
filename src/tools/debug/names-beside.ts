import { MachineError } from '../../machine/errors.ts';
import type { HostFiles } from '../../machine/files.ts';
import type { SymbolsCapability } from '../../machine/symbols.ts';

/** What assemblers and compilers call the files with the names of a program; the ones that tell most come first. */
export const labelEndings = ['dbg', 'dbj', 'elf', 'vs', 'labels', 'lbl', 'sym', 'rep', 'lst', 'list'] as const;

export function withEnding(path: string, ending: string): string {
  return `${path.replace(/\.[^./\\]*$/, '')}.${ending}`;
}

/** The files with names that lie beside a program, unless the machine knows those of one already. */
export async function namesBeside(
  path: string,
  symbols: SymbolsCapability | undefined,
  files: Pick<HostFiles, 'resolve' | 'open'>,
): Promise<readonly string[]> {
  if (!symbols?.sources) return [];
  const found: string[] = [];
  const places = new Set<string>();
  for (const file of labelEndings.map((ending) => withEnding(path, ending))) {
    const place = file === path ? undefined : await ifAllowed(placeOf(file, files));
    if (place === undefined) continue;
    found.push(file);
    places.add(place);
  }
  if (found.length === 0) return [];
  for (const { name } of symbols.sources) {
    const place = await ifAllowed(files.resolve(name, 'read'));
    if (found.includes(name) || (place !== undefined && places.has(place))) return [];
  }
  return found;
}

async function placeOf(file: string, files: Pick<HostFiles, 'open'>): Promise<string> {
  const opened = await files.open(file, 'read');
  opened.close();
  return opened.path;
}

/** Undefined for what is not there, or not to be read. */
async function ifAllowed<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (problem) {
    if (problem instanceof MachineError) return undefined;
    throw problem;
  }
}
