import { expect, test } from 'vitest';
import { Assemblers, DamagedMessage, partsOf } from './message.ts';

const mebibyte = 1024 * 1024;
const piecesOf = (bytes: number, most = mebibyte) => [...partsOf(new Uint8Array(bytes).fill(7), most)];

function pushAll(begun: Assemblers, sender: string, pieces: readonly Uint8Array[]): Uint8Array | undefined {
  let whole: Uint8Array | undefined;
  for (const piece of pieces) whole = begun.push(sender, piece);
  return whole;
}

test('messages of several senders whose pieces come mixed are each put together', () => {
  const begun = new Assemblers();
  const [one, two] = [piecesOf(100, 50), piecesOf(130, 50)];
  const wholes = new Map<string, number>();
  for (let at = 0; at < two.length; at++) {
    for (const [sender, piece] of [['one', one[at]] as const, ['two', two[at]] as const]) {
      const whole = piece && begun.push(sender, piece);
      if (whole) wholes.set(sender, whole.length);
    }
  }
  expect([...wholes]).toEqual([
    ['one', 100],
    ['two', 130],
  ]);
});

test.each([
  ['by their number', 5000, 100],
  ['by their size', 200, mebibyte],
])('who begins without end is given up for others, %s', (_what, count, pieceBytes) => {
  const begun = new Assemblers();
  const [first] = piecesOf(pieceBytes * 3, pieceBytes);
  const early = piecesOf(300, 100);
  begun.push('early', early[0] ?? new Uint8Array());
  for (let sender = 0; sender < count; sender++) begun.push(`stranger ${sender}`, first ?? new Uint8Array());
  expect(() => begun.push('early', early[1] ?? new Uint8Array())).toThrow(DamagedMessage);
  expect(pushAll(begun, 'late', piecesOf(300, 100))).toHaveLength(300);
});
