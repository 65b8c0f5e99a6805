import { expect, test } from 'vitest';
import { BootTimes, maxLines } from './boot-times.ts';

function bench() {
  const now = { guestMs: 500, hostMs: 9000 };
  const boot = new BootTimes(() => ({ ...now }));
  const pass = (guestMs: number, hostMs = guestMs) => {
    now.guestMs += guestMs;
    now.hostMs += hostMs;
  };
  const say = (text: string, console = 'vm') => boot.take(console, Buffer.from(text));
  const lines = () =>
    boot
      .read()
      .lines.map(({ console, bytes, guestMs, hostMs }) => [console, Buffer.from(bytes).toString(), guestMs, hostMs]);
  return { boot, pass, say, lines };
}

test('a line has the time of its first letter, and a prompt is one without an end', () => {
  const { boot, pass, say, lines } = bench();
  boot.ran();
  pass(100);
  say('firm');
  pass(50, 1050);
  say('ware\r\n\r\nkernel\n');
  say('other\n', 'vm.serial1');
  pass(10);
  say('# ');
  expect(lines()).toEqual([
    ['vm', 'firmware', 100, 100],
    ['vm', 'kernel', 150, 1150],
    ['vm.serial1', 'other', 150, 1150],
    ['vm', '# ', 160, 1160],
  ]);
});

test('a prompt that was answered is a line as it stood, and with what was typed', () => {
  const { boot, pass, say, lines } = bench();
  boot.ran();
  boot.answered('vm');
  pass(5);
  say('login: ');
  pass(5);
  boot.answered('vm');
  say('a');
  boot.answered('vm');
  say('nn\r\n');
  expect(lines()).toEqual([
    ['vm', 'login: ', 5, 5],
    ['vm', 'login: ann', 5, 5],
  ]);
});

test('another start counts from when it runs', () => {
  const { boot, pass, say, lines } = bench();
  boot.ran();
  say('before\nbegun');
  boot.begin();
  pass(0, 5000);
  boot.ran();
  pass(7);
  boot.ran();
  say('after\n');
  expect(lines()).toEqual([['vm', 'after', 7, 7]]);
});

test('a guest that prints without end fills no memory', () => {
  const { boot, say } = bench();
  boot.ran();
  say(`${'x'.repeat(100_000)}\n`);
  for (let n = 0; n < 3 * maxLines; n++) say('y\n');
  const { lines, isCut } = boot.read();
  expect([lines.length, isCut, lines[0]?.bytes.length]).toEqual([maxLines, true, 240]);
  boot.begin();
  expect(boot.read()).toEqual({ lines: [], isCut: false });
});
