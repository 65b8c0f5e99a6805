import { EscapeFilter } from '../../../src/console/escape-filter.ts';
import { EchoSkip } from '../../../src/console/modem/echo-skip.ts';
import { fromPerson, JsonLines } from '../../../src/console/person-protocol.ts';
import { parseEntry, parseHeader } from '../../../src/console/recording/recording-index.ts';
import { HeadlessScreen } from '../../../src/console/screen/headless-screen.ts';
import { Assemblers, DamagedMessage, decodeMessage, encodeMessage, partsOf } from '../../../src/fleet/wire/message.ts';
import { MidiStream } from '../../../src/formats/midi/midi-stream.ts';
import { savedFrom } from '../../../src/gym/saved-bytes.ts';
import { DapFault, DapReader } from '../../../src/ide/dap/dap-messages.ts';
import { decodePayload, hexToBytes } from '../../../src/links/gdb/packet.ts';
import { PacketReader } from '../../../src/links/gdb/packet-reader.ts';
import { isStopReply, parseStopReply } from '../../../src/links/gdb/stop-reply.ts';
import { readTargetDescription } from '../../../src/links/gdb/target-description.ts';
import { LineSplitter } from '../../../src/links/qmp/line-splitter.ts';
import { parseQmpMessage } from '../../../src/links/qmp/qmp-message.ts';
import { ComPort } from '../../../src/links/serial/com-port.ts';
import { TelnetCodec } from '../../../src/links/serial/telnet-codec.ts';
import { CheckedLines } from '../../../src/server/checked-lines.ts';
import { StripStream } from '../../../src/tools/console/strip-stream.ts';
import { type FuzzTarget, piecesOf, textOf } from '../fuzz-target.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const [iac, sb, se] = ['\xff', '\xfa', '\xf0'];
const comPort = (payload: string) => `${iac}${sb}\x2c${payload}${iac}${se}`;

const telnet = [
  `hello\r\n${iac}\xfb\x01${iac}\xfd\x03${iac}${sb}\x18\x01${iac}${se}world\r\0${iac}${iac}`,
  `${iac}\xfd\x2c${iac}\xfb\x2c${comPort('\x65\0\0\x25\x80')}${comPort('\x6b\xb0')}${comPort('\x6a\x02')}${comPort('\x64server')}`,
];

const terminal = [
  '\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b[2J\x1b[10;20Htext\r\n',
  '\x1bP$q"p\x1b\\ \x1b[?1049h \x1b[1;5r \x1b[100L \x1b[65535@ \x1b(0lqk\x1b(B',
  '\u00e4\u4e2d\ud83d\ude00\u202e \x9b31m \x1b[38;2;1;2;3m \x1b[?25l \x0e\x0f \x1bc',
].map((text) => Buffer.from(text));

const sequences = [
  '\x1b[',
  '\x1b]',
  '\x1bP',
  '\x1b\\',
  '\x07',
  ';',
  '999999999',
  '?',
  'm',
  'H',
  'L',
  '@',
  'b',
  'r',
  '\x18',
  '\x9b',
  '\r\n',
  '\x1b[3J',
  '\u202e',
  '\u200d',
];

const qmp = [
  '{"QMP":{"version":{"qemu":{"micro":0,"minor":2,"major":7},"package":""},"capabilities":["oob"]}}\r\n',
  '{"return":{},"id":1}\r\n{"error":{"class":"GenericError","desc":"no"},"id":2}\r\n',
  '{"timestamp":{"seconds":1,"microseconds":2},"event":"STOP","data":{}}\r\n',
];

const description =
  '<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd"><target><architecture>i386:x86-64</architecture><feature name="core"><flags id="f" size="4"><field name="CF" start="0" end="0"/></flags><reg name="rax" bitsize="64" type="int64" regnum="0"/><xi:include href="other.xml"/></feature></target>';

export const wireTargets: readonly FuzzTarget[] = [
  {
    name: 'telnet',
    seeds: () => telnet.map(latin),
    read: (input) => {
      let sent = 0;
      const codec = new TelnetCodec((bytes) => {
        sent += bytes.length;
      });
      for (const piece of piecesOf(input)) codec.encode(codec.decode(piece));
      if (sent > input.length * 3 + 100) throw new Error(`${sent} bytes of answers to ${input.length}`);
    },
    refusals: [],
  },
  {
    name: 'rfc2217',
    seeds: () => telnet.map(latin),
    read: async (input) => {
      const port = new ComPort({ send: () => {}, notice: () => {}, suspend: () => {} });
      const codec = new TelnetCodec(() => {}, port);
      codec.begin();
      const begun = port.begin({ baudRate: 9600 }).catch((error: unknown) => {
        if (!(error instanceof Error)) throw error;
      });
      for (const piece of piecesOf(input)) {
        codec.decode(piece);
        await Promise.resolve();
      }
      port.close('over');
      await begun;
    },
    refusals: [],
  },
  {
    name: 'modem-echo',
    seeds: () => ['rz file\r\n\x18B00', 'no end'],
    read: (input) => {
      const skip = new EchoSkip(() => {});
      for (const piece of piecesOf(input)) skip.hear(piece);
      skip.stop();
    },
    refusals: [],
  },
  {
    name: 'person-lines',
    seeds: () => ['{"hello":{"name":"a","spy":true}}\n{"type":"abc"}\n{"do":"claim"}\n'],
    words: ['"hello":', '"type":', '"do":', '{', '}', '\n', 'null', '"__proto__":'],
    read: (input) => {
      const lines = new JsonLines((message) => fromPerson(message));
      for (const piece of piecesOf(input)) if (!lines.push(textOf(piece))) return;
    },
    refusals: [],
  },
  {
    name: 'escape-filter',
    seeds: () => terminal,
    words: sequences,
    read: (input) => {
      const filter = new EscapeFilter();
      for (const piece of piecesOf(input)) filter.filter(piece);
    },
    refusals: [],
  },
  {
    name: 'strip-stream',
    seeds: () => terminal,
    words: sequences,
    read: (input) => {
      const strip = new StripStream();
      let text = '';
      for (const piece of piecesOf(input)) text += strip.push(piece);
      text += strip.end(true).text;
      // Backspace and DEL are the stream's own marks, for what was moved over and what was erased.
      const leaked = /[\x00-\x07\x0b\x0c\x0e-\x1f\x80-\x9f]/.exec(text);
      if (leaked) throw new Error(`${JSON.stringify(leaked[0])} got through`);
    },
    refusals: [],
  },
  {
    name: 'screen',
    seeds: () => terminal,
    words: sequences,
    read: async (input) => {
      const screen = new HeadlessScreen(80, 25);
      let offset = 0;
      for (const piece of piecesOf(input)) {
        offset += piece.length;
        await screen.feed(piece, offset);
      }
      screen.text();
      screen.styled(0);
      screen.resize(20, 5);
      screen.text();
      await screen.reset();
      screen.dispose();
    },
    refusals: [],
  },
  {
    name: 'gdb-packets',
    seeds: () => ['+$OK#9a-$T05thread:01;watch:1000;#00', '$m1000,4#8e%Stop:T05#00', '$F*"#00\x03', '$a}\x03b#aa'],
    words: ['$', '#', '*', '}', '+', '-', '%', 'T05', 'thread:', 'watch:', ';', 'S05', 'W00', 'X09'],
    read: (input) => {
      const reader = new PacketReader();
      for (const piece of piecesOf(input)) for (const received of reader.push(piece)) JSON.stringify(received);
      const text = latin1(input);
      const payload = decodePayload(text, 100_000);
      if (payload !== undefined && payload.length > 100_000) throw new Error('longer than it may be');
      hexToBytes(text);
      if (isStopReply(text)) parseStopReply(text);
    },
    refusals: [],
  },
  {
    name: 'dap-messages',
    seeds: () => [
      'Content-Length: 47\r\n\r\n{"seq":1,"type":"request","command":"threads"}\n',
      'content-length:2\r\nX: y\r\n\r\n{}Content-Length: 4\r\n\r\nnull',
    ],
    words: ['Content-Length: ', '\r\n', '\r\n\r\n', '{', '}', '"arguments":', '99999999', '0', '__proto__', '[[[['],
    read: (input) => {
      const reader = new DapReader();
      for (const piece of piecesOf(input)) for (const request of reader.push(piece)) JSON.stringify(request);
    },
    refusals: [DapFault],
  },
  {
    name: 'gym-episode',
    seeds: () => {
      const facts = { random: 1, steps: 2, last: [0.5], actions: [1] };
      const header = JSON.stringify({ facts, observation: 4 });
      return [Buffer.concat([Buffer.from(Uint32Array.of(header.length).buffer), latin(`${header}abcdfile`)])];
    },
    focus: [[0, 4]],
    read: savedFrom,
    refusals: [Error],
  },
  {
    name: 'target-description',
    seeds: () => [description],
    words: [
      '<reg ',
      '/>',
      '<xi:include href="a"/>',
      '<!--',
      '-->',
      'bitsize="',
      'regnum="',
      '"',
      '<flags id="',
      '</feature>',
    ],
    read: (input) => readTargetDescription(async () => textOf(input)),
    refusals: [],
  },
  {
    name: 'qmp-answers',
    seeds: () => qmp,
    words: ['"return":', '"error":', '"event":', '"QMP":', '"id":', '{"toString":0}', '{', '}', 'null', '\n'],
    read: (input) => {
      const lines = new LineSplitter(100_000);
      for (const piece of piecesOf(input)) for (const line of lines.push(piece)) parseQmpMessage(line);
    },
    refusals: [RangeError, SyntaxError],
  },
  {
    name: 'recording-index',
    seeds: () => [
      '{"version":1,"started":"2026-01-01T00:00:00Z","columns":80,"rows":25,"machine":"a"}',
      '{"t":1,"offset":0,"file":0,"bytes":5}',
    ],
    words: ['"t":', '"offset":', '"end":true', 'null', '1e999', '-1', '{', '}'],
    read: (input) => {
      parseHeader(textOf(input));
      return parseEntry(textOf(input));
    },
    refusals: [],
  },
  {
    name: 'midi',
    seeds: () => [[0x90, 60, 100, 62, 0xf8, 0, 0xf0, 1, 2, 0xf7, 0xc0, 5]].map((bytes) => Uint8Array.from(bytes)),
    read: (input) => {
      let written = 0;
      const stream = new MidiStream((event) => {
        written += event.length;
      });
      for (const [at, byte] of input.entries()) stream.add(byte, (byte - 128) * at);
      if (written > input.length * 12) throw new Error(`${written} bytes of events of ${input.length}`);
    },
    refusals: [],
  },
  {
    name: 'fleet-messages',
    seeds: () => {
      const message = encodeMessage({ id: 'a', t: 'outcome', outcome: { type: 'answer' } }, new Uint8Array(20));
      return [message, ...partsOf(message, 48)];
    },
    words: ['{', '}', '"id":', 'null', '1e999'],
    read: (input) => {
      const begun = new Assemblers();
      for (const piece of [input, ...piecesOf(input)]) {
        for (const read of [() => decodeMessage(piece), () => begun.push('sender', piece)]) {
          try {
            read();
          } catch (error) {
            if (!(error instanceof DamagedMessage)) throw error;
          }
        }
      }
    },
    refusals: [],
  },
  {
    name: 'stdio-lines',
    seeds: () => [
      '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
      '\ufeff{"jsonrpc":"2.0","id":[],"method":"tools/call","params":"x"}\r\n\n[]\n{"id":"\\u0000"',
    ],
    words: ['"jsonrpc":"2.0"', '"id":', '"method":', '"params":', '{', '}', '[', ']', 'null', '1e999', '\n', '\ufeff'],
    // Every line is passed on or answered, and none twice.
    read: async (input) => {
      let answered = 0;
      const lines = new CheckedLines(() => answered++, { refusal: () => undefined, admit: async () => undefined });
      lines.end(input);
      for await (const passed of lines) answered += String(passed).split('\n').length - 1;
      const whole = textOf(input).split('\n').slice(0, -1);
      const wanted = whole.filter((line) => line.trim() !== '').length;
      if (answered !== wanted) throw new Error(`${answered} answers to ${wanted} lines`);
    },
    refusals: [],
  },
];

function latin1(input: Uint8Array): string {
  return Buffer.from(input).toString('latin1');
}
