import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

test('all descriptions of the package have its version and start what it ships', () => {
  const { version, mcpName, bin } = read('package.json');
  const registry = read('server.json');
  expect(registry).toMatchObject({ name: mcpName, version, packages: [{ identifier: 'frontpanel', version }] });
  expect(registry.description.length).toBeLessThanOrEqual(100);
  expect(read('packaging/manifest.json')).toMatchObject({ version, server: { entry_point: bin.frontpanel } });
  const plugin = read('plugin/.claude-plugin/plugin.json');
  expect(plugin).toMatchObject({ version, mcpServers: { frontpanel: { command: 'npx', args: ['-y', 'frontpanel'] } } });
  const [listed] = read('.claude-plugin/marketplace.json').plugins;
  expect(listed).toEqual({ name: plugin.name, source: './plugin' });
});

test.for(['package-lock.json', 'test/official/package-lock.json'])(
  '%s names no registry, and of each package the C library that it is made for',
  (path) => {
    const packages: Record<string, { resolved?: string; integrity?: string; os?: string[]; libc?: string[] }> =
      read(path).packages;
    const entries = Object.entries(packages);
    const placed = entries.filter(([, { resolved }]) => resolved !== undefined);
    // As their makers say it, where npm could ask.
    const forAll = entries.filter(
      ([place, { os, libc, integrity }]) => !integrity && os?.includes('linux') && /musl|gnu/.test(place) && !libc,
    );
    expect({ placed, forAll: forAll.map(([place]) => place) }).toEqual({ placed: [], forAll: [] });
  },
);

test('a first build is not laid over one that is to be packed', () => {
  const { scripts } = read('package.json');
  expect(scripts.prepack).toBe(scripts.build);
  expect(scripts.prepare).toContain('--if-stale');
});

const steps = readFileSync(join(root, 'Dockerfile'), 'utf8')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .flatMap((line) => {
    const [, word, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return word === undefined || rest === undefined ? [] : [{ word, rest }];
  });
const base = steps.findLast(({ word }) => word === 'FROM')?.rest ?? '';

test('the image copies what is there, runs the command of the package, and not as root', () => {
  const copied = steps.filter(({ word, rest }) => word === 'COPY' && !rest.startsWith('--from='));
  for (const { rest } of copied) expect(existsSync(join(root, rest.split(' ')[0] ?? ''))).toBe(true);
  const { name, version, bin, engines } = read('package.json');
  const [, packed] =
    /^--from=build \/tmp\/(\S+)/.exec(steps.find(({ rest }) => rest.startsWith('--from='))?.rest ?? '') ?? [];
  expect(`${name}-${version}.tgz`).toMatch(new RegExp(`^${packed?.replace('*', '.*')}$`));
  expect(Object.keys(bin)).toContain(JSON.parse(steps.find(({ word }) => word === 'ENTRYPOINT')?.rest ?? '[]')[0]);
  expect(steps.filter(({ word }) => word === 'USER').at(-1)?.rest).toBe('node');
  expect(steps.filter(({ word }) => word === 'ENV').map(({ rest }) => rest)).toContain('FRONTPANEL_PAGE=off');
  expect(Number(/^node:(\d+)/.exec(base)?.[1])).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]));
});

/** One that has what the image is made from: else the test would be about somebody's network. */
const builder = ['docker', 'podman'].find((each) => spawnSync(each, ['image', 'inspect', base]).status === 0);

test.skipIf(builder === undefined)(
  'the image is built, and starts a machine as a user who is not root',
  { timeout: 900_000 },
  () => {
    const run = (args: readonly string[], input = '') => {
      const { stdout, stderr, status } = spawnSync(builder ?? '', args, { cwd: root, encoding: 'utf8', input });
      if (status !== 0) throw new Error(stderr);
      return stdout;
    };
    run(['build', '-t', 'frontpanel-test', '.']);
    expect(run(['run', '--rm', '--entrypoint', 'id', 'frontpanel-test', '-un']).trim()).toBe('node');
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'image test', version: '1' },
    };
    const messages = [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'machine_start', arguments: { kind: 'c64' } } },
    ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const said = run(['run', '--rm', '-i', '--init', 'frontpanel-test'], messages.join(''));
    expect(said).toContain('c64-1 PAUSED at ');
    expect(said).not.toContain('watch and take over');
  },
);
