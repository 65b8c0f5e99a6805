import { expect, test } from 'vitest';
import { ComPort } from './com-port.ts';

test('a far end that asks again and again who we are is told so often, and no more', () => {
  const sent: string[] = [];
  const port = new ComPort({
    send: (payload) => sent.push(Buffer.from(payload).toString('latin1')),
    notice: () => {},
    suspend: () => {},
  });
  port.settled(true);
  for (let time = 0; time < 10_000; time++) port.received(Uint8Array.of(0));
  expect(sent).toHaveLength(16);
  expect(new Set(sent)).toEqual(new Set(['\0frontpanel']));
});
