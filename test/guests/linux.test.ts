import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Desk, outputOf } from '../console/desk.ts';
import { password } from '../linux-initrd.ts';
import { linuxImage } from './linux-image.ts';
import { freePort, Qemu } from './qemu.ts';

const bootMs = 50_000;
const bootTries = 6;

let image: ReturnType<typeof linuxImage>;
beforeAll(() => {
  image = linuxImage();
}, 180_000);
afterAll(() => rmSync(image.initrd, { force: true }));

/** Boots and waits for the first prompt. */
async function boot(desk: Desk, port: number): Promise<Qemu> {
  const qemu = Qemu.start(image.program, port, image.args);
  const expected = { expect: 'guest login:', fail_on: ['Kernel panic', 'end trace'], timeout_ms: bootMs };
  let up = await desk.read(expected);
  for (let more = 0; more < bootTries && up.includes('it may still come'); more++) up = await desk.read(expected);
  expect(up).toContain('matched "guest login:"');
  return qemu;
}

/** A computer under load may boot it for longer than one call waits. */
async function booted(desk: Desk, args: Record<string, unknown>): Promise<void> {
  for (let more = 0; more < bootTries; more++) {
    const { text } = await desk.call('console_login', args);
    if (!text.includes('it may still boot')) return;
  }
}

async function logIn(desk: Desk): Promise<void> {
  expect(await desk.send({ text: 'root', expect: 'Password:' })).toContain('matched');
  expect(await desk.send({ text: password, expect: 'guest#', fail_on: ['Login incorrect'] })).toContain('matched');
}

test('Linux is booted, logged into, driven, killed and booted again', { timeout: 1_200_000 }, async () => {
  await using desk = await Desk.open();
  const port = await freePort();
  await desk.start({ port }, 'linux');
  const first = await boot(desk, port);
  await using _ = first;

  await desk.send({ text: 'root', expect: 'Password:' });
  const wrong = await desk.send({
    text: 'guessed',
    expect: 'guest#',
    fail_on: ['Login incorrect'],
    timeout_ms: 30_000,
  });
  expect(wrong).toContain('FAILED: "Login incorrect" appeared');
  await desk.read({ expect: 'guest login:' });
  await logIn(desk);
  const history = await desk.read({ from: 'start', max_chars: 28_000 });
  expect(history, 'the password was not echoed').not.toContain(password);

  const uname = await desk.send({ run: 'uname -sn' });
  expect(uname).toContain('exit code 0');
  expect(outputOf(uname)).toBe('Linux guest');
  expect(await desk.send({ run: 'ls /nowhere' })).toContain('exit code 1');
  expect(outputOf(await desk.send({ run: 'for n in 1 2 3; do\n  echo "step $n"\ndone' }))).toBe(
    'step 1\nstep 2\nstep 3',
  );
  const long = await desk.json('console_send', { run: 'seq 1 500', max_chars: 10_000, timeout_ms: 40_000 });
  expect(String(long.output).split('\n')).toHaveLength(500);
  const kernelMessage = await desk.send({ run: 'echo "<0>a message of the kernel" > /dev/kmsg; echo done' });
  expect(kernelMessage).toContain('exit code 0');

  await desk.send({ run: 'stty rows 24 cols 80' });
  await desk.send({ text: 'top', expect: '/PID +PPID/', timeout_ms: 30_000 });
  const top = await desk.read({ view: 'screen', quiet_ms: 500, timeout_ms: 5000 });
  expect(outputOf(top).split('\n')[0]).toMatch(/^Mem: \d+K used/);
  await desk.send({ text: 'q', eol: 'none', expect: 'guest#' });
  await desk.send({ text: 'vi /tmp/note', quiet_ms: 700 });
  await desk.send({ text: 'ihello from the agent', eol: 'none', keys: ['esc'], quiet_ms: 700 });
  const vi = outputOf(await desk.read({ view: 'screen', quiet_ms: 500 }));
  expect(vi).toMatch(/^hello from the agent\n~\n/);
  await desk.send({ text: ':wq', expect: 'guest#' });
  expect(outputOf(await desk.send({ run: 'cat /tmp/note' }))).toBe('hello from the agent');

  await desk.send({ run: 'echo last words' });
  await first.kill();
  await desk.listed('linux LINK DOWN');
  expect(await desk.read({ from: 'start', max_chars: 28_000 })).toContain('last words');
  await using second = Qemu.start(image.program, port, image.args);
  const login = { user: 'root', password, timeout_ms: bootMs };
  await booted(desk, { ...login, password: 'guessed' });
  expect(await desk.refusal('console_login', { ...login, password: 'guessed' })).toMatchObject({
    error_type: 'DENIED',
    message: expect.stringContaining('Login incorrect'),
  });
  expect(await desk.ask('console_login', login)).toContain('a shell answers as root');
  expect(await desk.send({ run: 'cat /tmp/note' })).toContain('exit code 1');
  await desk.send({ text: 'echo c > /proc/sysrq-trigger', quiet_ms: 0 });
  expect(await desk.refusal('console_login', login)).toMatchObject({
    error_type: 'EXECUTION_ERROR',
    message: expect.stringMatching(/the kernel panicked: Kernel panic - not syncing: sysrq triggered crash/),
  });
  await second.kill();
});
