import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setVector } from '../../../chips/x86/x86-testing.ts';
import { guestMemory, processorGuest } from '../board/processor-guest.ts';
import { SystemBench } from '../board/system-testing.ts';
import { desk } from './desk-testing.ts';
import { DosCallLog } from './dos-call-log.ts';
import { recordedGuest, recordedRegisters } from './recorded-guest.ts';

/** A program that calls INT 21h, whose service ends as the outcomes say, and a log that listens. */
function logged(
  code: string,
  outcomes: ('done' | 'wait')[],
  kind: 'registers' | 'live' | 'poll' = 'registers',
  service: { readonly sets?: number; readonly result?: string } = {},
) {
  let log: DosCallLog | undefined;
  const bench = desk(code, {
    callback: (number) => {
      const finish = log?.called(number, number === 0x21 ? kind : undefined);
      const outcome = outcomes.shift() ?? 'done';
      const flagsAt = (cpu.get('ss') << 4) + ((cpu.get('sp') + 4) & 0xffff);
      ram[flagsAt] = (ram[flagsAt] ?? 0) | (service.sets ?? 0);
      finish?.(outcome);
      return outcome;
    },
  });
  const { cpu, ram } = bench;
  const words = {
    describe: (_number: number, { ax }: { ax: number }) => `ax=${ax}`,
    result: (_number: number, { ah }: { ah: number }) => service.result ?? `ok ${ah}`,
  };
  log = new DosCallLog(cpu, words, processorGuest(cpu, guestMemory(cpu)));
  ram.set([0xfe, 0x38, 0x21, 0x00, 0xcf], 0xf0000);
  ram.set([0, 0, 0x00, 0xf0], 0x21 * 4);
  setVector(bench, 8, 0x150);
  bench.put(0x150, 'cf');
  return { ...bench, log };
}

test('the call log knows who called, what came of it, and a call that waits once', async () => {
  const { cpu, log } = logged('cd21 40 cd21 f4', ['done', 'wait', 'wait', 'done']);
  for (let slice = 1; slice < 12; slice++) {
    cpu.run(cpu.instructions + 2);
    cpu.setInterruptLine(slice % 2 === 0);
  }
  const { calls } = await log.read({ limit: 10 });
  expect(calls.map(({ from, what, result }) => [from.where, what, result])).toEqual([
    ['1000:0100', 'ax=0', 'ok 0'],
    ['1000:0103', 'ax=1', 'ok 0'],
  ]);
});

test('calls in a row that ended alike are one line', async () => {
  const { run, log } = logged('cd21 ebfc', []);
  run(2000);
  const { calls } = await log.read({ limit: 10 });
  expect(calls.map(({ from, times }) => [from.where, times])).toEqual([['1000:0100', 500]]);
});

test('polls displace nothing, however many there are', async () => {
  const { run, log, cpu } = logged('cd21 ebfc', [], 'poll');
  run(400_000);
  const { calls, total } = await log.read({ limit: 10 });
  expect(total).toBe(0);
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({ seq: 0, poll: true, result: 'ok 0' });
  // Four instructions each: INT, callback, IRET, JMP.
  expect(calls[0]?.times).toBe(Math.ceil((cpu.instructions - 1) / 4));
});

test.for([
  ['f9 cd21 f4', 0, 'done'],
  ['f8 cd21 f4', 0, 'done'],
  ['f8 cd21 f4', 1, 'carry'],
] as const)(
  'a question has failed when it sets the carry flag, not when that was set: %s',
  async ([code, sets, result]) => {
    const { run, log } = logged(code, [], 'poll', { sets, result: '' });
    run(20);
    const { calls } = await log.read({ limit: 10 });
    expect(calls.map((call) => call.result)).toEqual([result]);
  },
);

test('a machine that was taken back forgets the calls of its future', async () => {
  const { log, run } = logged('cd21 40 cd21 40 cd21 40 cd21 f4', []);
  run(12);
  const { calls } = await log.read({ limit: 10 });
  expect(calls).toHaveLength(3);
  log.cutBehind((calls[1]?.time ?? 0) + 1);
  expect((await log.read({ limit: 10 })).total).toBe(2);
  // Its service has not run.
  log.cutBehind(calls[1]?.time ?? 0);
  expect((await log.read({ limit: 10 })).total).toBe(1);
});

test('what is put into words later needs nothing but registers', () => {
  const { system } = new SystemBench({}, [], { interactive: true }).run(200_000);
  expect(system.isOwnDos).toBe(true);
  const numbers = Array.from({ length: 0x300 }, (_, number) => number);
  const registers = fc.array(fc.integer({ min: 0, max: 0xffff }), {
    minLength: recordedRegisters.length,
    maxLength: recordedRegisters.length,
  });
  const none = recordedRegisters.map(() => 0);
  let worded = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...numbers),
      registers,
      registers,
      fc.integer({ min: 0, max: 255 }),
      (number, a, b, ah) => {
        const before = Uint16Array.from(a);
        before[0] = (ah << 8) | ((a[0] ?? 0) & 0xff);
        Object.assign(system.guest, Object.fromEntries(recordedRegisters.map((name, index) => [name, before[index]])));
        const kind = system.kind(number);
        if (kind === undefined || kind === 'live') return;
        const was = recordedGuest(before, 0, 0);
        expect(system.describe(number, was)).not.toBe('');
        expect(typeof system.result(number, was, recordedGuest(Uint16Array.from(b), 1, 0))).toBe('string');
        worded += 1;
      },
    ),
    // The move of expanded memory, whose length lies in memory.
    { numRuns: 20_000, examples: [[0x67, none, none, 0x57]] },
  );
  expect(worded).toBeGreaterThan(500);
});

test('calls of a program whose place another one has taken say so, until the machine is taken back', async () => {
  const { run, cpu, log } = logged('cd21 40 cd21 ebfe', []);
  run(3);
  const replacedAt = cpu.instructions;
  log.replaced(0x10000, 0x10101);
  run(10);
  const former = async () => (await log.read({ limit: 10 })).calls.map((call) => call.former === true);
  expect(await former()).toEqual([true, false]);
  log.cutBehind(replacedAt - 1);
  expect(await former()).toEqual([false]);
});
