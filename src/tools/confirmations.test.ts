import { afterEach, expect, test, vi } from 'vitest';
import { Confirmations } from './confirmations.ts';

afterEach(() => void vi.useRealTimers());

function questions(): Confirmations {
  let count = 0;
  return new Confirmations(true, () => `token-${count++}`);
}

test('a token is good for one call with the same arguments, in whatever order, once', () => {
  const asked = questions();
  const token = asked.issue('machine_stop', { machine: 'a', why: 'b' });
  expect(asked.redeem(token, 'machine_stop', { machine: 'b', why: 'b' })).toBe(false);
  expect(asked.redeem(token, 'machine_reset', { machine: 'a', why: 'b' })).toBe(false);
  const again = { why: 'b', confirmation_token: token, machine: 'a' };
  expect(asked.redeem(token, 'machine_stop', again)).toBe(true);
  expect(asked.redeem(token, 'machine_stop', again)).toBe(false);
});

test('a token is good for ten minutes, whatever becomes of the clock', () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  const asked = questions();
  const early = asked.issue('machine_stop', {});
  vi.setSystemTime(Date.now() + 86_400_000);
  expect(asked.redeem(early, 'machine_stop', {})).toBe(true);
  const late = asked.issue('machine_stop', {});
  vi.advanceTimersByTime(600_001);
  expect(asked.redeem(late, 'machine_stop', {})).toBe(false);
});

test('who asks and asks takes no memory and no time', () => {
  const asked = questions();
  const short = Array.from({ length: 1001 }, (_, machine) => asked.issue('machine_stop', { machine }));
  expect(asked.redeem(short[0], 'machine_stop', { machine: 0 })).toBe(false);
  expect(asked.redeem(short[1], 'machine_stop', { machine: 1 })).toBe(true);
  const command = 'x'.repeat(1_000_000);
  const long = Array.from({ length: 10 }, (_, machine) => asked.issue('monitor_execute', { command, machine }));
  expect(long.filter((token, machine) => asked.redeem(token, 'monitor_execute', { command, machine }))).toHaveLength(7);
});
