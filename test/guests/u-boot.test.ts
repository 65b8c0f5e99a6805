import { expect, test } from 'vitest';
import { Desk, outputOf } from '../console/desk.ts';
import { freePort, Qemu } from './qemu.ts';

const startUBoot = (port: number) =>
  Qemu.start('qemu-system-i386', port, [
    '-M',
    'pc',
    '-m',
    '128',
    '-vga',
    'none',
    '-bios',
    '/usr/lib/u-boot/qemu-x86/u-boot.rom',
  ]);

test('U-Boot is stopped, driven, killed, and comes back under the same handle', { timeout: 180_000 }, async () => {
  await using desk = await Desk.open();
  const port = await freePort();
  await desk.start({ port }, 'board');
  const first = startUBoot(port);
  await using _ = first;

  const boot = await desk.read({
    expect: 'Hit any key to stop autoboot',
    fail_on: ['/not found/i'],
    timeout_ms: 45_000,
  });
  expect(outputOf(boot)).toMatch(/U-Boot 20\d\d\.\d\d[\s\S]*DRAM:/);
  expect(await desk.send({ keys: ['enter'], expect: '/^=> $/', timeout_ms: 20_000 })).toContain('matched');

  const version = await desk.send({ run: 'version' });
  expect(version).toContain('exit code 0');
  expect(outputOf(version)).toMatch(/^U-Boot 20\d\d/);
  expect(await desk.send({ run: 'false' })).toContain('exit code 1');
  expect(outputOf(await desk.send({ run: 'setenv greeting "hello board"; echo $greeting' }))).toBe('hello board');
  const unknown = await desk.send({ run: 'nonsense' });
  expect(outputOf(unknown)).toContain("Unknown command 'nonsense'");
  expect(unknown).not.toContain('exit code 0');
  const loop = await desk.send({ run: 'for i in a b c; do echo item $i; done' });
  expect(outputOf(loop)).toBe('item a\nitem b\nitem c');
  const dump = await desk.send({ text: 'md.b 0 40', expect: '/00000030: .*\\n/' });
  expect(outputOf(dump)).toMatch(/00000000: ([0-9a-f]{2} ){16}/);
  expect(await desk.read({ view: 'screen', quiet_ms: 300 })).toMatch(/screen 80x24[\s\S]*=>/);

  await desk.send({ text: 'echo last words', expect: '/^last words\\n/' });
  await first.kill();
  expect(await desk.listed('board LINK DOWN')).toMatch(/retry in \d+ s/);
  expect(await desk.read({ from: 'start', max_chars: 20_000 })).toContain('last words');
  const refusal = await desk.refusal('console_send', { run: 'version', timeout_ms: 500 });
  expect(refusal).toMatchObject({ error_type: 'LINK_DOWN', written: 0 });

  await using second = startUBoot(port);
  const again = await desk.read({ from: 'now', expect: 'Hit any key', timeout_ms: 45_000 });
  expect(again).toMatch(/^board LINK UP/);
  await desk.send({ keys: ['enter'], expect: '/^=> $/', timeout_ms: 20_000 });
  expect(outputOf(await desk.send({ run: 'echo second $greeting life' }))).toBe('second life');
  const events = await desk.ask('events_read', { machine: 'board', types: ['link_up', 'link_lost'] });
  expect(events).toMatch(/link_up[\s\S]*link_lost[\s\S]*link_up/);
  await second.kill();
});
