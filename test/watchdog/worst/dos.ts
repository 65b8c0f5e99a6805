import { deflateRawSync } from 'node:zlib';
import { type Bench, costlyRegexes, longCondition, numbered } from './bench.ts';
import { hostilePrograms } from './dos-programs.ts';

const stepped = { run_to_prompt: false };
const machine = (program: string, options: Readonly<Record<string, unknown>> = {}) => ({
  kind: 'dos',
  name: 'm',
  options: { program, ...stepped, ...options },
});

const images = {
  'disc.iso': () => new Uint8Array(2048 * 600),
  'disk.img': () => new Uint8Array(512 * 63 * 16 * 16),
  'floppy.img': () => new Uint8Array(512 * 2880),
};
const ownOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'print.com': { printer: 'paper.txt' },
  'disks.com': { cdrom: ['disc.iso'], hard_disk: 'disk.img', floppy: 'floppy.img' },
  'sound.com': { sound: 'sb16' },
};

/** Each is started, watched for some seconds, and stopped. */
export const dosGuests: readonly Bench[] = Object.keys(hostilePrograms)
  .filter((name) => name !== 'graph.com' && name !== 'still.com')
  .map((name) => ({
    name: `DOS, a guest: ${name}`,
    files: {
      [name]: hostilePrograms[name] ?? (() => ''),
      'large.txt': () => 'a line\r\n'.repeat(400_000),
      ...(name === 'dir.bat' ? folderFull() : {}),
      ...(name === 'disks.com' ? images : {}),
    },
    machine: machine(name, ownOptions[name]),
    calls: [{ tool: 'run', what: name, input: { timeout_ms: 1000 } }],
  }));

/** Names that all begin alike. */
function folderFull(): Record<string, () => string> {
  return Object.fromEntries(
    Array.from({ length: 3000 }, (_, number) => [`z long name of a file ${number}.text`, () => '']),
  );
}

/** A file that unpacks to so many zeros; `claimed` is what the directory says. */
function zip(size: number, claimed = size, copies = 1): Uint8Array {
  const packed = deflateRawSync(new Uint8Array(size));
  const name = new TextEncoder().encode('zeros.dat');
  const local = new Uint8Array(30 + name.length + packed.length);
  const view = new DataView(local.buffer);
  view.setUint32(0, 0x04034b50, true);
  view.setUint16(8, 8, true);
  view.setUint16(26, name.length, true);
  local.set(name, 30);
  local.set(packed, 30 + name.length);
  const entries = Array.from({ length: copies }, (_, number) => {
    const path = new TextEncoder().encode(copies === 1 ? 'zeros.dat' : `very long name of number ${number}.dat`);
    const entry = new Uint8Array(46 + path.length);
    const fields = new DataView(entry.buffer);
    fields.setUint32(0, 0x02014b50, true);
    fields.setUint16(10, 8, true);
    fields.setUint32(20, packed.length, true);
    fields.setUint32(24, claimed, true);
    fields.setUint16(28, path.length, true);
    entry.set(path, 46);
    return entry;
  });
  const end = new Uint8Array(22);
  const last = new DataView(end.buffer);
  last.setUint32(0, 0x06054b50, true);
  last.setUint16(10, copies, true);
  last.setUint32(16, local.length, true);
  return Buffer.concat([local, ...entries, end]);
}

export const dosArchives: readonly Bench[] = [
  {
    name: 'DOS, an archive that unpacks to much',
    files: { 'large.zip': () => zip(120 * 1024 * 1024), 'type.bat': () => 'type zeros.dat\r\n' },
    machine: { kind: 'dos', name: 'm', options: { folder: 'large.zip', commands: ['type zeros.dat'], ...stepped } },
    calls: [{ tool: 'run', what: 'its one file on the screen', input: { timeout_ms: 1500 } }],
  },
  {
    name: 'DOS, an archive of 8,000 names',
    files: { 'names.zip': () => zip(1000, 1000, 8000) },
    machine: { kind: 'dos', name: 'm', options: { folder: 'names.zip', commands: ['dir'], ...stepped } },
    calls: [{ tool: 'run', what: 'all of them on the screen', input: { timeout_ms: 1500 } }],
  },
  {
    name: 'DOS, archives that are refused',
    files: { 'huge.zip': () => zip(1000, 4_000_000_000), 'many.zip': () => zip(10, 10, 20_000) },
    calls: [
      {
        tool: 'machine_start',
        what: 'four gigabytes',
        input: { kind: 'dos', options: { folder: 'huge.zip' } },
        refused: /unpacks to more than/,
      },
      {
        tool: 'machine_start',
        what: '20,000 files',
        input: { kind: 'dos', options: { folder: 'many.zip' } },
        refused: /at most 8192/,
      },
    ],
  },
];

/** Text that somebody hopes an assembler never comes to the end of. */
export const dosSources: Bench = {
  name: 'DOS, sources',
  machine: { kind: 'dos', name: 'm' },
  calls: [
    {
      tool: 'program_run',
      what: 'repetitions of nothing',
      input: { source: 'times 65000 org 100h\n'.repeat(10_000) },
      refused: /takes too long/,
    },
    {
      tool: 'program_run',
      what: 'a short source of long repetitions',
      input: { source: 'times 65000 org 100h\n'.repeat(100) },
      refused: /takes too long/,
    },
    {
      tool: 'program_run',
      what: 'a long sum, repeated',
      input: { source: `times 65000 resb 0*(${Array(2000).fill('1').join('+')})\n`.repeat(50) },
      refused: /takes too long/,
    },
    {
      tool: 'program_run',
      what: 'definitions that double each other',
      input: { source: `%define d0 1\n${numbered(40, (n) => `%define d${n + 1} d${n},d${n}`)}\ndb d40` },
      refused: /more than 4096 words/,
    },
    {
      tool: 'program_run',
      what: 'brackets within brackets',
      input: { source: `mov ax,${'('.repeat(4000)}1` },
      refused: /more than 64 deep/,
    },
    {
      tool: 'program_run',
      what: 'half a million characters of wrong names',
      input: { source: numbered(19_000, (number) => `mov ax,wrong${number}`) },
      refused: /wrong0 is not defined/,
    },
    {
      tool: 'program_run',
      what: 'addresses that never settle',
      input: { source: `a: times 1-(b-a) nop\nb:\n${'jmp a\n'.repeat(15_000)}` },
      refused: /do not settle|does not fit|takes too long/,
    },
    { tool: 'program_run', what: 'as much as fits', input: { source: 'times 64000 nop', start: false } },
    {
      tool: 'program_run',
      what: 'as many names as there may be',
      input: { source: `ret\n${numbered(19_000, (number) => `name_${number} equ ${number}`)}` },
    },
    { tool: 'disassemble', what: 'with those names', input: { count: 500 } },
  ],
};

export const dosGraph: Bench = {
  name: 'DOS, a graph as large as it gets',
  files: { 'graph.com': hostilePrograms['graph.com'] ?? (() => '') },
  machine: machine('graph.com'),
  calls: [
    { tool: 'run', what: 'through 12,000 blocks', input: { frames: 200, timeout_ms: 30_000 } },
    { tool: 'graph_read', what: 'all of it', input: { limit: 200, format: 'json' } },
    { tool: 'graph_read', what: 'as a picture', input: { as: 'picture', limit: 200 } },
    { tool: 'graph_read', what: 'as DOT', input: { as: 'dot', limit: 200 } },
    { tool: 'graph_read', what: 'one function', input: { address: 'cs:ip', scope: 'function' } },
    { tool: 'graph_read', what: 'far around', input: { address: 'cs:ip', depth: 50 } },
    { tool: 'graph_read', what: 'cross references', input: { address: 'cs:ip', as: 'xrefs' } },
    { tool: 'functions_list', what: 'all of them', input: { limit: 200, format: 'json' } },
    { tool: 'film_read', what: 'as many pictures as there may be', input: { count: 48 } },
    { tool: 'film_read', what: 'a moment', input: { at: 0 } },
    { tool: 'snapshot_save', what: 'a moment', input: { name: 'then', at: 0 } },
    { tool: 'names_export', what: 'all of it as DOT', input: { as: 'dot', path: 'graph.dot' } },
    { tool: 'names_export', what: 'all of it for IDA', input: { as: 'ida', path: 'graph.py' } },
    { tool: 'names_export', what: 'all of it as Spice86 has it', input: { as: 'spice86_flow', path: 'flow.json' } },
    { tool: 'graph_read', what: 'texts', input: { as: 'strings', limit: 200, format: 'json' } },
    { tool: 'names_export', what: 'a listing', input: { as: 'listing', address: '0x70000', length: 0x40000 } },
    {
      tool: 'names_export',
      what: 'a listing of everything',
      input: { as: 'listing', address: '0', length: 0x100000 },
      refused: /262144/,
    },
    { tool: 'coverage_read', what: 'a start', input: { action: 'start', name: 'runNUMBER' }, times: 20 },
    { tool: 'coverage_read', what: 'one too many', input: { action: 'start', name: 'more' }, refused: /20 runs/ },
    { tool: 'run', what: 'through some of it', input: { frames: 20, timeout_ms: 5000 } },
    { tool: 'coverage_read', what: 'an end', input: { action: 'stop', name: 'runNUMBER' }, times: 20 },
    { tool: 'coverage_read', what: 'read by function', input: { action: 'read', name: 'run0', without: 'run1' } },
    { tool: 'coverage_read', what: 'read by range', input: { action: 'read', name: 'run0', by: 'range' } },
    { tool: 'snapshot_save', what: 'some', input: { name: 'sNUMBER' }, times: 10 },
    { tool: 'snapshot_restore', what: 'one', input: { name: 's3' } },
    { tool: 'run', what: 'back', input: { back: true, condition: longCondition, timeout_ms: 1500 } },
    { tool: 'step', what: 'back', input: { back: true, count: 100_000, timeout_ms: 1500 } },
  ],
};

export const dosLarge: Bench = {
  name: 'DOS, as much memory as there may be',
  files: { 'still.com': hostilePrograms['still.com'] ?? (() => '') },
  machine: machine('still.com', { memory: 16_384 }),
  calls: [
    { tool: 'run', what: 'a minute', input: { frames: 4200, timeout_ms: 30_000 } },
    { tool: 'memory_search', what: 'nearly everywhere', input: { pattern: `${'00 '.repeat(330)}99` } },
    { tool: 'memory_search', what: 'anything, then two bytes', input: { pattern: `${'?? '.repeat(320)}99 98` } },
    { tool: 'memory_search', what: 'pairs', input: { pattern: `${'00 ?? '.repeat(160)}99` } },
    { tool: 'memory_compare', what: 'as much as there may be', input: { address: '0', other: '0', length: 65_536 } },
    {
      tool: 'names_export',
      what: 'all memory',
      input: { as: 'memory', address: '0', length: 0x1000000, path: 'dump' },
    },
    { tool: 'value_find', what: 'too large', input: { restart: true }, refused: /is the limit/ },
    { tool: 'run', what: 'back to what never was', input: { back: true, condition: longCondition, timeout_ms: 1500 } },
    { tool: 'run', what: 'back by frames', input: { back: true, frames: 2000, timeout_ms: 1500 } },
    { tool: 'step', what: 'back', input: { back: true, count: 100_000, timeout_ms: 1500 } },
    { tool: 'snapshot_save', what: 'too many', input: { name: 'sNUMBER' }, times: 30, refused: /256 MiB/ },
    { tool: 'screen_read', what: 'both ways', input: { mode: 'both' }, times: 5 },
  ],
};

/** As much of it as can be searched. */
export const dosValues: Bench = {
  name: 'DOS, values in much memory',
  files: { 'still.com': hostilePrograms['still.com'] ?? (() => '') },
  machine: machine('still.com', { memory: 15_000 }),
  calls: [
    { tool: 'value_find', what: 'a start', input: { restart: true, width: 'dword' } },
    { tool: 'value_find', what: 'all of it', input: { compare: 'unchanged', limit: 200, from: 15_000_000 } },
    { tool: 'value_find', what: 'none of it', input: { compare: 'changed' } },
  ],
};

export const dosTools: Bench = {
  name: 'DOS, tools on a busy program',
  files: {
    'calls.com': hostilePrograms['calls.com'] ?? (() => ''),
    'names.sym': () =>
      numbered(100_000, (number) => `name_${number} 0x${(number * 7).toString(16)} l ; comment ${number}`),
    'wrong.sym': () => numbered(400_000, (number) => `name_${number} zz${number}`),
    'large.sym': () => 'x 1\n'.repeat(3_000_000),
  },
  machine: machine('calls.com', { run_to_prompt: true }),
  calls: [
    { tool: 'names_import', what: '100,000 names', input: { path: 'names.sym' } },
    { tool: 'names_import', what: '400,000 lines that are wrong', input: { path: 'wrong.sym' } },
    { tool: 'names_import', what: 'three million lines', input: { path: 'large.sym' }, refused: /is the limit/ },
    { tool: 'names_write', what: 'one too many', input: { address: '0x1', name: 'one_more' }, refused: /50000/ },
    { tool: 'names_write', what: 'a list of none of them', input: { filter: 'nothing like this' } },
    { tool: 'names_export', what: 'for Ghidra', input: { as: 'ghidra', path: 'all.sym' } },
    { tool: 'disassemble', what: 'with all those names', input: { count: 500 } },
    {
      tool: 'trace_start',
      what: 'a long condition',
      input: { max_entries: 10_000_000, condition: `!(${longCondition})` },
    },
    { tool: 'run', what: 'traced', input: { timeout_ms: 1500 } },
    { tool: 'graph_read', what: 'data references', input: { as: 'xrefs', address: '0x500' } },
    { tool: 'trace_read', what: 'as much as there may be', input: { limit: 500, format: 'json' } },
    { tool: 'trace_stop', what: 'that', input: {} },
    { tool: 'calls_read', what: 'looking for nothing', input: { filter: 'nothing like this', limit: 500 } },
    { tool: 'calls_read', what: 'the newest', input: { limit: 500, format: 'json' } },
    { tool: 'audio_capture', what: 'sound', input: { frames: 500, path: 'dos-sound.wav' } },
    {
      tool: 'breakpoint_set',
      what: 'an event for each instruction',
      input: { address: '0', length: 65_536, log_only: true },
    },
    { tool: 'run', what: 'with those events', input: { timeout_ms: 1500 } },
    { tool: 'events_read', what: 'all of them', input: {} },
    {
      tool: 'breakpoint_set',
      what: 'long conditions on every access',
      input: { address: 'NUMBER', length: 65_536, type: 'read', condition: longCondition },
      times: 40,
      refused: /conditions of all breakpoints together/,
    },
    { tool: 'run', what: 'with those conditions', input: { timeout_ms: 1500 } },
    { tool: 'run', what: 'back, with those conditions', input: { back: true, timeout_ms: 1500 } },
    { tool: 'breakpoint_list', what: 'all of them', input: {} },
    {
      tool: 'memory_freeze',
      what: 'too much',
      input: { address: 'NUMBER', bytes: '00'.repeat(4096) },
      times: 20,
      refused: /At most 256 freezes/,
    },
    { tool: 'run', what: 'with those freezes', input: { timeout_ms: 1500 } },
    {
      tool: 'input_send',
      what: 'a mouse that moves too far',
      input: { mouse: [2 ** 53 - 1, 0], relative: true },
      refused: /at most 10000/,
    },
    { tool: 'input_send', what: 'a mouse that moves far', input: { mouse: [10_000, -10_000], relative: true } },
    ...costlyRegexes.map((regex) => ({
      tool: 'console_read',
      what: `waiting for /${regex}/`,
      input: { expect: `/${regex}/`, timeout_ms: 500 },
    })),
    { tool: 'machine_reset', what: 'in a row', input: {}, times: 3 },
    { tool: 'machine_stop', what: 'that', input: { machine: 'm' } },
  ],
};
