import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { nearest } from '../formats/nearest-name.ts';
import { coloursFor } from './colours.ts';
import { commandRows } from './commands.ts';
import { configSchema } from './config-schema.ts';
import { helpText } from './help.ts';
import { options } from './options.ts';
import { optionsMarkdown } from './options-markdown.ts';

const plain = { stream: {}, env: {} };

describe('help', () => {
  test.each(commandRows)('$command shows exactly its own options and keeps to the width', ({ command }) => {
    const text = helpText(command, { ...plain, columns: 80 });
    const shown = [...text.matchAll(/^ {2}(?:-., )?--([a-z-]+)/gm)].map((match) => match[1]);
    const topic = command === 'help' ? 'stdio' : command;
    const own = options.filter((option) => option.commands.includes(topic) && !option.hidden).map(({ name }) => name);
    expect(shown.toSorted()).toEqual(own.toSorted());
    const tooWide = text.split('\n').filter((line) => line.length > 80 && !line.startsWith('  frontpanel'));
    expect(tooWide).toEqual([]);
  });

  test('defaults, choices and variables are told', () => {
    const text = helpText('serve', plain);
    expect(text).toMatch(/TCP port to listen on; 0 takes any free one\.\s+\[default:\s+6510;\s+FRONTPANEL_PORT\]/);
    expect(text).toContain('--log-level debug|info|notice|warning|error');
    expect(text).not.toContain('conformance');
  });

  test('colours only on a terminal without NO_COLOR', () => {
    const paint = (isTTY: boolean, env: NodeJS.ProcessEnv) => coloursFor({ isTTY }, env).red('x');
    expect(paint(true, {})).toBe('\x1b[31mx\x1b[0m');
    expect(paint(true, { NO_COLOR: '1' })).toBe('x');
    expect(paint(true, { TERM: 'dumb' })).toBe('x');
    expect(paint(false, {})).toBe('x');
    expect(helpText('serve', { stream: { isTTY: true }, env: {} })).toContain('\x1b[1mUsage:\x1b[0m');
    expect(helpText('serve', plain)).not.toContain('\x1b');
  });
});

test('the table for the README has a row for each option that is shown', () => {
  const rows = optionsMarkdown().split('\n').slice(2);
  expect(rows).toHaveLength(options.filter((option) => !option.hidden).length);
  for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(7);
});

test('names, keys and variables of options do not collide', () => {
  for (const column of ['name', 'key', 'env'] as const) {
    expect(new Set(options.map((option) => option[column])).size).toBe(options.length);
  }
});

describe('schema of the configuration file', () => {
  const schema = z.fromJSONSchema(configSchema());

  test('takes the defaults of all options', () => {
    const defaults = options
      .filter((option) => (option.reach ?? 'file') === 'file' && option.default !== undefined)
      .map((option) => [option.name, option.default]);
    expect(schema.safeParse(Object.fromEntries(defaults)).error).toBeUndefined();
    expect(defaults.length).toBeGreaterThan(15);
  });

  test.each([
    { port: 65_536 },
    { port: '1' },
    { toolset: 'debug' },
    { 'log-level': 'loud' },
    { config: 'x' },
    { unknown: 1 },
  ])('refuses %j', (wrong) => expect(schema.safeParse(wrong).success).toBe(false));
});

test.each([
  ['prot', 'port'],
  ['maxRate', 'max-rate'],
  ['max_rate', 'max-rate'],
  ['tok', 'token'],
  ['zzzz', undefined],
])('nearest to %s is %s', (word, meant) => {
  expect(nearest(word, ['port', 'host', 'max-rate', 'token'])).toBe(meant);
});
