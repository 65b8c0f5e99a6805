// Bundles of the program, for dist and for benchmarks, so that these measure what users get.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { keepConstants, variablesIn } from './keep-constants.js';

export function sources() {
  return readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** `modules`: paths of sources, or where they come from and go to, as esbuild has it. */
export async function buildParts(modules, folder) {
  const { build } = await import('esbuild');
  const own = (path) => ({ in: path, out: basename(path, '.ts') });
  // Each thread has an entry of its own. It is found beside whatever file starts it, so everything lies in one folder.
  const workers = sources().filter((path) => path.endsWith('-worker.ts'));
  const { metafile } = await build({
    entryPoints: [...modules.map((module) => (typeof module === 'string' ? own(module) : module)), ...workers.map(own)],
    outdir: folder,
    chunkNames: 'part-[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'warning',
    metafile: true,
  });
  keepConstants(Object.keys(metafile.outputs), variablesIn(sources()));
}
