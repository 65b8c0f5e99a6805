import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Recording } from '../../src/machines/qemu/debug/recording.ts';
import { at as aarch64 } from './guests/aarch64.ts';
import { breakpoint, debugGuest } from './guests/debug-guest.ts';
import { at as riscv64 } from './guests/riscv64.ts';
import { Guest, makeStateDisk } from './guests/start-guest.ts';

const guests = {
  riscv64: { at: riscv64, counter: 0x80001000n },
  aarch64: { at: aarch64, counter: 0x40180000n },
} as const;

describe.for(['riscv64', 'aarch64'] as const)('a recording of %s', (name) => {
  const { at, counter } = guests[name];
  let directory: string;
  const replaying = (mode: 'record' | 'replay') => [
    ...['-icount', `shift=7,rr=${mode},rrfile=${directory}/log,rrsnapshot=init`, '-net', 'none'],
    ...['-drive', `file=${directory}/state.qcow2,if=none,id=state`],
  ];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fpr-'));
    await makeStateDisk(`${directory}/state.qcow2`);
    const guest = await Guest.start(name, replaying('record'));
    await guest.qmp.execute('cont');
    await guest.prints('READY');
    // QEMU writes down how far it got when something happens, but not at the end: so something must.
    for (const letter of ['!', '?']) {
      guest.send(letter);
      await guest.prints(letter);
    }
    await guest.qmp.execute('quit');
    await new Promise((done) => guest.process.once('exit', done));
    await guest[Symbol.asyncDispose]();
  });

  afterAll(() => rm(directory, { recursive: true, force: true }));

  test('goes back by steps and to breakpoints, and forward again to the same', async () => {
    const { run, step, cpu, control, word, own, breakpoints } = await debugGuest(
      name,
      replaying('replay'),
      new Recording('init'),
    );
    expect(control.canRewind).toBe(true);
    const outer = await breakpoints.set(breakpoint(at.outer));
    for (let round = 0; round < 4; round++) await run();
    const [rounds, position] = [await word(counter), await own.rewind.playback?.position()];
    expect(cpu.pc).toBe(at.outer);

    await step('into', 3);
    const forward = cpu.pc;
    expect(await step('into', 3, true)).toMatchObject({ cause: 'step', reason: '3 steps back' });
    expect([cpu.pc, await own.rewind.playback?.position()]).toEqual([at.outer, position]);
    await step('into', 3);
    expect(cpu.pc).toBe(forward);

    expect(await run({ back: true })).toMatchObject({ cause: 'breakpoint', breakpoint: { id: outer.id } });
    expect([cpu.pc, await word(counter)]).toEqual([at.outer, rounds]);
    await run({ back: true });
    expect([cpu.pc, await word(counter)]).toEqual([at.outer, rounds - 1]);
    await breakpoints.delete(outer.id);
    expect(await run({ back: true, address: at.body })).toMatchObject({ reason: 'the address was reached' });
    expect(cpu.pc).toBe(at.body);
    expect(await run({ back: true })).toMatchObject({ cause: 'limit' });
    expect(await word(counter)).toBe(0);
  });
});

test('a machine that replays nothing refuses to go back', async () => {
  const { control, step, own } = await debugGuest('riscv64');
  expect(control.canRewind).toBe(false);
  await expect(step('into', 1, true)).rejects.toMatchObject({ type: 'MISSING_CAPABILITY' });
  expect(own.rewind.refusal).toMatch(/cannot go back/);
});
