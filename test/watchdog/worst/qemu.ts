import { type Bench, costlyRegexes, longCondition, numbered } from './bench.ts';
import { coreOfHeaders, elfNoise, elfOfItself, elfWithSymbols } from './elf-files.ts';

/** A PC that stands at its firmware. */
export const qemuBench: Bench = {
  name: 'QEMU',
  files: {
    'symbols.elf': () => elfWithSymbols(200_000),
    'noise.elf': elfNoise,
    'types.elf': elfOfItself,
    'headers.core': coreOfHeaders,
    'system.map': () =>
      numbered(200_000, (number) => `${(0xffffffff81000000n + BigInt(number) * 16n).toString(16)} T name_${number}`),
  },
  machine: { kind: 'qemu', name: 'm', options: { arch: 'x86_64', memory: 64, guest_agent: true } },
  calls: [
    { tool: 'run', what: 'a second', input: { timeout_ms: 1000 } },
    { tool: 'pause', what: 'that', input: {} },
    {
      tool: 'memory_search',
      what: 'nearly everywhere',
      input: { pattern: `${'00 '.repeat(330)}99`, length: 0x1000000 },
    },
    { tool: 'memory_compare', what: 'as much as there may be', input: { address: '0', other: '0', length: 65_536 } },
    { tool: 'disassemble', what: 'as much as there may be', input: { address: '0', count: 500 } },
    { tool: 'step', what: 'some', input: { count: 20, timeout_ms: 3000 } },
    { tool: 'run', what: 'a long condition', input: { condition: longCondition, timeout_ms: 1500 } },
    { tool: 'screen_read', what: 'both ways', input: { mode: 'both' }, times: 3 },
    { tool: 'pages_read', what: 'as many as there may be', input: { limit: 500 } },
    {
      tool: 'linux_read',
      what: 'where no Linux runs',
      input: { what: 'log', limit: 2000 },
      refused: /No Linux kernel/,
    },
    { tool: 'crash_explain', what: 'of a machine that runs', input: {} },
    { tool: 'guest_ask', what: 'where nobody answers', input: {}, refused: /No guest agent/ },
    { tool: 'coverage_read', what: 'a start', input: { action: 'start', name: 'boot' } },
    { tool: 'machine_reset', what: 'a boot whose code is noted', input: {} },
    { tool: 'run', what: 'that', input: { timeout_ms: 3000 } },
    { tool: 'coverage_read', what: 'what ran', input: { action: 'read', name: 'boot', limit: 200 } },
    { tool: 'coverage_read', what: 'an end', input: { action: 'stop', name: 'boot' } },
    { tool: 'crash_dump', what: 'a core file', input: { path: 'core-file' } },
    {
      tool: 'machine_start',
      what: 'a core file opened',
      input: { kind: 'qemu', name: 'dead', options: { core: 'core-file' } },
    },
    {
      tool: 'memory_search',
      what: 'nearly everywhere in a core file',
      input: { machine: 'dead', from: '0x100000', pattern: `${'00 '.repeat(330)}99`, length: 0x1000000 },
    },
    { tool: 'pages_read', what: 'of a core file', input: { machine: 'dead', limit: 500 } },
    { tool: 'crash_explain', what: 'of a core file', input: { machine: 'dead' } },
    {
      tool: 'linux_read',
      what: 'a core file without Linux',
      input: { machine: 'dead', what: 'log', limit: 2000 },
      refused: /No Linux kernel/,
    },
    { tool: 'machine_stop', what: 'a core file', input: { machine: 'dead' } },
    {
      tool: 'machine_start',
      what: 'a core file of nothing but headers',
      input: { kind: 'qemu', options: { core: 'headers.core' } },
      refused: /cannot be opened as a core file/,
    },
    ...costlyRegexes.map((regex) => ({
      tool: 'boot_read',
      what: `marks of /${regex}/`,
      input: {
        marks: numbered(20, (number) => `${number}=/${regex}/`)
          .split('\n')
          .slice(0, 20),
      },
    })),
    {
      tool: 'evaluate',
      what: 'as much as one may write',
      input: { expression: `${'('.repeat(30)}1${')'.repeat(30)}${'+1'.repeat(200)}` },
    },
    {
      tool: 'evaluate',
      what: 'brackets without end',
      input: { expression: '('.repeat(500) },
      refused: /./,
    },
    { tool: 'source_read', what: 'without debug information', input: {}, refused: /No debug information/ },
    { tool: 'symbols_load', what: '200,000 symbols', input: { path: 'symbols.elf' } },
    { tool: 'disassemble', what: 'with those symbols', input: { address: '0', count: 500 } },
    { tool: 'symbols_load', what: '200,000 lines', input: { path: 'system.map' } },
    { tool: 'symbols_load', what: 'noise', input: { path: 'noise.elf' } },
    { tool: 'symbols_load', what: 'structures of themselves', input: { path: 'types.elf' } },
    { tool: 'evaluate', what: 'as deep as it goes', input: { expression: 'evil', depth: 6 }, times: 3 },
    { tool: 'evaluate', what: 'all of memory', input: { expression: 'everything', depth: 6 } },
    { tool: 'evaluate', what: 'member after member', input: { expression: `evil${'.m0'.repeat(160)}`, depth: 6 } },
    { tool: 'evaluate', what: 'pointer after pointer', input: { expression: `${'*'.repeat(60)}next` }, refused: /./ },
    { tool: 'evaluate', what: 'casts', input: { expression: `${'(struct evil *)'.repeat(30)}0` }, times: 5 },
    {
      tool: 'run',
      what: 'a condition of such a type',
      input: { condition: 'evil.m0.m1 == 5', timeout_ms: 1500 },
      refused: /is not a number/,
    },
    {
      tool: 'input_send',
      what: 'a mouse that moves too far',
      input: { mouse: [2 ** 53 - 1, 0], relative: true },
      refused: /./,
    },
    { tool: 'network_capture_start', what: 'without a network', input: {}, refused: /./ },
    { tool: 'network_capture_read', what: 'without a network', input: { cursor: 2 ** 53 - 1 }, refused: /./ },
    { tool: 'network_capture_stop', what: 'without a network', input: {}, refused: /./ },
    { tool: 'monitor_execute', what: 'a question', input: { command: 'query-status' } },
    ...costlyRegexes.map((regex) => ({
      tool: 'console_read',
      what: `waiting for /${regex}/`,
      input: { expect: `/${regex}/`, timeout_ms: 500 },
    })),
  ],
};
