import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eraseMark, StripStream } from './strip-stream.ts';

function bytesOf(input: string | readonly number[]): Uint8Array {
  return typeof input === 'string' ? new TextEncoder().encode(input) : Uint8Array.from(input);
}

function strip(input: string | readonly number[]): string {
  const stream = new StripStream();
  return stream.push(bytesOf(input)) + stream.end(true).text;
}

describe('escape sequences vanish', () => {
  test.for([
    ['SGR', 'a\x1b[1;31mb\x1b[0mc'],
    ['private CSI', 'a\x1b[?2004hb\x1b[>0c\x1b[=1u\x1b[<1u\x1b[!pc'],
    ['CSI with intermediates', 'a\x1b[2 qb\x1b[?1$pc'],
    ['CSI with a colon', 'a\x1b[4:3mbc'],
    ['OSC ended by BEL', 'a\x1b]0;title\x07bc'],
    ['OSC ended by ST', 'a\x1b]8;;http://x\x1b\\bc'],
    ['OSC with a letter whose UTF-8 has 0x9c', 'a\x1b]0;\u00dcber\x07bc'],
    ['palette of the Linux console', 'a\x1b]P0aabbccb\x1b]Rc'],
    ['DCS over several lines', 'a\x1bPq#0\n-\r\n~\x1b\\bc'],
    ['APC, PM, SOS', 'a\x1b_x\x1b\\b\x1b^y\x1b\\\x1bXz\x1b\\c'],
    ['charsets and two-character escapes', 'a\x1b(B\x1b)0\x1b%G\x1b#8\x1b7\x1b8\x1b=\x1b>b\x0e\x0fc'],
    ['cut off by CAN and SUB', 'a\x1b[3\x18b\x1b]0;x\x1ac'],
    ['one inside another', 'a\x1b]0;x\x1b[31mb\x1b[\x1b[mc'],
  ])('%s', ([, input]) => {
    expect(strip(input ?? '')).toBe('abc');
  });

  test('8-bit forms', () => {
    expect(strip([0x61, 0x9b, 0x33, 0x31, 0x6d, 0x62, 0x9d, 0x30, 0x3b, 0x9c, 0x63, 0x90, 0x71, 0x1b, 0x5c])).toBe(
      'abc',
    );
  });

  test('the same bytes within UTF-8 are text', () => {
    expect(strip('\u00db\u00dd ě\u6df1')).toBe('\u00db\u00dd ě\u6df1');
  });

  test('a line feed inside a control sequence still acts', () => {
    expect(strip('a\x1b[3\n1mb')).toBe('a\nb');
  });

  test('an OSC that never ends hides no further line, a DCS no more than 1 MiB', () => {
    expect(strip('a\x1b]0;hidden\nshown')).toBe('a\nshown');
    expect(strip(`a\x1bP${'q'.repeat(1_048_576)}\nshown`)).toMatch(/^a\n?shown$/);
    expect(strip(`a\x1b[${'1'.repeat(5000)}`)).toMatch(/^a1{900,910}$/);
  });
});

describe('controls', () => {
  test.for([
    ['a\r\nb\r\r\nc\n\rd', 'a\nb\nc\nd'],
    ['10%\r20%\r\n', '10%\r20%\n'],
    ['a\r\r\rb', 'a\rb'],
    ['ab\bc', 'ab\bc'],
    ['a\tb', 'a\tb'],
    ['a\x1b[?2004l\r\x1b[m\r\nb', 'a\nb'],
    ['\x07', '\\x07'],
    ['\0'.repeat(512), '\\x00{×512}'],
    ['\0\x07\x07\0', '\\x00\\x07{×2}\\x00'],
    ['\x7f\x0b\x0c', '\\x7f\\x0b\\x0c'],
    ['C:\\x07', 'C:\\x07'],
    ['a\0\0\x1b[2Kb', `a\\x00{×2}\r${eraseMark}b`],
  ])('%j becomes %j', ([input, text]) => {
    expect(strip(input ?? '')).toBe(text);
  });

  test('erasing left of the end of the line leaves a mark, elsewhere nothing', () => {
    expect(strip('lsx\b\x1b[K')).toBe(`lsx\b${eraseMark}`);
    expect(strip('50%\r\x1b[Kok')).toBe(`50%\r${eraseMark}ok`);
    expect(strip('50%\x1b[2K\x1b[1Gok')).toBe(`50%\r${eraseMark}ok`);
    expect(strip('50%\x1b[Gok')).toBe('50%\rok');
    expect(strip('abc\x1b[2Dx')).toBe('abc\b\bx');
    expect(strip('\x1b[01;31m\x1b[Kgrep\x1b[m\x1b[K\r\n\r\x1b[K$ ')).toBe('grep\n$ ');
  });
});

describe('what is not text', () => {
  test.for([
    [[0xff, 0xfe], '\\xff\\xfe'],
    [[0xff, 0xff, 0xff], '\\xff{×3}'],
    [[0xe2, 0x82, 0x41], '\\xe2\\x82A'],
    [[0xe2, 0x82], '\\xe2\\x82'],
    [[0xc0, 0x80], '\\xc0\\x80'],
    [[0xed, 0xa0, 0x80], '\\xed\\xa0\\x80'],
    [[0xf4, 0x90, 0x80, 0x80], '\\xf4\\x90\\x80{×2}'],
    [[0xe2, 0xe2, 0x82, 0xac], '\\xe2€'],
  ] as const)('bytes %j become %s', ([bytes, text]) => {
    expect(strip(bytes)).toBe(text);
  });

  test.for([
    0x85, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200d, 0x200e, 0x2028, 0x2029, 0x202e, 0x2060, 0x2066, 0x3164,
    0xe000, 0xfe0f, 0xfeff, 0xfff9, 0xffff, 0xe0001, 0xe0041, 0xe0100, 0xf0000, 0x10ffff,
  ])('U+%i is shown by its number', (codePoint) => {
    const shown = `\\u{${codePoint.toString(16).toUpperCase()}}`;
    expect(strip(`a${String.fromCodePoint(codePoint)}b`)).toBe(`a${shown}b`);
  });

  test('ordinary text of the world stays', () => {
    const text = 'naïve Ωμέγα Привет 日本語 한국어 😀 ┌─┐ ▓ café \u00a0|';
    expect(strip(text)).toBe(text);
  });
});

/** Bytes that hit all states: sequences, characters and their pieces. */
const consoleBytes = fc
  .array(
    fc.oneof(
      fc
        .constantFrom(
          ...[
            '\r',
            '\n',
            '\r\n',
            '\b',
            '\t',
            '\0',
            '\x07',
            '\x1b',
            '\x1b[',
            '\x1b]',
            '\x1bP',
            '\x1b\\',
            '31m',
            'K',
            '2K',
            'G',
          ],
          ...[
            '€',
            '😀',
            '\u200b',
            '\u202e',
            'ü',
            'text ',
            '\x18',
            '\x0f',
            '\x1b[?25h',
            '\x1b]0;t\x07',
            '\x1b]P0aabbcc',
          ],
        )
        .map(bytesOf),
      fc.uint8Array({ minLength: 1, maxLength: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

describe('any cut', () => {
  test('byte by byte and whole give the same text and offsets', () => {
    fc.assert(
      fc.property(consoleBytes, (bytes) => {
        const whole = new StripStream(1000);
        const text = whole.push(bytes) + whole.end(true).text;
        const single = new StripStream(1000);
        let pieces = '';
        for (const byte of bytes) pieces += single.push(Uint8Array.of(byte));
        pieces += single.end(true).text;
        expect(pieces).toBe(text);
        expect(whole.units).toBe(text.length);
        const units = Array.from({ length: text.length + 1 }, (_, unit) => unit);
        expect(units.map((unit) => single.offsetAt(unit))).toEqual(units.map((unit) => whole.offsetAt(unit)));
      }),
      { numRuns: 500 },
    );
  });

  test('offsets rise and never leave what was pushed', () => {
    fc.assert(
      fc.property(consoleBytes, (bytes) => {
        const stream = new StripStream(50);
        const text = stream.push(bytes) + stream.end(true).text;
        let last = 50;
        for (let unit = 0; unit <= text.length; unit++) {
          const offset = stream.offsetAt(unit);
          expect(offset).toBeGreaterThanOrEqual(last);
          last = offset;
        }
        expect(last).toBeLessThanOrEqual(50 + bytes.length);
      }),
    );
  });

  test('never lets a control or invisible character through', () => {
    fc.assert(
      fc.property(consoleBytes, (bytes) => {
        const stream = new StripStream();
        expect(stream.push(bytes) + stream.end(true).text).not.toMatch(
          /[\0-\x07\x0b\x0c\x0e-\x1f\x80-\x9f]|\p{Cf}|\p{Zl}|\p{Default_Ignorable_Code_Point}/u,
        );
      }),
    );
  });

  test('a second stream goes on at the offset where the first ended, without a seam', () => {
    const bytes = bytesOf('ab€😀\x1b[1;31mred\x1b]0;title\x07\r\nüx');
    const whole = strip([...bytes]);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const first = new StripStream();
      const head = first.push(bytes.subarray(0, cut));
      const { text, offset } = first.end(false);
      const second = new StripStream(offset);
      expect(head + text + second.push(bytes.subarray(offset)) + second.end(true).text).toBe(whole);
    }
  });
});

test('each character knows the offset after its bytes', () => {
  const stream = new StripStream(10);
  const text = stream.push(bytesOf('a\x1b[mb€\0\0\0c\r\nd'));
  expect(text).toBe('ab€\\x00{×3}c\nd');
  const after = (part: string) => stream.offsetAt(text.indexOf(part) + part.length);
  expect(after('a')).toBe(11);
  expect(after('b')).toBe(15);
  expect(after('€')).toBe(18);
  expect(after('\\x00')).toBe(19);
  expect(after('{×3}')).toBe(21);
  expect(after('c')).toBe(22);
  expect(after('\n')).toBe(24);
  expect(after('d')).toBe(25);
});

test('offsets stay right when the past is forgotten', () => {
  const stream = new StripStream();
  const line = bytesOf('line\x1b[m with € in it\r\n');
  let units = 0;
  for (let count = 1; count <= 5000; count++) {
    units += stream.push(line).length;
    stream.forget(units - 1);
    expect(stream.offsetAt(units)).toBe(count * line.length);
  }
});

test.for([1, 3, 100])('a landmark shows in a sequence that nobody closed, %i bytes at a time', (size) => {
  const stream = new StripStream(10, 'aab:');
  const bytes = bytesOf('x\x1b]0;title aaab:7\nmore\x1bPaab: aab');
  let text = '';
  for (let at = 0; at < bytes.length; at += size) text += stream.push(bytes.subarray(at, at + size));
  expect(text).toBe('xaab:7\nmoreaab: aab');
  expect(stream.offsetAt(text.indexOf(':') + 1)).toBe(10 + bytes.indexOf(':'.charCodeAt(0)) + 1);
});
