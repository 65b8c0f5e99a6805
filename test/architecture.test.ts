import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';

/** Each folder of src/, the folders it may import, and the packages it may use. Anything not listed is forbidden. */
const layers: Record<string, { readonly folders: readonly string[]; readonly packages: readonly string[] }> = {
  chips: { folders: [], packages: [] },
  // Knowledge of file formats and languages that no machine owns. The assembler takes its opcodes from the chip that runs them.
  formats: { folders: ['chips'], packages: [] },
  links: { folders: [], packages: ['node', 'serialport'] },
  machine: { folders: [], packages: ['zod'] },
  host: { folders: ['machine'], packages: ['node'] },
  console: { folders: ['machine', 'links'], packages: ['node', '@xterm/headless'] },
  machines: { folders: ['machine', 'chips', 'formats', 'links', 'console'], packages: ['node', 'zod'] },
  // What kinds of machines share. It knows none of them, nor their chips.
  'machines/built-in': { folders: ['machine'], packages: ['node'] },
  rack: { folders: ['machine'], packages: [] },
  tools: { folders: ['machine', 'rack'], packages: ['zod', 're2js'] },
  dialects: { folders: ['tools', 'machine'], packages: ['zod'] },
  server: {
    folders: ['tools', 'dialects', 'rack', 'machine'],
    packages: ['node', 'zod', '@modelcontextprotocol/server'],
  },
  view: { folders: ['rack', 'machine'], packages: ['node', 'ws'] },
  cli: {
    folders: ['view', 'server', 'dialects', 'tools', 'rack', 'machines', 'machine', 'console', 'links', 'host'],
    packages: ['node', 'zod', 'serialport'],
  },
};

const root = join(import.meta.dirname, '../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/[.-]test(ing)?\.ts$/.test(file) && file !== 'cli.ts',
);

test('every folder of src has a place in the table', () => {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !(name in layers))).toEqual([]);
});

test.for(files)('%s imports only what its layer allows', (file) => {
  const [layer = '', kind = ''] = file.split(sep);
  const allowed = layers[`${layer}/${kind}`] ?? layers[layer];
  const specifiers = importsOf(readFileSync(join(root, file), 'utf8'));
  const forbidden = specifiers.filter((specifier) => {
    if (!specifier.startsWith('.')) return !allowed?.packages.includes(packageOf(specifier));
    const [target = '', targetKind = ''] = relative(root, join(root, dirname(file), specifier)).split(sep);
    if (target === 'machines' && layer === 'machines') {
      return targetKind !== kind && targetKind !== 'built-in' && kind !== 'index.ts';
    }
    return target !== layer && !allowed?.folders.includes(target);
  });
  expect(forbidden).toEqual([]);
});

test('the check sees imports of every form', () => {
  const source = `import a from './a.ts';\nexport { b } from "../b.ts";\nimport 'c';\nconst d = await import('node:fs');`;
  expect(importsOf(source)).toEqual(['./a.ts', '../b.ts', 'c', 'node:fs']);
});

function importsOf(source: string): string[] {
  const forms = /(?:\bfrom\s+|\bimport\s*\(\s*|^\s*import\s+)['"]([^'"]+)['"]/gm;
  return [...source.matchAll(forms)].map(([, specifier = '']) => specifier);
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node';
  const [scope = '', name = ''] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}
