import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Desk, outputOf } from '../console/desk.ts';
import { image as riscv64 } from './guests/riscv64.ts';

/** Processes of QEMU whose command line names the folder of this server. */
function emulators(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const line = commandLine(name);
      return line.startsWith('qemu-system-') && line.includes(folder);
    })
    .map(Number);
}

/** Empty for a process that is gone, and for a zombie. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      .replaceAll('\0', ' ')
      .replace(/^\S*\//, '');
  } catch {
    return '';
  }
}

test('eight machines of one server are driven at once; one is killed, then the server', {
  timeout: 180_000,
}, async () => {
  await using desk = await Desk.open();
  const bios = join(desk.sandbox.dir, 'rv.bin');
  writeFileSync(bios, riscv64);
  const names = Array.from({ length: 8 }, (_, at) => `vm-${at}`);
  const options = { arch: 'riscv64', memory: 16, bios };
  await Promise.all(names.map((name) => desk.ask('machine_start', { kind: 'qemu', name, options })));
  expect(emulators(desk.sandbox.dir)).toHaveLength(8);

  // They print what is typed.
  const drive = async (machine: string, text: string) => {
    await desk.send({ machine, text, eol: 'none', quiet_ms: 0 });
    return desk.read({ machine, expect: text, timeout_ms: 50_000 });
  };
  const answers = await Promise.all(
    names.map(async (name) => {
      await desk.read({ machine: name, expect: 'READY', timeout_ms: 50_000 });
      return drive(name, name.slice(-1));
    }),
  );
  for (const [at, answer] of answers.entries()) expect(outputOf(answer).trim()).toBe(String(at));
  const states = await Promise.all(names.map((machine) => desk.ask('state_read', { machine })));
  for (const [at, state] of states.entries())
    expect(state).toMatch(new RegExp(`^vm-${at} RUNNING .*\\n(?:.*\\n)*.*pc=`));

  const [pid = Number.NaN] = emulators(desk.sandbox.dir);
  process.kill(pid, 'SIGKILL');
  const [, victim = ''] = /(vm-\d) OFF.*SIGKILL/.exec(await desk.listed(/vm-\d OFF/)) ?? [];
  const events = await desk.ask('events_read', { machine: victim, types: ['machine_off'] });
  expect(events).toMatch(/machine_off.*killed by SIGKILL/);
  expect(outputOf(await desk.read({ machine: victim, from: 'start' }))).toBe(`READY\n${victim.slice(-1)}`);
  const living = names.filter((name) => name !== victim);
  await Promise.all(living.map((name) => drive(name, 'x')));

  expect(emulators(desk.sandbox.dir)).toHaveLength(7);
  process.kill(desk.client.pid, 'SIGKILL');
  await expect.poll(() => emulators(desk.sandbox.dir), { timeout: 60_000 }).toEqual([]);
});
