import xterm from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EscapeFilter } from './escape-filter.ts';

function filtered(...chunks: (string | Uint8Array)[]): string {
  const filter = new EscapeFilter();
  return Buffer.concat(chunks.map((chunk) => filter.filter(Buffer.from(chunk)))).toString('latin1');
}

/** Each byte of the text is a byte, so that C1 controls can be written as they are. */
function raw(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

const harmless = {
  'text, line ends, tabs, bells': 'login: root\r\n\tok\x07\b \b',
  colours: '\x1b[0;1;31mred\x1b[38;2;10;20;30mdeep\x1b[38:5:9m\x1b[m',
  cursor: '\x1b[H\x1b[2;3H\x1b[A\x1b[10C\x1b7\x1b8\x1b[s\x1b[u\x1bM\x1bD\x1bE\x1b[3d\x1b[5G',
  erasing: '\x1b[2J\x1b[K\x1b[3P\x1b[2X\x1b[L\x1b[M\x1b[2S\x1b[T\x1b[@',
  modes: '\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[4l\x1b[?1000h\x1b=\x1b>\x1b[!p\x1b[2 q\x1b[1"q',
  'character sets': '\x1b(B\x1b)0\x1b*A\x0e\x0f\x1b%G',
  'scrolling, tabs, reset': '\x1b[2;10r\x1b[3g\x1bH\x1b#8\x1bc',
  'unknown but well-formed': '\x1b[12$x\x1b[>4;1m\x1b[1;2~',
  'NEL, IND, RI as one byte': 'a\x85b\x84c\x8dd',
};
for (const [name, text] of Object.entries(harmless)) {
  test(`passes ${name}`, () => expect(filtered(raw(text))).toBe(text));
}

const hostile = {
  'title, icon name (OSC 0, 1, 2)': '\x1b]0;owned\x07\x1b]1;a\x1b\\\x1b]2;b\x9c',
  'clipboard, link, iTerm, colour query': '\x1b]52;c;AAAA\x07\x1b]8;;http://x\x1b\\\x1b]1337;File=:AA\x07\x1b]11;?\x07',
  'DCS: DECRQSS, XTGETTCAP, sixel': '\x1bP$qm\x1b\\\x1bP+q544e\x1b\\\x1bPq#0~~\x1b\\',
  'APC, PM, SOS, title of screen': '\x1b_Gi=1;AAAA\x1b\\\x1b^x\x1b\\\x1bXx\x1b\\\x1bktitle\x1b\\',
  'window operations': '\x1b[21t\x1b[8;10;10t\x1b[>2t\x1b[18t',
  'device attributes': '\x1b[c\x1b[0c\x1b[>c\x1b[=c\x1bZ\x05',
  'status reports': '\x1b[5n\x1b[6n\x1b[?6n\x1b[?996n',
  'mode, version and other queries':
    '\x1b[4$p\x1b[?2026$p\x1b[>q\x1b[>0q\x1b[x\x1b[1x\x1b[?u\x1b[1$w\x1b[1;1;1;1;2;2*y\x1b[?1;1;0S\x1b[#R',
  printing: '\x1b[5i\x1b[?4i\x1b[i',
  'C1 as one byte': '\x9b6n\x9d0;t\x9c\x90$qm\x9c\x9fG\x9c\x9ep\x9c\x98s\x9c\x9a',
  'C1 as UTF-8': '\xc2\x9b6n\xc2\x9d0;t\xc2\x9c\xc2\x90$qm\xc2\x9c\xc2\x9a',
  'controls inside a query': '\x1b[\x056\x7fn',
};
for (const [name, text] of Object.entries(hostile)) {
  test(`drops ${name}`, () => expect(filtered(raw(`<${text}>`))).toBe('<>'));
  test(`drops ${name}, byte by byte`, () => {
    expect(filtered(...[...raw(`<${text}>`)].map((byte) => Uint8Array.of(byte)))).toBe('<>');
  });
}

test('text in UTF-8 keeps its bytes 80 to 9F, also inside strings that are dropped', () => {
  const text = 'Ü ß “quoted” — ✜ ✳ 世界 🛜 \u00a0';
  expect(Buffer.from(filtered(text), 'latin1').toString()).toBe(text);
  expect(filtered('a\x1b]0;✜ ✳ título\x07b')).toBe('ab');
});

test('a broken character does not hide a C1 control', () => {
  expect(filtered(raw('\xe0\x9b6n!'))).toBe('\xe0!');
  expect(filtered(raw('\xed\xa0\x9b6n!'))).toBe('\xed\xa0!');
  expect(filtered(raw('\xf4\x9b6n!'))).toBe('\xf4!');
});

test('a string that never ends is given up at CAN, SUB or a new sequence', () => {
  expect(filtered('\x1b]0;aaa\x18b')).toBe('b');
  expect(filtered('\x1bPaaa\x1ab')).toBe('b');
  expect(filtered('\x1b]0;aaa\x1b[1mb')).toBe('\x1b[1mb');
  expect(filtered('\x1b[12\x18b\x1b[3\x1b[4mc')).toBe('b\x1b[4mc');
});

test('an endless string or sequence takes no memory and passes nothing', () => {
  const filter = new EscapeFilter();
  filter.filter(Buffer.from('\x1b]52;c;'));
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 100; i++) expect(filter.filter(Buffer.alloc(65_536, 'A'))).toHaveLength(0);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(16_000_000);
  expect(filtered(`\x1b[${'1;'.repeat(5000)}mx`)).toBe('x');
});

test('the output does not depend on where the input is cut', () => {
  const atoms = [
    ...Object.values(harmless),
    ...Object.values(hostile),
    '\x1b',
    '\x9d',
    '\xc2',
    '\xe2\x9c',
    '\x1b[',
    'x',
  ];
  const input = fc.array(fc.constantFrom(...atoms), { maxLength: 8 }).map((parts) => raw(parts.join('')));
  fc.assert(
    fc.property(input, fc.array(fc.nat(200), { maxLength: 6 }), (bytes, cuts) => {
      const borders = [0, ...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length];
      const chunks = borders.slice(1).map((to, i) => bytes.subarray(borders[i], to));
      expect(filtered(...chunks)).toBe(filtered(bytes));
    }),
  );
});

test('stops filtering after the sequence that was open, and not before', () => {
  const filter = new EscapeFilter();
  expect(filter.filter(Buffer.from('a\x1b[3')).toString()).toBe('a');
  expect(filter.atGround).toBe(false);
  const { passed, taken } = filter.filterToGround(Buffer.from('1mb\x1b[6n'));
  expect([passed.toString(), taken, filter.atGround]).toEqual(['\x1b[31m', 2, true]);
});

test('a real terminal has nothing to answer and keeps its title', async () => {
  const show = async (bytes: Uint8Array) => {
    const terminal = new xterm.Terminal({ allowProposedApi: true, logLevel: 'off' });
    const answers: string[] = [];
    const titles: string[] = [];
    terminal.onData((data) => answers.push(data));
    terminal.onTitleChange((title) => titles.push(title));
    await new Promise<void>((resolve) => terminal.write(bytes, resolve));
    terminal.dispose();
    return { answers, titles };
  };
  const everything = raw(Object.values(hostile).join('\r\n'));
  const unfiltered = await show(everything);
  expect(unfiltered.answers.length).toBeGreaterThan(3);
  expect(unfiltered.titles).toContain('owned');
  expect(await show(new EscapeFilter().filter(everything))).toEqual({ answers: [], titles: [] });
});
