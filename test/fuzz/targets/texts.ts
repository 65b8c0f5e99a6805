import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { parseConfigFile } from '../../../src/cli/config-file.ts';
import { readSections } from '../../../src/cli/config-sections.ts';
import { parseCommandLine } from '../../../src/cli/parse.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';
import { MachineError } from '../../../src/machine/errors.ts';
import { remotePort } from '../../../src/machines/console/places.ts';
import { compileCondition } from '../../../src/machines/shared/condition/condition.ts';
import { compileWideCondition } from '../../../src/machines/shared/condition/wide-condition.ts';
import { PlainSymbols } from '../../../src/machines/shared/plain-symbols.ts';
import { readMessage } from '../../../src/server/read-message.ts';
import { targetOf } from '../../../src/server/request-target.ts';
import { TopLevelId } from '../../../src/server/top-level-id.ts';
import { elide } from '../../../src/tools/console/elide.ts';
import { Matcher } from '../../../src/tools/console/expect.ts';
import { foldLines } from '../../../src/tools/console/fold-lines.ts';
import { foldRepeats } from '../../../src/tools/console/fold-repeats.ts';
import { keyBytes } from '../../../src/tools/console/keys.ts';
import { parseBytes } from '../../../src/tools/console/parse-bytes.ts';
import { patternOf } from '../../../src/tools/console/pattern-argument.ts';
import { parseAddress } from '../../../src/tools/debug/parse-address.ts';
import { parsePattern } from '../../../src/tools/debug/parse-pattern.ts';
import { parseSymbolLine } from '../../../src/tools/names/symbol-lines.ts';
import { parseCommand } from '../../../src/view/parse-command.ts';
import { type FuzzTarget, piecesOf, textOf } from '../fuzz-target.ts';

const names = ['a', 'raster_line', 'x'];
const symbols = new PlainSymbols();
symbols.add([
  ['start', 0xc000n],
  ['__proto__', 1n],
]);

const conditions = ['raster_line == 100 && a > 5', '[0xc000] != 3 || !(x & 0x80)', 'word[$1000+x] << 2', '-a * ~3 ^ 5'];
const conditionWords = [
  '(',
  ')',
  '[',
  ']',
  '||',
  '&&',
  '==',
  'word[',
  'dword[',
  '!',
  '~',
  '-',
  '<<',
  '99999999999999999999',
  '0x',
  '$',
  'constructor',
  '__proto__',
];

const config = JSON.stringify({
  $schema: './frontpanel.config.schema.json',
  port: 6510,
  'allow-path': ['.'],
  consoles: { a: { port: 5000, log: { file: 'a.log' } } },
  tokens: [{ name: 'a', role: 'use', token: '0123456789abcdef0123' }],
  policy: { kinds: ['c64'], tcp: ['127.0.0.1:5000-6000'], devices: [] },
});

export const textTargets: readonly FuzzTarget[] = [
  {
    name: 'condition',
    seeds: () => conditions,
    words: conditionWords,
    read: async (input) => {
      const source = textOf(input);
      attempt(() =>
        compileCondition(source, {
          value: (name) => (names.includes(name) ? () => 5 : undefined),
          peek: () => 7,
          names,
        })(),
      );
      const wide = compileWideCondition(source, {
        value: (name) => (names.includes(name) ? () => 5n : undefined),
        peek: async () => 7n,
        names,
      } as Parameters<typeof compileWideCondition>[1]);
      await wide();
    },
    refusals: [MachineError],
  },
  {
    name: 'address',
    seeds: () => ['$C000', '0x1000', '1000h', '0100:0020', 'start+5', 'start - $10', '49152'],
    words: ['$', '0x', 'h', ':', '+', '-', 'start', '__proto__', ' '],
    read: (input) =>
      parseAddress(textOf(input), {
        format: (address) => `$${address.toString(16)}`,
        segmented: (segment, offset) => segment * 16n + offset,
        symbols,
      }),
    refusals: [MachineError],
  },
  {
    name: 'expect',
    seeds: () => [
      '/lo+gin: $/i\nlogin: hello login: ',
      '/(a|b)*c{2,3}/\nababcc',
      'plain\nplain text',
      '/^\\s*\\w+[^x]$/\nsome words here',
    ],
    words: ['(', ')', '[', ']', '{1000}', '*', '+', '?', '|', '\\', '/', '(?:', '(?=', '\\p{L}', '^', '$', '.', '{2,}'],
    read: async (input) => {
      const [pattern = '', ...text] = textOf(input).split('\n');
      const matcher = await Matcher.create({ patterns: [patternOf(pattern)] });
      for (const piece of piecesOf(Buffer.from(text.join('\n')))) await matcher.push(textOf(piece));
    },
    refusals: [MachineError],
  },
  {
    name: 'byte-pattern',
    seeds: () => ['a9 ?? 8d 20 d0', '"text" 00', "'abc'"],
    words: ['??', '"', "'", '0x', ' ', '$'],
    read: (input) => parsePattern(textOf(input)),
    refusals: [MachineError],
  },
  {
    name: 'hex-bytes',
    seeds: () => ['1b 5b 41', '0x1b,0x5b', 'deadbeef'],
    words: ['0x', ',', ' '],
    read: (input) => parseBytes(textOf(input)),
    refusals: [MachineError],
  },
  {
    name: 'key-names',
    seeds: () => ['ctrl-c', 'f1', 'alt-x', 'enter'],
    words: ['ctrl-', 'alt-', 'shift-', '^', '-'],
    read: (input) => keyBytes(textOf(input)),
    refusals: [MachineError],
  },
  {
    name: 'symbol-lines',
    seeds: () => ['c000 start', '0100:0020 name ; comment', 'start = $c000'],
    words: ['=', ';', ':', '$', ' ', '"'],
    read: (input) => textOf(input).split('\n').map(parseSymbolLine),
    refusals: [MachineError],
  },
  {
    name: 'page-command',
    seeds: () => [
      '{"type":"watch","machine":"c64-1"}',
      '{"type":"keys","keys":["a"],"isDown":true}',
      '{"type":"paste","text":"abc"}',
      '{"type":"moveBy","x":1,"y":2}',
      '{"type":"joystick","port":2,"directions":["up"]}',
    ],
    words: [
      '"type":',
      'null',
      '1e999',
      '-1',
      '[',
      ']',
      '"moveBy"',
      '"keys"',
      '{',
      '}',
      '"__proto__":',
      '9007199254740993',
    ],
    read: (input) => parseCommand(textOf(input)),
    refusals: [SyntaxError],
  },
  {
    name: 'rpc-message',
    seeds: () => [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"machine_list","arguments":{}}}',
      '[{"jsonrpc":"2.0","id":"a","result":{}}]',
      '{"id":null,"error":{"code":1,"message":"x"}}',
    ],
    words: [
      '"id":',
      '"method":',
      '"params":',
      'null',
      '[',
      ']',
      '{',
      '}',
      '1e999',
      '"jsonrpc":"1.0"',
      '\\u0000',
      '\\ud800',
    ],
    read: (input) => {
      const id = new TopLevelId();
      for (const piece of piecesOf(input)) id.read(piece);
      return readMessage(textOf(input), false);
    },
    refusals: [],
  },
  {
    name: 'request-target',
    seeds: () => ['/mcp?token=a', 'http://127.0.0.1:5/view?x=%zz', '//', '*', '/%00/../a'],
    words: ['/', '?', '%', '#', 'http://', '@', '[', ':'],
    read: (input) => {
      const message = new IncomingMessage(new Socket());
      message.url = textOf(input);
      const target = targetOf(message);
      return target && [...target.query];
    },
    refusals: [],
  },
  {
    name: 'config-file',
    seeds: () => [config],
    words: [
      '"consoles":',
      '"policy":',
      '"tokens":',
      '"allow-path":',
      '{',
      '}',
      '[',
      ']',
      'null',
      '1e999',
      '"__proto__":',
      '"constructor":',
      'true',
    ],
    read: (input) => readSections(parseConfigFile('/nowhere/frontpanel.config.json', textOf(input)).sections),
    refusals: [],
  },
  {
    name: 'command-line',
    seeds: () => [
      'serve --port 6510 --token abc',
      '--toolset machines,debug --allow-path /tmp',
      'call machine_start kind=c64 options={"a":1}',
      'doctor --fix',
      '--help',
    ],
    words: ['--', '=', ' ', '--port', '--no-', '--config', '\0', '--allow-path=', '--dialect', '-h', "'"],
    read: (input) =>
      parseCommandLine(textOf(input).split(' '), { FRONTPANEL_PORT: textOf(input).slice(0, 10) }, () => config),
    refusals: [UsageError],
  },
  {
    name: 'remote-port',
    seeds: () => ['rfc2217://host:4000', 'rfc2217://[::1]:4000/', '/dev/ttyS0'],
    words: ['://', ':', '[', ']', '@', '/'],
    read: (input) => remotePort(textOf(input)),
    refusals: [RangeError],
  },
  {
    name: 'output-text',
    seeds: () => ['a line\nanother\n'.repeat(20), 'x'.repeat(500), '\ud83d\ude00'.repeat(50)],
    words: ['\n', '\r', '\ud83d\ude00', '\u0301', 'same line\n'],
    read: (input) => {
      const text = textOf(input);
      foldRepeats(text);
      foldLines(text, 20);
      const { text: short } = elide(text, 200);
      if (/[\ud800-\udbff](?![\udc00-\udfff])/.test(short)) throw new Error('half a character is left');
    },
    refusals: [],
  },
];

function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof MachineError)) throw error;
  }
}
