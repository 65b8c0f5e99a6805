import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BlockTurns } from './block-turns.ts';

const [ack, nak, can, eot] = ['\x06', '\x15', '\x18', '\x04'];
const block = (number: number) => `\x01${String.fromCharCode(number, 255 - number)}data`;

let passed = '';
let turns: BlockTurns;
function begin(asksForEachFile: boolean): void {
  passed = '';
  turns = new BlockTurns({
    asksForEachFile,
    pass: (bytes) => {
      passed += Buffer.from(bytes).toString('latin1');
    },
  });
}
const hear = (text: string) => turns.hear(Buffer.from(text, 'latin1'));
const say = (text: string) => turns.said(Buffer.from(text, 'latin1'));
const rest = () => vi.advanceTimersByTime(1000);
function newlyPassed(): string {
  const seen = passed;
  passed = '';
  return seen;
}

beforeEach(() => {
  vi.useFakeTimers();
  begin(false);
});
afterEach(() => {
  turns.stop();
  vi.useRealTimers();
});

test.each([
  ['a path', 'rx: ready to receive /tmp/aC/CG\r\n', nak],
  ['a path in pieces', 'rx: ready to receive /tmp/aC', '/b\r\n', nak],
  ['a word', 'Waiting for CRC', ' blocks\r\n', 'C'],
  ['no line end', 'rb waiting to receive.', 'C'],
  ['a word that ends in a request', 'loading ABC', 'C'],
  ['nothing else', 'C'],
  ['requests that piled up', 'CCCCCCCC'],
  ['requests for checksums that piled up', nak.repeat(8)],
])('%s before the first request is not answered, and the request once', (_, ...pieces) => {
  for (const piece of pieces) {
    expect(newlyPassed()).toBe('');
    hear(piece);
    rest();
  }
  expect(newlyPassed()).toBe(pieces.join('').at(-1));
  hear('CC');
  rest();
  expect(newlyPassed()).toBe('');
});

test('who asks faster than anybody rests is heard', () => {
  for (const letter of 'ready\r\nCCC') hear(letter);
  expect(newlyPassed()).toBe('C');
});

test('who cancels before the first block is heard', () => {
  hear(`no room\r\n${can}${can}${can}`);
  expect(newlyPassed()).toBe(can + can);
});

test('who asks again for a block that is on its way gets it once', () => {
  hear(nak);
  hear(nak + nak);
  say(block(1));
  expect(newlyPassed()).toBe(nak);
  hear(ack);
  hear(nak);
  hear(ack);
  expect(newlyPassed()).toBe(ack);
  say(block(2));
  hear(nak);
  expect(newlyPassed()).toBe(nak);
  hear(can + can);
  expect(newlyPassed()).toBe(can + can);
});

test('YMODEM: a file is asked for after its name, and the next name after its end', () => {
  begin(true);
  hear('C');
  rest();
  say(block(0));
  hear(`${ack}C`);
  say(block(1));
  hear('C');
  say(block(1));
  hear(`${ack}C`);
  expect(newlyPassed()).toBe(`C${ack}CC${ack}`);
  say(eot);
  hear(nak);
  say(eot);
  hear(`${ack}CC`);
  say(block(0));
  hear(`${ack}\r\nguest$ `);
  expect(newlyPassed()).toBe(`${nak}${ack}C${ack}`);
});
