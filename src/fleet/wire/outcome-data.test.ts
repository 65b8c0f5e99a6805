import { expect, test } from 'vitest';
import type { Outcome } from '../../api/tool-host.ts';
import { MachineError } from '../../machine/errors.ts';
import { outcomeData, outcomeFrom } from './outcome-data.ts';

const overTheWire = (data: unknown): unknown => JSON.parse(JSON.stringify(data));
const images = [{ mimeType: 'image/png', base64: 'AAAA' }];

test.each<Outcome>([
  { type: 'answer', answer: { text: 'a' } },
  { type: 'answer', answer: { text: 'a', data: { machine: 'one', bytes: [1, 2] } }, around: {} },
  { type: 'answer', answer: { text: 'a', data: {} }, around: { before: 0, after: 2, time: 3 } },
  { type: 'answer', answer: { text: 'a' }, around: { isBeside: true, time: 3 } },
  { type: 'answer', answer: { text: 'a', images }, around: { after: 2 } },
  { type: 'confirm', question: 'Really?', token: 't', around: { before: 1 } },
  { type: 'error', error: new MachineError('NOT_FOUND', 'no', 'look', { why: 'so' }), around: { before: 1 } },
])('an outcome is what it was before it was sent: %o', (outcome) => {
  const arrived = outcomeFrom(overTheWire(outcomeData(outcome)));
  expect(arrived).toEqual(outcome);
  expect(outcomeData(arrived)).toEqual(outcomeData(outcome));
});

test('fields that nobody knows stay behind', () => {
  const told = { type: 'answer', more: 1, answer: { text: 'a', more: 1 }, around: { time: 1, more: 1 } };
  expect(outcomeFrom(told)).toEqual({ type: 'answer', answer: { text: 'a' }, around: { time: 1 } });
});

test.each([
  undefined,
  null,
  'answer',
  { type: 'answer' },
  { type: 'answer', answer: { text: 1 } },
  { type: 'answer', answer: { text: 'a', data: 'd' } },
  { type: 'answer', answer: { text: 'a', data: null } },
  { type: 'answer', answer: { text: 'a', images: 1 } },
  { type: 'answer', answer: { text: 'a' }, around: 'x' },
  { type: 'answer', answer: { text: 'a' }, around: null },
  { type: 'answer', answer: { text: 'a' }, around: { before: '1' } },
  { type: 'answer', answer: { text: 'a' }, around: { isBeside: 1 } },
  { type: 'other', answer: { text: 'a' } },
])('what is no outcome is refused: %o', (data) => {
  expect(() => outcomeFrom(data)).toThrow();
});
