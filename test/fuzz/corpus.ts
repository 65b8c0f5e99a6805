import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'corpus');

/** Inputs of a target that were found to be worth keeping, by their names. */
export function corpusOf(target: string): ReadonlyMap<string, Uint8Array> {
  const path = join(folder, target);
  const names = corpusFolders().includes(target) ? readdirSync(path).sort() : [];
  return new Map(names.map((name) => [name, readFileSync(join(path, name))]));
}

export function corpusFolders(): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
