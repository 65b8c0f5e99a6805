import { readdirSync } from 'node:fs';
import type { Tool } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../src/tools/index.ts';
import { Guest } from '../support/guest.ts';
import { type Era, stdioClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

const surfaceDir = new URL('../surface/', import.meta.url);
/** Models differ; this is on the careful side for JSON. */
const charsPerToken = 3.5;

let sandbox: Sandbox;
let all: readonly Tool[];
let byDefault: readonly Tool[];

beforeAll(async () => {
  sandbox = await Sandbox.open();
  all = await listed('legacy', ['--toolset', 'all']);
  byDefault = await listed('modern', []);
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** A file that is missing is written for the next time, and fails this time; `npx vitest -u` renews those that differ. */
test('what an agent sees of each tool is what was agreed on', async () => {
  for (const tool of all) {
    await expect(`${JSON.stringify(tool, null, 2)}\n`).toMatchFileSnapshot(`../surface/${tool.name}.json`);
  }
  const files = readdirSync(surfaceDir).filter((name) => name.endsWith('.json'));
  expect(files.sort()).toEqual(all.map(({ name }) => `${name}.json`).sort());
});

test('the default list is short enough for every client', () => {
  expect(byDefault.length).toBeLessThan(30);
  expect(tokens(byDefault)).toBeLessThan(4500);
  expect(all.length).toBeLessThanOrEqual(76);
  expect(all.length).toBeGreaterThan(byDefault.length);
});

test('the order is the same every time, in every era', async () => {
  const names = (tools: readonly Tool[]) => tools.map(({ name }) => name);
  expect(names(await listed('modern', ['--toolset', 'all']))).toEqual(names(all));
  expect(names(all.filter(({ name }) => names(byDefault).includes(name)))).toEqual(names(byDefault));
});

test('what is in a toolset is what --toolset says', async () => {
  const names = (await listed('legacy', ['--toolset', 'chips,network'])).map(({ name }) => name);
  expect(names).toEqual(tools.filter(({ toolset }) => ['chips', 'network'].includes(toolset)).map(({ name }) => name));
  const short = await listed('legacy', ['--toolset', 'short']);
  expect(short.map(({ name }) => name)).toEqual(byDefault.map(({ name }) => name));
});

describe('every tool', () => {
  const each = (check: (tool: Tool) => void) => () => {
    expect(all.length).toBeGreaterThan(0);
    for (const tool of all) check(tool);
  };

  test(
    'has a name that every client takes',
    each(({ name }) => expect(name).toMatch(/^[a-z][a-z0-9_]{1,39}$/)),
  );

  test(
    'has a title and a description that is short',
    each(({ name, title, description = '' }) => {
      expect(title, name).toMatch(/^\S.{2,39}$/);
      expect(description.length, name).toBeGreaterThan(20);
      expect(description.length, name).toBeLessThanOrEqual(600);
    }),
  );

  test(
    'says whether it reads, destroys, may be repeated, and reaches outside',
    each(({ name, annotations }) => {
      // What is left out has the value that the protocol gives it.
      const assumed = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
      const tool = tools.find((each) => each.name === name);
      expect({ ...assumed, ...annotations }, name).toMatchObject({
        readOnlyHint: tool?.effect === 'read',
        ...(tool?.effect !== 'read' && { destructiveHint: tool?.effect === 'destroy' }),
        idempotentHint: tool?.idempotent ?? false,
        openWorldHint: tool?.openWorld ?? false,
      });
    }),
  );

  test(
    'takes an object of typed arguments and nothing else',
    each(({ name, inputSchema }) => {
      expect(inputSchema, name).toMatchObject({ type: 'object' });
      for (const key of ['oneOf', 'anyOf', 'allOf', 'not', '$schema'])
        expect(inputSchema, name).not.toHaveProperty(key);
      for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
        expect(argument).toMatch(/^[a-z][a-z0-9_]*$/);
        expect(schema, `${name}.${argument}`).toHaveProperty('type', expect.any(String));
      }
    }),
  );

  test(
    'has a schema that every model provider takes',
    each(({ name, inputSchema }) => {
      for (const [path, node] of walk(inputSchema, name)) {
        expect(node, path).not.toHaveProperty('$ref');
        expect(node, path).not.toHaveProperty('$defs');
        expect(node, path).not.toHaveProperty('definitions');
        if ('type' in node && !path.endsWith('.properties')) expect(typeof node.type, path).toBe('string');
      }
    }),
  );

  test(
    'has no output schema, which makes clients drop the text',
    each((tool) => expect(tool).not.toHaveProperty('outputSchema')),
  );
});

test('structuredContent is there with --structured only, and equals the data', async () => {
  await using guest = await Guest.listen();
  for (const flags of [[], ['--structured']]) {
    await using client = await stdioClient(sandbox, 'modern', flags);
    await client.startConsole(guest.port);
    const list = await client.call('machine_list', { format: 'json' });
    if (flags.length === 0) expect(list.structured).toBeUndefined();
    else expect(list.structured).toEqual(JSON.parse(list.text));
    const failed = await client.call('machine_stop', { machine: 'nobody' });
    expect(failed).toMatchObject({ isError: true, structured: undefined });
  }
});

async function listed(era: Era, args: readonly string[]): Promise<readonly Tool[]> {
  await using client = await stdioClient(sandbox, era, args);
  return (await client.listTools()).tools;
}

function tokens(tools: readonly Tool[]): number {
  return JSON.stringify(tools).length / charsPerToken;
}

function* walk(node: unknown, path: string): Generator<[string, object]> {
  if (typeof node !== 'object' || node === null) return;
  yield [path, node];
  for (const [key, child] of Object.entries(node)) yield* walk(child, `${path}.${key}`);
}
