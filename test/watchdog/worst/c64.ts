import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { type Bench, costlyRegexes, deepCondition, longCondition, numbered } from './bench.ts';

const bytes = (length: number, ...parts: readonly (readonly [at: number, content: string | readonly number[]])[]) => {
  const file = new Uint8Array(length);
  for (const [at, content] of parts) {
    file.set(typeof content === 'string' ? new TextEncoder().encode(content) : content, at);
  }
  return file;
};
const long = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];

/** 84 half tracks that are all the same bytes, without a sync mark. */
const g64 = () =>
  bytes(
    12 + 84 * 8 + 10_242,
    [0, 'GCR-1541'],
    [9, [84, 0xf8, 0x1e]],
    [12, Array.from({ length: 84 }, () => long(12 + 84 * 8)).flat()],
    [12 + 84 * 8, [0, 40, ...Array.from({ length: 10_240 }, (_, index) => (index * 37) & 255)]],
  );

/** Every entry of the directory leads to the first again. */
const circularDisk = () => {
  const image = new Uint8Array(174_848);
  const track18 = 17 * 21 * 256;
  image.set([18, 1], track18);
  for (let sector = 1; sector < 19; sector++) image.set([18, (sector % 18) + 1, 0x82, 18, 1], track18 + sector * 256);
  return image;
};

const chips = () => {
  const file = bytes(0x40 + 60_000 * 16, [0, 'C64 CARTRIDGE   '], [16, [0, 0, 0, 0x40]]);
  for (let at = 0x40; at < file.length; at += 16) file.set(new TextEncoder().encode('CHIP'), at);
  return file;
};

/** A snapshot whose checksum is right and whose header has 300,000 names. */
const snapshot = () => {
  const names = Array.from({ length: 300_000 }, (_, number) => `"${number.toString(36)}":0`).join();
  const header = Buffer.from(`{"kind":"c64","options":{},"model":{},"time":"","facts":{${names}},"parts":[]}`);
  const file = Buffer.concat([
    Buffer.from('FPSNAP\x1a\n', 'latin1'),
    Buffer.from([...long(2), ...long(header.length), ...long(8)]),
    Buffer.alloc(32),
    header,
    deflateSync(''),
  ]);
  file.set(createHash('sha256').update(file.subarray(0, 20)).update(file.subarray(52)).digest(), 20);
  return file;
};

export const c64Files: Bench = {
  name: 'C64, files and sources',
  machine: { kind: 'c64', name: 'm', options: { roms: 'own', boot: false } },
  files: {
    'tape.tap': () => bytes(4_000_000, [0, 'C64-TAPE-RAW'], [12, [1]], [16, long(3_999_980)]),
    'endless.tap': () => bytes(64_000_000, [0, 'C64-TAPE-RAW'], [12, [1]], [16, long(63_999_980)]),
    'files.t64': () => bytes(64 + 65_535 * 32, [0, 'C64 tape image file'], [0x22, [255, 255]]),
    'chips.crt': chips,
    'tracks.g64': g64,
    'circle.d64': circularDisk,
    'labels.lbl': () => numbered(300_000, (number) => `al C:${(number & 0xffff).toString(16)} .label_${number}`),
    'blank.lbl': () => `${'\n'.repeat(7_000_000)}x = 1\n`,
    'circle.dbg': () =>
      `version\tmajor=2\n${numbered(60_000, (number) => `scope\tid=${number},name="s",parent=${(number + 1) % 60_000}`)}\n` +
      'sym\tid=0,name="x",scope=0,val=0x1,type=lab\n',
    'quotes.dbg': () => `version\tmajor=2\nsym\t${'x="'.repeat(2_000_000)}`,
    'lines.dbg': () =>
      'version\tmajor=2\nfile\tid=0,name="a.s"\nseg\tid=0,start=0x000000\nsym\tid=0,name="x",val=0x1,type=lab\n' +
      `${numbered(60_000, (n) => `span\tid=${n},seg=0,start=${n},size=65536\nline\tid=${n},file=0,line=${n},span=${n}`)}\n`,
    'names.snap': snapshot,
    'symbols.json': () =>
      `{"format":"frontpanel-symbols","symbols":[${'[],'.repeat(2_000_000)}[]],"lines":[],"annotations":[]}`,
  },
  calls: [
    {
      tool: 'program_run',
      what: 'empty repetitions within each other',
      input: { source: '.repeat 60000\n.repeat 60000\n.repeat 60000\n.endrepeat\n.endrepeat\n.endrepeat' },
      refused: /takes too long/,
    },
    {
      tool: 'program_run',
      what: 'macros that double each other',
      input: {
        source: `.macro m0\n.endmacro\n${numbered(30, (n) => `.macro m${n + 1}\nm${n}\nm${n}\n.endmacro`)}\nm30`,
      },
      refused: /takes too long|statements/,
    },
    {
      tool: 'program_run',
      what: 'a long sum, repeated',
      input: { source: `.repeat 60000\n.byte <(${Array(3000).fill('1').join('+')})\n* = 0\n.endrepeat` },
      refused: /takes too long/,
    },
    {
      tool: 'program_run',
      what: 'brackets within brackets',
      input: { source: `.byte ${'('.repeat(200_000)}1` },
      refused: /nested too deeply/,
    },
    {
      tool: 'program_run',
      what: 'half a million characters of wrong names',
      input: { source: numbered(28_000, (number) => ` lda wrong${number}`) },
      refused: /is not defined/,
    },
    {
      tool: 'program_run',
      what: 'one line of BASIC',
      input: { language: 'basic', source: `10 print ${'{'.repeat(490_000)}` },
      refused: /more than 2000 characters/,
    },
    {
      tool: 'program_run',
      what: 'forty thousand lines of BASIC',
      input: { language: 'basic', source: numbered(40_000, (number) => `${number}?"{`) },
      refused: /BASIC/,
    },
    {
      tool: 'program_run',
      what: 'as many bytes as fit',
      input: { bytes: `00 08 ${'ea'.repeat(0xf000)}`, start: false },
    },
    { tool: 'program_run', what: 'an archive of 65,535 files', input: { path: 'files.t64' }, refused: /holds no file/ },
    { tool: 'media_attach', what: 'a tape of an hour', input: { path: 'tape.tap', slot: 'tape' } },
    { tool: 'media_attach', what: 'a tape of days', input: { path: 'endless.tap', slot: 'tape' }, refused: /4194304/ },
    {
      tool: 'media_attach',
      what: '60,000 chips',
      input: { path: 'chips.crt', slot: 'cartridge' },
      refused: /512 chips/,
    },
    { tool: 'media_attach', what: 'tracks of noise', input: { path: 'tracks.g64', slot: 'drive8' } },
    {
      tool: 'media_attach',
      what: 'a directory in a circle',
      input: { path: 'circle.d64', slot: 'drive9' },
    },
    { tool: 'media_detach', what: 'that tape', input: { slot: 'tape' } },
    { tool: 'symbols_load', what: '300,000 labels', input: { path: 'labels.lbl' }, refused: /32768 is the limit/ },
    { tool: 'symbols_load', what: 'seven million blank lines', input: { path: 'blank.lbl' } },
    { tool: 'symbols_load', what: 'scopes in a circle', input: { path: 'circle.dbg' }, refused: /64 scopes/ },
    { tool: 'symbols_load', what: 'quotes that do not end', input: { path: 'quotes.dbg' }, refused: /./ },
    { tool: 'symbols_load', what: '60,000 lines of all memory each', input: { path: 'lines.dbg' } },
    { tool: 'disassemble', what: 'with those lines', input: { address: '0', count: 500 } },
    { tool: 'memory_read', what: 'at one of those lines', input: { address: 'a.s:30000' } },
    {
      tool: 'machine_start',
      what: 'a snapshot of 300,000 names',
      input: { kind: 'c64', snapshot: 'names.snap' },
      refused: /not as long as it says/,
    },
    {
      tool: 'symbols_load',
      what: 'JSON of nothing',
      input: { path: 'symbols.json' },
      refused: /neither a symbol file/,
    },
  ],
};

export const c64Run: Bench = {
  name: 'C64, running',
  machine: { kind: 'c64', name: 'm', options: { roms: 'own', drives: 'fast' } },
  calls: [
    { tool: 'run', what: 'frames without end', input: { frames: 2 ** 53 - 1, timeout_ms: 1000 } },
    { tool: 'run', what: 'cycles without end', input: { cycles: 2 ** 53 - 1, timeout_ms: 1000 } },
    { tool: 'run', what: 'a long condition', input: { condition: longCondition, timeout_ms: 1000 } },
    { tool: 'run', what: 'a deep condition', input: { condition: deepCondition, timeout_ms: 1000 } },
    ...costlyRegexes.map((regex) => ({
      tool: 'run',
      what: `waiting for /${regex}/`,
      input: { screen_text: `/${regex}/`, frames: 20, timeout_ms: 1000 },
    })),
    {
      tool: 'run',
      what: 'a pattern that grows',
      input: { screen_text: '/(a{1000}){1000}/' },
      refused: /limit 500 steps/,
    },
    { tool: 'run', what: 'a picture that never comes to rest', input: { screen_stable_ms: 60_000, timeout_ms: 1000 } },
    { tool: 'run', what: 'ten seconds of the past', input: { frames: 500, timeout_ms: 30_000 } },
    {
      tool: 'run',
      what: 'the past with a condition that never held',
      input: { back: true, condition: longCondition, timeout_ms: 1000 },
    },
    { tool: 'run', what: 'the past to an address', input: { back: true, until: '$4242', timeout_ms: 1000 } },
    { tool: 'state_read', what: 'with the calls that led there', input: { instructions: 50 } },
    { tool: 'step', what: 'a hundred thousand steps', input: { count: 100_000, timeout_ms: 1500 } },
    { tool: 'step', what: 'a hundred thousand steps back', input: { count: 100_000, back: true, timeout_ms: 1500 } },
    { tool: 'step', what: 'out of what never returns', input: { kind: 'out', count: 100_000, timeout_ms: 1000 } },
    { tool: 'memory_search', what: 'nearly everywhere', input: { pattern: `${'00 '.repeat(330)}99`, space: 'ram' } },
    { tool: 'memory_compare', what: 'all of it', input: { address: '0', other: '0', length: 65_536 } },
    { tool: 'memory_read', what: 'as much as there may be', input: { address: '0', length: 8192, format: 'json' } },
    { tool: 'disassemble', what: 'as much as there may be', input: { address: '0', count: 500 } },
    { tool: 'state_read', what: 'as much as there may be', input: { instructions: 50, format: 'json' } },
    { tool: 'chip_read', what: 'a sprite as a picture', input: { chip: 'vic2', part: 'sprite', as: 'image' } },
    { tool: 'screen_read', what: 'both ways', input: { mode: 'both', colours: true }, times: 10 },
    {
      tool: 'audio_capture',
      what: 'ten seconds',
      input: { frames: 500, path: 'sound.wav', spectrogram: true },
    },
    {
      tool: 'cycles_read',
      what: 'to where nothing goes',
      input: { to: '$4242', timeout_ms: 1000 },
      refused: /not reached/,
    },
    { tool: 'input_send', what: 'long texts', input: { text: 'x'.repeat(80) } },
    {
      tool: 'input_sequence',
      what: '500 steps',
      input: {
        steps: Array.from({ length: 500 }, (_, frame) => ({
          frame,
          keys: ['a'],
          mouse: { dx: 31, dy: -31 },
          light_pen: { x: 2 ** 53 - 1, y: -(2 ** 53 - 1) },
        })),
      },
      refused: /./,
    },
    {
      tool: 'breakpoint_set',
      what: 'long conditions on all of memory, too many of them',
      input: { address: 'NUMBER', length: 60_000, type: 'read', condition: longCondition },
      times: 40,
      refused: /conditions of all breakpoints together/,
    },
    { tool: 'run', what: 'with those breakpoints', input: { frames: 3, timeout_ms: 1000 } },
    {
      tool: 'breakpoint_set',
      what: 'too many',
      input: { address: 'NUMBER', log_only: true },
      times: 300,
      refused: /256 is the limit/,
    },
    { tool: 'breakpoint_list', what: 'all of them', input: {} },
    { tool: 'breakpoint_delete', what: 'one that is none', input: { id: 2 ** 53 - 1 }, refused: /No breakpoint/ },
    { tool: 'snapshot_save', what: 'too many', input: { name: 'sNUMBER' }, times: 300, refused: /256 of them/ },
    { tool: 'snapshot_list', what: 'all of them', input: {} },
    { tool: 'snapshot_restore', what: 'one of many', input: { name: 's7' } },
    { tool: 'snapshot_delete', what: 'one of many', input: { name: 's7' } },
    {
      tool: 'memory_write',
      what: 'as much as there may be',
      input: { address: '0', bytes: 'ea'.repeat(65_536), space: 'ram' },
    },
    { tool: 'run', what: 'a machine full of nothing', input: { frames: 50, timeout_ms: 1000 } },
    { tool: 'pause', what: 'what is paused', input: {} },
    { tool: 'machine_reset', what: 'in a row', input: {}, times: 5 },
    {
      tool: 'batch',
      what: '20 heavy steps',
      input: {
        steps: Array.from({ length: 20 }, () => ({
          tool: 'memory_compare',
          arguments: { address: '0', other: '0', length: 65_536 },
        })),
      },
    },
  ],
};
