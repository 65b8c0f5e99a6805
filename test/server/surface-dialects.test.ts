import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dialects } from '../../src/dialects/index.ts';
import { dialectOptions } from '../../src/dialects/options.ts';
import { foreignNames, textsOf } from '../support/foreign-names.ts';
import { stdioClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

const surfaceDir = new URL('../surface/dialects/', import.meta.url);
const names = dialects.map(({ name }) => name);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** A file that is missing is written for the next time, and fails this time; `npx vitest -u` renews those that differ. */
test.for(names)(
  'what an agent sees of %s is what was agreed on, and names no tool of another surface',
  async (name) => {
    await using client = await stdioClient(sandbox, 'legacy', ['--dialect', name]);
    const { tools } = await client.listTools();
    const seen = { instructions: client.getInstructions(), tools };
    await expect(`${JSON.stringify(seen, null, 2)}\n`).toMatchFileSnapshot(`../surface/dialects/${name}.json`);
    const texts = textsOf({ seen: { ...seen, tools: tools.map(({ name: _, ...rest }) => rest) } });
    expect(foreignNames(name, texts)).toEqual([]);
  },
);

test('there is a surface for each dialect, and options are declared for each', () => {
  expect(readdirSync(surfaceDir).sort()).toEqual(names.map((name) => `${name}.json`).sort());
  expect(Object.keys(dialectOptions).sort()).toEqual([...names].sort());
});
