import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Caller, Outcome } from '../api/tool-host.ts';
import { MachineError } from '../machine/errors.ts';
import type { RackedMachine } from '../rack/racked-machine.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { inspect } from './inspect.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const released = vi.fn();
const running = () =>
  ({
    handle: 'mine',
    machine: { status: () => ({ state: 'RUNNING' }), control: { hold: async () => released } },
  }) as unknown as RackedMachine;

/** Answers when the call is given up, and not before. */
const endless = {
  readsAt: (tool: string) => (tool === 'later' ? 'any time' : 'moment'),
  call: (_tool: string, _args: unknown, { signal }: Caller) =>
    new Promise<Outcome>((resolve) => {
      const over = () => resolve({ type: 'error', error: new MachineError('CANCELLED', 'given up', '') });
      if (signal.aborted) over();
      signal.addEventListener('abort', over);
    }),
} as unknown as Toolbox;

const reads = ['slow', 'slow', 'later'].map((tool) => ({ tool, arguments: {} }));

test('whoever looks holds a machine still for a few seconds and no longer, whatever is read', async () => {
  const person = { signal: new AbortController().signal } as Caller;
  const seen = inspect(running(), reads, endless, person);
  await vi.advanceTimersByTimeAsync(4000);
  expect(released).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  const { outcomes, isCutShort } = await seen;
  expect(isCutShort).toBe(true);
  expect(released).toHaveBeenCalledTimes(1);
  const told = outcomes.map((each) => (each.type === 'error' ? each.error.message : each.type));
  expect(told).toEqual(['given up', 'This took too long.', 'This took too long.']);
});

test('a machine that is stopped is looked at for longer, since nothing waits for that', async () => {
  const person = { signal: new AbortController().signal } as Caller;
  const racked = { handle: 'mine', machine: { status: () => ({ state: 'PAUSED' }) } } as unknown as RackedMachine;
  let isOver = false;
  const seen = inspect(racked, reads, endless, person).finally(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(12_000);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(12_000);
  expect((await seen).isCutShort).toBe(true);
});

test('what can be read at any time does not hold it at all', async () => {
  const hold = vi.fn(async () => released);
  const racked = {
    handle: 'mine',
    machine: { status: () => ({ state: 'RUNNING' }), control: { hold } },
  } as unknown as RackedMachine;
  const person = new AbortController();
  const seen = inspect(racked, reads.slice(2), endless, { signal: person.signal } as Caller);
  person.abort();
  await seen;
  expect(hold).not.toHaveBeenCalled();
});

test('whoever leaves holds it no longer', async () => {
  released.mockClear();
  const person = new AbortController();
  const seen = inspect(running(), reads, endless, { signal: person.signal } as Caller);
  await vi.advanceTimersByTimeAsync(10);
  person.abort();
  await seen;
  expect(released).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('a hundred reads that never wait leave others their turn', async () => {
  vi.useRealTimers();
  const busy = {
    readsAt: () => 'moment',
    call: async (): Promise<Outcome> => {
      const end = performance.now() + 1;
      while (performance.now() < end);
      return { type: 'answer', answer: { text: '' } };
    },
  } as unknown as Toolbox;
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const many = Array.from({ length: 100 }, () => ({ tool: 'busy', arguments: {} }));
  await inspect(running(), many, busy, { signal: new AbortController().signal } as Caller);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});

test('however many look at a running machine, one after the other begins, it runs in between', async () => {
  vi.useRealTimers();
  const slow = {
    readsAt: () => 'moment',
    call: async (): Promise<Outcome> => {
      for (let turn = 0; turn < 5; turn++) await setImmediate();
      return { type: 'answer', answer: { text: '' } };
    },
  } as unknown as Toolbox;
  let holders = 0;
  let everFree = 0;
  const hold = async () => {
    holders++;
    return () => {
      holders--;
      if (holders === 0) everFree++;
    };
  };
  const racked = {
    handle: 'mine',
    machine: { status: () => ({ state: 'RUNNING' }), control: { hold } },
  } as unknown as RackedMachine;
  const look = () => inspect(racked, reads, slow, { signal: new AbortController().signal } as Caller);
  const people: Promise<unknown>[] = [];
  for (let person = 0; person < 6; person++) {
    people.push(look());
    // The one before is still looking.
    await setImmediate();
  }
  await Promise.all(people);
  expect(everFree).toBeGreaterThan(1);
  expect(holders).toBe(0);
});
