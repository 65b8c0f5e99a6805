import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));

test('all descriptions of the package have its version and start what it ships', () => {
  const { version, mcpName, bin } = read('package.json');
  const registry = read('server.json');
  expect(registry).toMatchObject({ name: mcpName, version, packages: [{ identifier: 'frontpanel', version }] });
  expect(registry.description.length).toBeLessThanOrEqual(100);
  expect(read('packaging/manifest.json')).toMatchObject({ version, server: { entry_point: bin.frontpanel } });
  expect(read('plugin/.claude-plugin/plugin.json')).toMatchObject({ version });
});
