import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PlainRing } from '../../../test/support/socket-port.ts';
import { BoundedText } from './bounded-text.ts';
import { countLineEnds, elide } from './elide.ts';
import { offsetOfLine } from './offset-of-line.ts';

const mark = /\n\[… ([\d,]+) characters?, ([\d,]+) lines? left out(?:; (.*))? …\]\n/;

test('what fits is left alone', () => {
  expect(elide('abc', 3)).toEqual({ text: 'abc', omittedChars: 0, omittedLines: 0, headLines: 0, headColumn: 0 });
});

test('head and tail with exact counts, cut at lines', () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`);
  const result = elide(lines.join('\n'), 1000, 'read on with console_read');
  const match = mark.exec(result.text);
  const [head = '', tail = ''] = [
    result.text.slice(0, match?.index),
    result.text.slice((match?.index ?? 0) + (match?.[0].length ?? 0)),
  ];
  expect(result.text.length).toBeLessThanOrEqual(1000);
  expect(head).toBe(`${lines.slice(0, result.headLines).join('\n')}\n`);
  expect(tail).toBe(lines.slice(result.headLines + result.omittedLines).join('\n'));
  expect(head.length + tail.length + result.omittedChars).toBe(lines.join('\n').length);
  expect(match?.slice(1)).toEqual([
    result.omittedChars.toLocaleString('en-US'),
    `${result.omittedLines}`,
    'read on with console_read',
  ]);
});

test('nothing is lost or counted twice, and no character is halved', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', '\n', '😀', 'word '), { maxLength: 400 }),
      fc.integer({ min: 0, max: 300 }),
      (parts, max) => {
        const text = parts.join('');
        const result = elide(text, max);
        if (text.length <= max) return;
        const match = mark.exec(result.text);
        const kept = result.text.length - (match?.[0].length ?? 0);
        expect(kept + result.omittedChars).toBe(text.length);
        expect(countLineEnds(result.text) - 2 + result.omittedLines).toBe(countLineEnds(text));
        expect(result.text).not.toMatch(/(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/);
        if (max > 200) expect(result.text.length).toBeLessThanOrEqual(max);
      },
    ),
  );
});

test('the offset of a line leads back to it', () => {
  const ring = new PlainRing();
  const lines = Array.from({ length: 3000 }, (_, index) => `\x1b[32mnümber ${index}\x1b[0m\r\n`);
  ring.append(new TextEncoder().encode(`skipped ${lines.join('')}`));
  for (const line of [0, 1, 2, 777, 2999]) {
    const { bytes } = ring.read(offsetOfLine(ring, 8, line), 20);
    expect(new TextDecoder().decode(bytes)).toContain(`nümber ${line}\x1b`);
  }
  expect(offsetOfLine(ring, 8, 3001)).toBe(ring.end);
});

test('an answer cut in the middle of a line leads to the rest, however long the line', () => {
  const ring = new PlainRing();
  const line = Array.from({ length: 9000 }, (_, index) => `é${index}`).join(',');
  ring.append(new TextEncoder().encode(`first\r\n\x1b[1m${line}`));
  const text = `first\n${line}`;
  const { headLines, headColumn } = elide(text, 20_000);
  expect(headLines).toBe(1);
  const offset = offsetOfLine(ring, 0, headLines, headColumn);
  const rest = new TextDecoder().decode(ring.read(offset, ring.end).bytes);
  expect(line.slice(0, headColumn) + rest).toBe(line);
});

test('on a line that was overwritten the start of the line is the place', () => {
  const ring = new PlainRing();
  ring.append(new TextEncoder().encode('a\r\n10%\r20%\r30% done\r\nb'));
  expect(offsetOfLine(ring, 0, 1, 5)).toBe(3);
  expect(offsetOfLine(ring, 0, 2, 5)).toBe(ring.end);
  expect(offsetOfLine(ring, 0, 0, 5)).toBe(1);
});

test('bounded text keeps both ends and counts the middle', () => {
  const kept = new BoundedText();
  const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}\n`);
  for (const line of lines) kept.add(line);
  const whole = lines.join('');
  const text = kept.toString();
  const [, chars = '', count = ''] = /\n\[… ([\d,]+) characters, ([\d,]+) lines not kept …\]\n/.exec(text) ?? [];
  const [head = '', tail = ''] = text.split(/\n\[….*…\]\n/);
  expect(head).toBe(whole.slice(0, 65_536));
  expect(tail).toBe(whole.slice(-196_608));
  expect(kept.droppedChars).toBe(whole.length - 65_536 - 196_608);
  expect(chars).toBe(kept.droppedChars.toLocaleString('en-US'));
  expect(Number(count.replaceAll(',', ''))).toBe(countLineEnds(whole.slice(65_536, -196_608)));
});
