// Bundles the program and the page into dist. `--if-stale`: only if a source is newer than the last build.
// `--first`: what the demo needs, and no more; other machines then boot, which what is packed and tested does not leave to them.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildParts, sources } from './program-parts.js';

const stamp = 'dist/.built';
const parts = ['scripts/program-parts.js', 'scripts/keep-constants.js'];
const maker = 'scripts/make-starts.ts';
if (process.argv.includes('--if-stale') && isFresh()) process.exit();

const { build } = await import('esbuild');
rmSync('dist', { recursive: true, force: true });
mkdirSync('dist/page', { recursive: true });
await Promise.all([buildProgram(), buildPage()]);
cpSync('src/gym/types/gym.d.ts', 'dist/gym.d.ts');
writeFileSync(stamp, '');

async function buildProgram() {
  await buildParts(['src/cli.ts', 'src/gym/gym.ts', maker], 'dist');
  await makeStarts();
}

async function buildPage() {
  const page = build({
    entryPoints: ['src/view/page/page.tsx', 'src/view/page/style.css'],
    outdir: 'dist/page',
    chunkNames: 'part-[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  await Promise.all([page.then(buildViewer), buildApp()]);
  for (const file of ['index.html', 'icon.svg']) cpSync(`src/view/page/${file}`, `dist/page/${file}`);
  for (const file of readdirSync('dist/page')) {
    writeFileSync(`dist/page/${file}.gz`, gzipSync(readFileSync(`dist/page/${file}`), { level: 9 }));
  }
}

/** What machines become when they boot, so that nobody has to wait for the first one. */
async function makeStarts() {
  const machines = process.argv.includes('--first') ? ['c64'] : [];
  await promisify(execFile)(process.execPath, ['dist/make-starts.js', 'dist', ...machines]);
  rmSync('dist/make-starts.js');
}

/** The page that shows an exported session. */
function buildViewer() {
  return buildWhole(
    'viewer/viewer.tsx',
    'viewer/viewer.html',
    readFileSync('dist/page/style.css', 'utf8'),
    'viewer.html',
  );
}

/** The page that chat programs show beside an answer. */
async function buildApp() {
  const style = await build({
    entryPoints: ['src/view/page/app/app.css'],
    bundle: true,
    write: false,
    minify: true,
    logLevel: 'warning',
  });
  await buildWhole('app/app.ts', 'app/app.html', style.outputFiles[0].text, 'app.html');
}

/** A page with script and style within, so that one file is all there is. */
async function buildWhole(entry, frame, css, name) {
  const { outputFiles } = await build({
    entryPoints: [`src/view/page/${entry}`],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  const [script, style] = [outputFiles[0].text.trim(), css.trim()];
  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const page = readFileSync(`src/view/page/${frame}`, 'utf8')
    .replace('POLICY', () => `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:`)
    .replace('<!-- STYLE -->', () => `<style>${style}</style>`)
    .replace('<!-- SCRIPT -->', () => `<script>${script}</script>`);
  writeFileSync(`dist/page/${name}`, page);
}

function isFresh() {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  return [...sources(), 'package.json', 'package-lock.json', 'scripts/build.js', ...parts].every(
    (path) => statSync(path).mtimeMs <= built,
  );
}
