import { expect, test, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import { Desk, GuestDesk, outputOf } from './desk.ts';

test('the link comes back on its own: same handle, offsets go on, nothing is printed into the output', async () => {
  await using desk = await Desk.open();
  const first = await Guest.listen();
  const { port } = first;
  await desk.start({ port });
  await first.print('first life\r\n');
  await desk.arrived(12);
  await first[Symbol.asyncDispose]();

  const list = await desk.listed('console-1 LINK DOWN');
  expect(list).toMatch(/retry in \d+ s/);
  expect(list).toContain('lost 1×');
  expect(outputOf(await desk.read({ from: 'start' })), 'last words').toBe('first life');

  await using second = await Guest.listen(port);
  await second.print('second life\r\n');
  expect(outputOf(await desk.read({ expect: 'second life' }))).toBe('second life');
  const { buffer, link } = await desk.port();
  expect(buffer).toMatchObject({ start: 0, end: 25 });
  expect(link).toMatchObject({ state: 'up', losses: 1, bytesIn: 25 });
  expect(outputOf(await desk.read({ from: 'start', view: 'raw' }))).toBe('first life\\r\\nsecond life\\r\\n');

  const events = await desk.ask('events_read', { machine: 'console-1' });
  expect(events).toMatch(/link_up[\s\S]*link_lost: Link lost: [^\n]*next attempt in 1 s[\s\S]*link_up/);
});

test('a wait goes on across the loss and says that there was one', async () => {
  await using desk = await GuestDesk.at();
  const waiting = desk.read({ expect: 'login:' });
  await desk.guest.print('booting\r\nlog');
  await desk.arrived(12);
  desk.guest.hangUp();
  await desk.listed('lost 1×');
  await desk.listed('console-1 LINK UP');
  await desk.guest.print('\r\nlogin: ');
  const answer = await waiting;
  expect(answer).toContain('matched "login:"');
  expect(answer).toContain('the link was lost 1× meanwhile');
});

/** What a call answers that waits while the link is lost, and stays lost or comes back. */
async function whileLost(call: (desk: GuestDesk) => Promise<string>, comesBack: boolean): Promise<string> {
  await using desk = await GuestDesk.at();
  const answer = call(desk);
  await desk.guest.print('booting\r\n');
  await desk.arrived(9);
  if (comesBack) desk.guest.hangUp();
  else await desk.guest[Symbol.asyncDispose]();
  return await answer;
}

const never = { expect: 'never', timeout_ms: 4000 };

test('a wait tells of a link that is down, in words and to programs', async () => {
  expect(await whileLost((desk) => desk.read(never), false)).toMatch(
    /not seen within the limit [^\n]*; the link was lost 1× meanwhile and is (?:down|connecting)/,
  );
  const data = await whileLost((desk) => desk.ask('console_read', { ...never, format: 'json' }), true);
  expect(JSON.parse(data)).toMatchObject({ reason: 'timeout', link: 'up', link_losses: 1 });
});

test('a shell command tells of a link that was lost meanwhile', async () => {
  const answer = await whileLost((desk) => desk.send({ run: 'uname', timeout_ms: 6000 }), true);
  expect(answer).toMatch(/did not take the line .*; the link was lost 1× meanwhile\n/);
});

test('a wait that shows bytes says how it ended', async () => {
  await using desk = await GuestDesk.at();
  await desk.guest.print('login: ');
  expect(await desk.read({ from: 'start', expect: 'login:', view: 'hex' })).toMatch(
    /matched "login:" after [\s\S]*6c 6f 67/,
  );
});

test('bytes queued while the link is down leave when it is back, in order', async () => {
  await using desk = await Desk.open();
  const first = await Guest.listen();
  await desk.start({ port: first.port });
  await desk.listed('LINK UP');
  await first[Symbol.asyncDispose]();
  await desk.listed('LINK DOWN');
  for (const text of ['one', 'two', 'three']) await desk.send({ text, mode: 'buffered', quiet_ms: 0 });
  expect(await desk.ask('machine_list')).toContain('14 bytes wait to be sent');
  await using second = await Guest.listen(first.port);
  await vi.waitFor(() => expect(second.received).toBe('one\rtwo\rthree\r'), 60_000);
});

test('events can be waited for', async () => {
  await using desk = await GuestDesk.at();
  const { next_event } = await desk.json('machine_list');
  const waiting = desk.json('events_read', { from: next_event, types: ['link_lost'], wait_ms: 50_000 });
  desk.guest.hangUp();
  const { events } = await waiting;
  expect(events).toEqual([expect.objectContaining({ type: 'link_lost', machine: 'console-1' })]);
});

test('a peer that accepts and says nothing is told apart from one that speaks', async () => {
  await using desk = await GuestDesk.at();
  expect((await desk.port()).link).toMatchObject({ state: 'up', heardSinceUp: false });
  await desk.listed('connected but silent: the guest may be quiet, or another client may have the port');
  expect(await desk.read({ quiet_ms: 50 })).toContain('[no output');
  await desk.send({ text: 'anybody?', quiet_ms: 0 });
  await desk.guest.print('yes');
  await desk.arrived(3);
  expect((await desk.port()).link).toMatchObject({ heardSinceUp: true });
  expect(await desk.ask('machine_list')).not.toContain('silent');
});

test('a program without a terminal that says nothing to Enter is told as that', async () => {
  await using desk = await Desk.open(['--allow-commands']);
  for (const machine of ['bare', 'told', 'terminal']) {
    const options = { command: ['sh'], pty: machine === 'terminal' };
    await desk.ask('machine_start', { kind: 'console', name: machine, options });
  }
  const text = 'echo $((40+2))';
  expect(await desk.ask('console_send', { machine: 'bare', text, expect: '42', timeout_ms: 500 })).toMatch(
    /^bare .*silent, and without a terminal: .*"eol":"lf"; "pty":true/,
  );
  expect(await desk.ask('console_send', { machine: 'told', text, eol: 'lf', expect: '42' })).toMatch(/\n42\n/);
  expect(await desk.ask('console_send', { machine: 'terminal', text, expect: '42' })).toMatch(/\n.*42/);
  expect(await desk.ask('machine_list')).not.toMatch(/^(?:told|terminal) .*silent/m);
});
