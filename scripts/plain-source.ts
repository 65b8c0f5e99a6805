import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { buildSync } from 'esbuild';
import type { Plugin } from 'vitest/config';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src') + sep;
const shelf = join(root, '.cache/plain');
const keptMs = 3_600_000;

/**
 * The program's modules as plain JavaScript, which Node loads itself. As modules of vitest each would be asked for and
 * rewritten anew in every process, each use of something imported would go through a getter, and threads would start
 * through tsx.
 */
export function plainSource(): { readonly plugin: Plugin; readonly external: RegExp } {
  let folder: string | undefined;
  return {
    external: /\/\.cache\/plain\/[^/]+\/src\//,
    plugin: {
      name: 'plain-source',
      enforce: 'pre',
      resolveId(specifier, importer) {
        if (!importer || !/^\.\.?\/.*\.ts$/.test(specifier)) return undefined;
        const file = join(dirname(importer), specifier);
        if (!file.startsWith(source) || !isPlain(file.slice(root.length + 1))) return undefined;
        folder ??= translated();
        return join(folder, file.slice(root.length + 1).replace(/\.ts$/, '.js'));
      },
    },
  };
}

/** Tests are vitest's, and the page is a browser's. */
function isPlain(file: string): boolean {
  return (
    file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.endsWith('.test.ts') && !file.includes('src/view/page/')
  );
}

/** A folder with all modules. Its name tells what they were made of, so that runs side by side share it. */
function translated(): string {
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter(isPlain)
    .sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const { mtimeMs, size } = statSync(join(root, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  const folder = join(shelf, hash.digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(shelf, { recursive: true });
  removeOld();
  const draft = mkdtempSync(join(shelf, 'draft-'));
  const { outputFiles } = buildSync({
    entryPoints: files.map((file) => join(root, file)),
    outbase: root,
    outdir: draft,
    format: 'esm',
    target: 'node20.19',
    write: false,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replace(/(\bfrom |\bimport\(|^import )"(\.\.?\/[^"\n]+)\.ts"/gm, '$1"$2.js"'));
  }
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function removeOld(): void {
  for (const name of readdirSync(shelf)) {
    const path = join(shelf, name);
    if (statSync(path).mtimeMs < Date.now() - keptMs) rmSync(path, { recursive: true, force: true });
  }
}
