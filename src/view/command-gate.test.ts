import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandGate } from './command-gate.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function gateOf(obey: (command: number) => Promise<void>) {
  const socket = { pause: vi.fn(), resume: vi.fn(), terminate: vi.fn() };
  return { socket, gate: new CommandGate<number>(socket, (cost) => cost, obey) };
}

test('what comes too fast waits in its order, and nothing is left out', async () => {
  const seen: number[] = [];
  let number = 0;
  const { socket, gate } = gateOf(async () => void seen.push(number++));
  for (let count = 0; count < 3000; count++) gate.take(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.length).toBeLessThan(600);
  expect(socket.pause).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(2000);
  expect(seen.length).toBeGreaterThan(1000);
  expect(seen.length).toBeLessThan(1700);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(seen).toEqual(Array.from({ length: 3000 }, (_, index) => index));
  expect(socket.resume).toHaveBeenCalledOnce();
});

test('what costs more comes less often', async () => {
  let done = 0;
  const { gate } = gateOf(async () => void done++);
  for (let count = 0; count < 200; count++) gate.take(50);
  await vi.advanceTimersByTimeAsync(1000);
  expect(done).toBeLessThan(25);
});

test('commands that wait for the machine hold up others after a while', async () => {
  let begun = 0;
  const ends: (() => void)[] = [];
  const { gate } = gateOf(() => {
    begun++;
    return new Promise<void>((resolve) => ends.push(resolve));
  });
  for (let count = 0; count < 300; count++) gate.take(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(begun).toBe(128);
  for (const end of ends.splice(0)) end();
  await vi.advanceTimersByTimeAsync(100);
  expect(begun).toBe(256);
});

test('a page that does not stop is left', () => {
  const { socket, gate } = gateOf(async () => {});
  for (let count = 0; count <= 21_000; count++) gate.take(1);
  expect(socket.terminate).toHaveBeenCalled();
  gate.close();
});
