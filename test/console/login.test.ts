import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ShellGuest } from '../support/shell-guest.ts';
import { Desk, outputOf } from './desk.ts';

/** Parts of systems that boot, in the words and at the pace of real ones. */
const parts = `
ask() { printf '%s' "$1"; read -r answer; }
ask_secretly() { stty -echo; ask "$1"; stty echo; echo; }
getty() {
  while :; do
    ask "\${NAME:-guest login: }"; name=$answer
    [ -n "$name" ] || continue
    ask_secretly "\${PASSWORD:-Password: }"
    [ "$name/$answer" = root/secret ] && break
    sleep 0.6; echo; echo 'Login incorrect'; echo
  done
  echo 'Last login: Mon Jan  1 00:00:00 on ttyS0'
  exec busybox sh
}
`;

const root = { user: 'root', password: 'secret' };

let desk: Desk;
let guest: ShellGuest;
beforeAll(async () => {
  desk = await Desk.open();
  writeFileSync(join(desk.sandbox.dir, 'boot'), `${parts}\n. ./scenario\n`);
  guest = await ShellGuest.start(desk.sandbox, 'busybox sh boot');
});
afterEach(() => desk.ask('machine_stop', { machine: 'guest' }));
afterAll(async () => {
  await desk[Symbol.asyncDispose]();
  await guest[Symbol.asyncDispose]();
});

async function boot(scenario: string): Promise<void> {
  writeFileSync(join(desk.sandbox.dir, 'scenario'), scenario);
  await desk.start({ socket: guest.path }, 'guest');
}

describe('a system that boots', () => {
  test.for([
    ['as usual', 'echo "[    0.000000] Booting Linux"; sleep 0.5; echo Debian; getty', root],
    ['with a prompt that comes slowly', "printf 'guest '; sleep 0.2; printf 'lo'; sleep 0.2; getty", root],
    ['with a message after its prompt', "(sleep 0.2; echo '[    5.123456] random: crng init done') & getty", root],
    ['with other words', "NAME='Benutzername: '; PASSWORD='Kennwort: '; getty", root],
    ['with words that nobody knows', "PASSWORD='Geheimes Wort: '; getty", root],
    ['that wants to be woken', "ask 'Please press Enter to activate this console. '; getty", root],
    ['at the question for the password of another', "ask_secretly 'Password: '; echo 'Login incorrect'; getty", root],
    ['without a password', "ask 'guest login: '; exec busybox sh", { user: 'root' }],
    ['with a shell at once', 'echo Welcome; exec busybox sh', {}],
    [
      'with a prompt of its own',
      "echo Welcome; PS1='at your service.'; export PS1; exec busybox sh",
      { prompt: 'service.' },
    ],
  ] as const)('%s', async ([, scenario, who]) => {
    await boot(scenario);
    const answer = await desk.ask('console_login', who);
    expect(answer).toMatch(/a shell answers as \w+ after/);
    expect(answer).not.toContain('secret');
    expect(outputOf(await desk.send({ run: 'echo here' }))).toBe('here');
  });

  test('who does not log in gets as far as the question', async () => {
    await boot('getty');
    expect(await desk.ask('console_login')).toMatch(/it asks for a name after/);
    expect(await desk.ask('console_login', root), 'the prompt is an old one now').toMatch(/a shell answers/);
    expect(await desk.ask('console_login'), 'and now there is a shell').toMatch(/a shell answers/);
  });

  test('trouble on the way is told', async () => {
    await boot(`
      echo '[FAILED] Failed to start nginx.service - A web server.'
      echo '[   12.345678] Out of memory: Killed process 77 (mysqld) total-vm:1kB'
      getty`);
    expect(await desk.ask('console_login', root)).toMatch(
      /a shell answers.*\nOn the way there was trouble, 2 lines:\n {2}\[FAILED\] Failed to start nginx.*\n {2}.*Out of memory: Killed/,
    );
  });

  test('time that is up is no error', async () => {
    await boot('echo still busy; sleep 60');
    await expect
      .poll(() => desk.ask('console_login', { ...root, timeout_ms: 1500 }))
      .toMatch(/no prompt yet after \d+\.\d s; .* again[\s\S]*still busy/);
  });
});

describe('a system that does not let one in', () => {
  test.for([
    ['a wrong password', 'getty', { user: 'root', password: 'guessed' }, 'DENIED', /not let root in: Login incorrect/],
    ['no password', 'getty', { user: 'root' }, 'INVALID_ARGUMENT', /asks for a password/],
    [
      'a password that has to be changed',
      "ask 'guest login: '; ask_secretly 'Password: '; ask_secretly 'New password: '",
      root,
      'DENIED',
      /requires a password change/,
    ],
    ['somebody else', 'exec busybox sh', { user: 'nobody-of-this-name' }, 'WRONG_STATE', /logged in already/],
  ] as const)('%s', async ([, scenario, who, error_type, message]) => {
    await boot(scenario);
    const refusal = await desk.refusal('console_login', who);
    expect(refusal).toMatchObject({ error_type, message: expect.stringMatching(message) });
    expect(JSON.stringify(refusal)).not.toMatch(/secret|guessed/);
  });
});

describe('a boot that fails is an error at once', () => {
  test.for([
    ['[    1.000000] Kernel panic - not syncing: VFS: Unable to mount root fs', /the kernel panicked.*Unable to mount/],
    ['You are in emergency mode. After logging in, type "journalctl -xb"', /emergency shell/],
    ['Give root password for maintenance', /emergency shell/],
    ['ALERT!  UUID=1 does not exist.  Dropping to a shell!\\n(initramfs) ', /initial file system/],
    ['Entering emergency mode. Exit the shell to continue.\\ndracut:/# ', /emergency shell/],
    ['[    3.000000] systemd[1]: Freezing execution.', /first program gave up/],
    ['error: no such partition.\\ngrub rescue> ', /boot loader: grub rescue>/],
    ['Hit any key to stop autoboot:  0\\nNo valid device tree\\n=> ', /boot loader: =>/],
    ['UEFI Interactive Shell v2.2\\nShell> ', /boot loader/],
    ['Booting from Hard Disk...\\nNo bootable device.', /nothing to boot/],
    ['my own words of doom', /This appeared: words of doom/],
  ] as const)('%s', async ([said, message]) => {
    await boot(`printf '${said}'; sleep 60`);
    const refusal = await desk.refusal('console_login', { ...root, fail_on: ['words of doom'] });
    expect(refusal).toMatchObject({ error_type: 'EXECUTION_ERROR', message: expect.stringMatching(message) });
  });

  test('with its reason, also where the line comes in pieces', async () => {
    await boot(`printf 'Kernel panic - not syncing: sys'; sleep 0.2; printf 'rq triggered crash\\n'; sleep 60`);
    const refusal = await desk.refusal('console_login', root);
    expect(refusal).toMatchObject({ message: expect.stringMatching(/not syncing: sysrq triggered crash$/) });
  });
});
