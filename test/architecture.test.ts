import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { openers, openingModules } from './file-openers.ts';

/** Each folder of src/, the folders (or single files) it may import, and the packages it may use. Anything not listed is forbidden. */
const layers: Record<string, { readonly folders: readonly string[]; readonly packages: readonly string[] }> = {
  // Knowledge of file formats and texts that several floors need and no machine owns.
  formats: { folders: [], packages: ['node'] },
  // Its header is JSON from anywhere.
  'formats/snapshot': { folders: [], packages: ['node', 'zod'] },
  chips: { folders: [], packages: [] },
  // The assembler takes its opcodes from the chip that runs them.
  'formats/commodore': { folders: ['chips'], packages: ['node'] },
  links: {
    folders: ['formats/gathered-bytes.ts', 'formats/hex.ts', 'formats/modest-json.ts', 'formats/own-value.ts'],
    packages: ['node', 'serialport'],
  },
  machine: { folders: [], packages: ['zod'] },
  host: { folders: ['machine', 'formats/hex.ts'], packages: ['node'] },
  console: { folders: ['machine', 'links', 'formats'], packages: ['node', '@xterm/headless'] },
  machines: { folders: ['machine', 'chips', 'links', 'console', 'formats'], packages: ['node', 'zod'] },
  // What kinds of machines share. It knows none of them, nor their chips.
  'machines/shared': { folders: ['machine', 'formats'], packages: ['node', 'zod'] },
  // The one door. Only plain data passes through it: it knows of machines how they fail, and nothing else, in types too.
  api: { folders: ['machine/errors.ts', 'formats/hex.ts'], packages: ['zod'] },
  rack: { folders: ['api', 'machine'], packages: [] },
  // Of what kinds share, tools use the rules that must be the same in both: long work in slices, what belongs to a function.
  tools: {
    folders: [
      'api',
      'machine',
      'rack',
      'formats',
      'machines/shared/time-slice.ts',
      'machines/shared/function-bodies.ts',
    ],
    packages: ['zod', 're2js'],
  },
  // Everything alive in this process, for those who come in by the door.
  station: {
    folders: ['api', 'tools', 'rack', 'machine', 'machines/shared/time-slice.ts', 'formats/hex.ts'],
    packages: ['node'],
  },
  dialects: { folders: ['api', 'machine/errors.ts', 'formats/hex.ts', 'formats/own-value.ts'], packages: ['zod'] },
  server: {
    folders: ['api', 'dialects', 'machine/errors.ts', 'formats/gathered-bytes.ts', 'formats/json-measure.ts'],
    packages: ['node', 'zod', '@modelcontextprotocol/server'],
  },
  // Protocols of debuggers. The wire formats are those that our own clients of them use.
  ide: {
    folders: ['api', 'links', 'machine/errors.ts', 'formats/hex.ts', 'formats/modest-json.ts'],
    packages: ['node', 'zod'],
  },
  // Machines without anybody who calls tools: environments for training, in threads of their own.
  gym: { folders: ['machine', 'machines', 'rack', 'tools', 'host', 'formats'], packages: ['node', 'zod'] },
  view: { folders: ['api', 'machine/errors.ts'], packages: ['node', 'ws'] },
  // Machines of other hosts and of other threads behind the same door, and ours behind theirs. Only loaded with --nats or --threads.
  fleet: {
    folders: ['api', 'station', 'tools', 'rack', 'machine', 'console/private-socket.ts'],
    packages: ['node', 'zod', '@nats-io/transport-node', '@nats-io/jetstream'],
  },
  'view/page': { folders: [], packages: ['preact', '@preact/signals'] },
  cli: {
    folders: [
      'api',
      'station',
      'view',
      'ide',
      'gym',
      'fleet',
      'server',
      'dialects',
      'tools',
      'rack',
      'machines',
      'machine',
      'console',
      'links',
      'host',
      'formats',
    ],
    packages: ['node', 'zod', 'serialport'],
  },
};

const root = join(import.meta.dirname, '../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/(?:\.test|-testing)\.ts$/.test(file) && file !== 'cli.ts',
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
    const path = relative(root, join(root, dirname(file), specifier));
    const [target = '', targetKind = ''] = path.split(sep);
    if (target === 'machines' && layer === 'machines') {
      return targetKind !== kind && targetKind !== 'shared' && kind !== 'index.ts';
    }
    return target !== layer && !allowed?.folders.some((each) => each === target || each === path);
  });
  expect(forbidden).toEqual([]);
});

test('the picture of the floors in the tour has every folder, and no arrow points up', () => {
  const tour = readFileSync(join(root, '../docs/tour.md'), 'utf8');
  const [, picture = ''] = /^## The floors[\s\S]*?^```\n([\s\S]*?)^```$/m.exec(tour) ?? [];
  const floors = picture.split('\n').map((line) =>
    line
      .slice(0, 26)
      .trim()
      .split(/[\s/*]+/),
  );
  const floorOf = (folder: string) => floors.findIndex((names) => names.includes(folder));
  const folders = Object.keys(layers).filter((layer) => !layer.includes('/'));
  expect(folders.filter((folder) => floorOf(folder) < 0)).toEqual([]);
  const upwards = Object.entries(layers).flatMap(([layer, allowed]) =>
    allowed.folders
      .filter((folder) => floorOf(folder.split('/')[0] ?? '') <= floorOf(layer.split('/')[0] ?? ''))
      .map((folder) => `${layer} -> ${folder}`),
  );
  expect(upwards).toEqual([]);
});

/** All that runs in the contract of machines, which else has interfaces, types and lists of words. */
const codeOfTheContract: Record<string, string> = {
  'machine/errors.ts': 'the one error that agents see, and how its advice is written',
  'machine/kind.ts': 'defineKind, which only gives a kind the type of its options',
  'machine/machine.ts': 'capabilitiesOf, which says which properties of a machine are there',
};

test('the contract of machines has interfaces and types only', () => {
  const found = files.filter(
    (file) => file.startsWith(`machine${sep}`) && hasBodies(readFileSync(join(root, file), 'utf8')),
  );
  expect(found.map((file) => file.replaceAll(sep, '/')).sort()).toEqual(Object.keys(codeOfTheContract).sort());
});

describe.each(['files', 'programs', 'code'] as const)('who opens %s', (what) => {
  const wanted = openingModules[what].flatMap((name) => [name, `node:${name}`]);
  const found = [...files, 'cli.ts'].filter((file) =>
    importsOf(readFileSync(join(root, file), 'utf8')).some((specifier) => wanted.includes(specifier)),
  );

  test('is in the list, with a reason', () => {
    expect(found.filter((file) => !(file.replaceAll(sep, '/') in openers[what]))).toEqual([]);
  });

  test('and nobody who does not is', () => {
    const names = found.map((file) => file.replaceAll(sep, '/'));
    expect(Object.keys(openers[what]).filter((file) => !names.includes(file))).toEqual([]);
  });
});

test('nobody reaches such a module by another way', () => {
  const ways =
    /\b(?:getBuiltinModule|dlopen|mainModule)\b|\bprocess\s*(?:\?\.)?\s*\[|\bprocess\.binding\b|(?<![#.\w])require\s*\(|\bimport\s*\(\s*[^'"\s)]/;
  const others = [...files, 'cli.ts'].filter((file) => !(file.replaceAll(sep, '/') in openers.code));
  const found = others.filter((file) => ways.test(readFileSync(join(root, file), 'utf8')));
  expect(found).toEqual([]);
  const hidden = [
    "process['getBuiltinModule']('fs')",
    'const { getBuiltinModule: get } = process;',
    'process.binding("fs")',
  ];
  expect(hidden.filter((code) => !ways.test(code))).toEqual([]);
});

test('the check sees imports of every form', () => {
  const source = `import a from './a.ts';\nexport { b } from "../b.ts";\nimport 'c';\nconst d = await import('node:fs');`;
  expect(importsOf(source)).toEqual(['./a.ts', '../b.ts', 'c', 'node:fs']);
});

test('the check sees code of every form', () => {
  const code = ['class A {}', 'export abstract class B<C> {}', 'function d(): void {}', 'const e = async () => 1;'];
  expect(code.filter((source) => !hasBodies(source))).toEqual([]);
  const none = [
    'interface A { b(): void; readonly c: () => void }',
    'type D = new () => E;',
    "const f = ['class A {}'];",
  ];
  expect(none.filter(hasBodies)).toEqual([]);
});

/** A class, or a function with a body, in what is left of a source without its types, comments and texts. */
function hasBodies(source: string): boolean {
  const plain = transformSync(source, { loader: 'ts', legalComments: 'none' }).code;
  const code = plain.replaceAll(/(['"])(?:\\.|(?!\1).)*\1/g, "''");
  return /\bclass\b|\bfunction\b|=>|\)\s*\{/.test(code);
}

function importsOf(source: string): string[] {
  const forms = /(?:\bfrom\s+|\bimport\s*\(\s*|^\s*import\s+)['"]([^'"]+)['"]/gm;
  return [...source.matchAll(forms)].map(([, specifier = '']) => specifier);
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node';
  const [scope = '', name = ''] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}
