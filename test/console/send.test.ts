import { describe, expect, test, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import { GuestDesk, outputOf } from './desk.ts';

/** What arrives at the guest for one call. */
async function typed(desk: GuestDesk, args: Record<string, unknown>): Promise<string> {
  desk.guest.received = '';
  const { written } = await desk.json('console_send', { quiet_ms: 0, ...args });
  await vi.waitFor(() => expect(desk.guest.received).toHaveLength(Number(written)), 60_000);
  return desk.guest.received;
}

test('text, ends of line, keys and bytes arrive as they should', async () => {
  await using desk = await GuestDesk.at();
  expect(await typed(desk, { text: 'ls -l' })).toBe('ls -l\r');
  expect(await typed(desk, { text: 'a', eol: 'lf' })).toBe('a\n');
  expect(await typed(desk, { text: 'a', eol: 'crlf' })).toBe('a\r\n');
  expect(await typed(desk, { text: 'a', eol: 'none' })).toBe('a');
  expect(await typed(desk, { text: '' })).toBe('\r');
  // An end of line of its own is the one that is asked for, and not one more.
  expect(await typed(desk, { text: 'ls\n' })).toBe('ls\r');
  expect(await typed(desk, { text: 'ls\r\n', eol: 'lf' })).toBe('ls\n');
  expect(await typed(desk, { text: '\n' })).toBe('\r');
  expect(await typed(desk, { text: 'a\n\n' })).toBe('a\n\r');
  expect(await typed(desk, { text: 'a\n', eol: 'none' })).toBe('a\n');
  expect(await typed(desk, { text: 'čx🙂', eol: 'none' })).toBe(Buffer.from('čx🙂').toString('latin1'));
  expect(await typed(desk, { keys: ['ctrl-c', 'up', 'enter', 'esc', 'tab', 'ctrl-]'] })).toBe('\x03\x1b[A\r\x1b\t\x1d');
  expect(await typed(desk, { bytes: '00 ff 1b5b41 0D' })).toBe('\x00\xff\x1b[A\r');
  expect(await typed(desk, { text: 'first', eol: 'none', keys: ['enter'], bytes: '7a' })).toBe('first\rz');
});

test('what makes no sense is refused before a byte is sent', async () => {
  await using desk = await GuestDesk.at();
  const refusals: [Record<string, unknown>, RegExp][] = [
    [{}, /Nothing to send/],
    [{ keys: ['ctrl-c', 'hyper-x'] }, /hyper-x/],
    [{ text: 'a', bytes: '123' }, /odd number/],
    [{ text: 'a', bytes: 'zz' }, /hex/i],
    [{ run: 'ls', text: 'a' }, /cannot be combined with other input/],
    [{ run: 'ls\x03' }, /control character/],
    [{ text: 'a', expect: '' }, /empty pattern/i],
    [{ text: 'a', expect: '/(?=x)/' }, /look-around/],
    [{ text: 'a', expect: '/(a)\\1/' }, /back-reference/],
    [{ text: 'a', expect: '/x*/' }, /matches no text at all/],
    [{ text: 'a', port: 'ttyS1' }, /ttyS1/],
    [{ text: 'a', mode: 'fast' }, /mode/],
    [{ text: 'a', speed: 3 }, /speed/],
  ];
  for (const [args, message] of refusals) {
    const refusal = await desk.refusal('console_send', args);
    expect(refusal, JSON.stringify(args)).toMatchObject({ error_type: 'INVALID_ARGUMENT' });
    expect(`${refusal.message} ${refusal.suggested_fix}`).toMatch(message);
  }
  expect(await typed(desk, { text: 'clean', eol: 'none' })).toBe('clean');
});

test('pacing sends character by character, not faster than told', async () => {
  await using desk = await GuestDesk.at();
  const chunks: string[] = [];
  desk.guest.onInput = (text) => chunks.push(text);
  const began = performance.now();
  expect(await typed(desk, { text: 'pačed', char_delay_ms: 40 })).toBe(Buffer.from('pačed\r').toString('latin1'));
  expect(performance.now() - began).toBeGreaterThan(5 * 40 - 5);
  expect(chunks.length).toBeGreaterThan(1);
});

describe('waiting for the answer', () => {
  test('literal, regex with groups, failure, silence, limit: all are answers', async () => {
    await using desk = await GuestDesk.at();
    const answers: Record<string, string> = {
      'boot\r': 'loading...\r\nlogin: ',
      'version\r': 'Version 1.2.3\r\nready> ',
      'yes\r': `${'y\r\n'.repeat(50)}login: `,
      'panic\r': 'Oops\r\nKernel panic - not syncing\r\nlogin: ',
      'hush\r': 'some words',
      'slow\r': 'not yet',
    };
    desk.guest.onInput = (text) => void desk.guest.print(answers[text] ?? '?');

    const literal = await desk.send({ text: 'boot', expect: 'login:' });
    expect(literal).toMatch(/^console-1 LINK UP .*\nsent 5 bytes; matched "login:" after \d/);
    expect(outputOf(literal)).toBe('loading...\nlogin:');

    const regex = await desk.json('console_send', { text: 'version', expect: '/version (\\d+)\\.(\\d+)/i' });
    expect(regex).toMatchObject({ reason: 'match', match: 'Version 1.2', groups: ['1', '2'], untrusted: true });

    const failed = await desk.send({ text: 'panic', expect: 'login:', fail_on: ['/never/', 'Kernel panic'] });
    expect(failed).toContain('FAILED: "Kernel panic" appeared');
    expect(outputOf(failed), 'with the reason after it').toContain('Kernel panic - not syncing');

    const flood = await desk.send({ text: 'yes', expect: 'login:' });
    expect(outputOf(flood)).toBe('y\n[the same line 49 more times]\nlogin:');

    // Unless this process was kept from answering for so long: then it is tried again.
    await vi.waitFor(async () => {
      const quiet = await desk.send({ text: 'hush', expect: 'login:', quiet_ms: 150 });
      expect(quiet).toMatch(/; quiet after \d/);
      expect(outputOf(quiet)).toBe('some words');
    }, 60_000);
    await vi.waitFor(async () => {
      const late = await desk.send({ text: 'slow', expect: 'login:', timeout_ms: 200 });
      expect(late).toContain('not seen within the limit');
      expect(outputOf(late)).toBe('not yet');
    }, 60_000);
  });

  test('a pattern is found however its bytes are cut', async () => {
    await using desk = await GuestDesk.at();
    const prompt = 'gu\x1b[1mest\x1b[0m login: ';
    for (let cut = 1; cut < prompt.length; cut += 3) {
      const waiting = desk.json('console_read', { expect: 'guest login:', from: 'now' });
      // The read has begun when a call after it on the same stream was answered.
      await desk.ask('machine_list');
      await desk.guest.print(prompt.slice(0, cut));
      await desk.arrived(Math.floor(cut / 3) * prompt.length + cut);
      await desk.guest.print(prompt.slice(cut));
      expect(await waiting, `cut at ${cut}`).toMatchObject({ reason: 'match', match: 'guest login:' });
      await desk.arrived((Math.floor(cut / 3) + 1) * prompt.length);
    }
  });

  test('the echo of what was typed is not taken for the answer', async () => {
    await using desk = await GuestDesk.at();
    desk.guest.onInput = (text) => void desk.guest.print(text.replace('\r', '\r\n'));
    let settled = false;
    const waiting = desk.send({ text: 'wait until ready', expect: 'ready' }).finally(() => {
      settled = true;
    });
    await desk.arrived('wait until ready\r\n'.length);
    await desk.ask('machine_list');
    expect(settled).toBe(false);
    await desk.guest.print('the machine is ready\r\n');
    expect(outputOf(await waiting)).toBe('wait until ready\nthe machine is ready');
  });

  test('without a condition the answer shows what came at once, and what nobody had read before', async () => {
    await using desk = await GuestDesk.at();
    desk.guest.onInput = () => void desk.guest.print('done\r\n# ');
    await desk.guest.print('earlier\r\n');
    await desk.arrived(9);
    const answer = await desk.send({ text: 'go' });
    expect(answer).toContain('9 bytes had not been read before: "from":"0"');
    await desk.arrived(17);
    expect(outputOf(await desk.read({ from: '0' }))).toBe('earlier\ndone\n#');
    // At once, if this process is not kept from answering.
    await vi.waitFor(async () => expect(outputOf(await desk.send({ text: 'go' }))).toBe('done\n#'), 60_000);
  });
});

test('calls that change one console are carried out one after another, those that read are not held up', async () => {
  await using desk = await GuestDesk.at();
  const first = desk.send({ text: 'first', expect: 'go on' });
  const second = desk.send({ text: 'second', quiet_ms: 0 });
  await vi.waitFor(() => expect(desk.guest.received).toBe('first\r'), 60_000);
  expect(await desk.ask('machine_list')).toContain('busy with console_send');
  expect(await desk.read({ from: 'now' })).toContain('no output');
  expect(desk.guest.received).toBe('first\r');
  await desk.guest.print('go on');
  await Promise.all([first, second]);
  await vi.waitFor(() => expect(desk.guest.received).toBe('first\rsecond\r'), 60_000);
});

describe('write policy', () => {
  test('deny keeps agents from typing, not from reading', async () => {
    await using desk = await GuestDesk.at({ write_policy: 'deny' });
    expect(await desk.refusal('console_send', { text: 'rm -rf /' })).toMatchObject({ error_type: 'DENIED' });
    await desk.guest.print('readable');
    expect(outputOf(await desk.read({ expect: 'readable' }))).toBe('readable');
    expect(desk.guest.received).toBe('');
  });

  test('confirm asks first and takes a token for exactly that call, once', async () => {
    await using desk = await GuestDesk.at({ write_policy: 'confirm' });
    const call = { text: 'reboot', quiet_ms: 0 };
    const question = await desk.ask('console_send', call);
    expect(question).toContain('NOT DONE YET: Send "reboot"');
    const confirmation_token = /"confirmation_token":"([^"]+)"/.exec(question)?.[1];
    const other = await desk.ask('console_send', { ...call, text: 'halt', confirmation_token }).catch(String);
    expect(other).not.toMatch(/\bsent\b/);
    expect(desk.guest.received).toBe('');
    const again = /"confirmation_token":"([^"]+)"/.exec(await desk.ask('console_send', call))?.[1];
    expect(await desk.ask('console_send', { ...call, confirmation_token: again })).toContain('sent 7 bytes');
    await vi.waitFor(() => expect(desk.guest.received).toBe('reboot\r'), 60_000);
    const replay = await desk.ask('console_send', { ...call, confirmation_token: again }).catch(String);
    expect(replay).not.toMatch(/\bsent\b/);
  });
});

test('several machines in one server do not hear each other', async () => {
  await using desk = await GuestDesk.at();
  await using other = await Guest.listen();
  await desk.start({ port: other.port }, 'other');
  await desk.listed('other LINK UP');
  expect(await desk.refusal('console_send', { text: 'who?' })).toMatchObject({ error_type: 'INVALID_ARGUMENT' });
  await desk.send({ machine: 'other', text: 'you', quiet_ms: 0 });
  await vi.waitFor(() => expect(other.received).toBe('you\r'), 60_000);
  expect(desk.guest.received).toBe('');
  expect(await desk.ask('machine_stop', { machine: 'other' })).toContain('Still running: console-1');
});
