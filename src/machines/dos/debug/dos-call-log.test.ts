import { expect, test } from 'vitest';
import { setVector } from '../../../chips/x86/x86-testing.ts';
import { desk } from './desk-testing.ts';
import { DosCallLog } from './dos-call-log.ts';

test('the call log knows who called, what came of it, and a call that waits once', async () => {
  const outcomes: ('done' | 'wait')[] = ['done', 'wait', 'wait', 'done'];
  let log: DosCallLog | undefined;
  const bench = desk('cd21 cd21 f4', {
    callback: (number) => {
      const finish = log?.called(number);
      const outcome = outcomes.shift() ?? 'done';
      finish?.(outcome);
      return outcome;
    },
  });
  const { cpu, ram } = bench;
  const words = {
    describe: (number: number) => (number === 0x21 ? `int 21h ah=${cpu.get('ah')}` : undefined),
    result: (_number: number, ah: number) => `ok ${ah}`,
  };
  log = new DosCallLog(cpu, words);
  ram.set([0xfe, 0x38, 0x21, 0x00, 0xcf], 0xf0000);
  ram.set([0, 0, 0x00, 0xf0], 0x21 * 4);
  setVector(bench, 8, 0x150);
  bench.put(0x150, 'cf');
  for (let slice = 1; slice < 12; slice++) {
    cpu.run(cpu.instructions + 2);
    cpu.setInterruptLine(slice % 2 === 0);
  }
  const { calls } = await log.read({ from: 0, limit: 10 });
  expect(calls.map(({ from, result }) => [from.where, result])).toEqual([
    ['1000:0100', 'ok 0'],
    ['1000:0102', 'ok 0'],
  ]);
});
