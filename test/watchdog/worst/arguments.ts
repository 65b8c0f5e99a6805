import type { Bench } from './bench.ts';

const many = (count: number) => Array.from({ length: count }, (_, number) => number);
const deep = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
};

/**
 * Arguments whose mere size would keep a server busy, for all tools alike: they share what looks at arguments. As many as
 * a message may have; more are refused before they are read.
 */
export const argumentBench: Bench = {
  name: 'arguments',
  machine: { kind: 'c64', name: 'm', options: { roms: 'own', boot: false } },
  calls: [
    {
      tool: 'memory_read',
      what: 'an address of a million blanks',
      input: { address: `a${' '.repeat(1_000_000)}b` },
      refused: /address has 1,000,002 characters, and 4,096 is the limit/,
    },
    {
      tool: 'memory_read',
      what: 'a number of two million digits',
      input: { address: '9'.repeat(2_000_000) },
      refused: /4,096 is the limit/,
    },
    {
      tool: 'registers_write',
      what: 'nine hundred registers',
      input: { values: Object.fromEntries(many(900).map((number) => [`k${number}`, '0'])) },
      refused: /900 names, and 256 is the limit/,
    },
    {
      tool: 'input_send',
      what: 'ninety thousand directions',
      input: { joystick: 1, directions: many(90_000).map(() => 'x') },
      refused: /90,000 items, and 1,000 is the limit/,
    },
    {
      tool: 'memory_read',
      what: 'nine hundred unknown arguments',
      input: { address: '0', ...Object.fromEntries(many(900).map((number) => [`k${number}`, number])) },
      refused: /256 is the limit/,
    },
    {
      tool: 'machine_start',
      what: 'options within options',
      input: { kind: 'c64', options: { roms: deep(40) } },
      refused: /roms/,
    },
    {
      tool: 'machine_start',
      what: 'nine hundred options',
      input: { kind: 'dos', options: Object.fromEntries(many(900).map((number) => [`k${number}`, number])) },
      refused: /256 is the limit/,
    },
    {
      tool: 'batch',
      what: 'steps that are too large each',
      input: { steps: many(20).map(() => ({ tool: 'memory_read', arguments: { address: '9'.repeat(200_000) } })) },
      refused: /4,096 is the limit/,
    },
    { tool: 'machine_kinds', what: 'a kind that is none', input: { kind: 'x'.repeat(4000) }, refused: /kind/i },
    { tool: 'tool_find', what: 'many words', input: { find: 'read cycles of a frame '.repeat(8) } },
    { tool: 'tool_find', what: 'every tool', input: {}, times: 10 },
    {
      tool: 'tool_find',
      what: 'a call within a call within a call',
      input: { tool: 'tool_find', arguments: { tool: 'tool_find', arguments: { tool: 'tool_find', arguments: {} } } },
      refused: /./,
    },
    {
      tool: 'tool_find',
      what: 'words of a pattern',
      input: { find: '\u{1f9ff}(.*a){25}\\'.repeat(13) },
    },
    {
      tool: 'tool_find',
      what: 'a call with nine hundred arguments',
      input: {
        tool: 'memory_read',
        arguments: { address: '0', ...Object.fromEntries(many(900).map((number) => [`k${number}`, number])) },
      },
      refused: /256 is the limit/,
    },
    {
      tool: 'tool_find',
      what: 'an address of a million blanks',
      input: { tool: 'memory_read', arguments: { address: `a${' '.repeat(1_000_000)}b` } },
      refused: /4,096 is the limit/,
    },
    {
      tool: 'tool_find',
      what: 'a search of all memory',
      input: { tool: 'memory_search', arguments: { pattern: `${'00 '.repeat(330)}99` } },
    },
    { tool: 'debug_port', what: 'asked often', input: {}, times: 20 },
    { tool: 'machine_list', what: 'asked often', input: {}, times: 50 },
    { tool: 'events_read', what: 'from the far future', input: { from: 2 ** 53 - 1 } },
    { tool: 'events_read', what: 'of types that are none', input: { types: many(20).map((number) => `t${number}`) } },
    {
      tool: 'snapshot_restore',
      what: 'a name that is none',
      input: { name: 'x'.repeat(4000) },
      refused: /No snapshot/,
    },
    { tool: 'media_attach', what: 'a path that is none', input: { path: '/'.repeat(4000) }, refused: /./ },
  ],
};
