import { expect, test } from 'vitest';
import type { Caller, Outcome, ToolHost } from '../../api/tool-host.ts';
import { readSerial, sendLine } from './serial.ts';

/** A console on which something appears after so many seconds, and whose clock is moved by those who wait. */
function slowConsole(appearsAfterMs: number, lastLine = '# ') {
  let nowMs = 0;
  const calls: { readonly tool: string; readonly args: Record<string, unknown> }[] = [];
  const wait = ({ timeout_ms: timeoutMs }: Record<string, unknown>) => {
    const until = Math.min(nowMs + Number(timeoutMs), Math.max(nowMs, appearsAfterMs));
    const isThere = until >= appearsAfterMs;
    nowMs = until;
    return { reason: isThere ? 'match' : 'timeout', from: 70, next: isThere ? 120 : 100 };
  };
  const call = async (tool: string, args: Record<string, unknown>): Promise<Outcome> => {
    calls.push({ tool, args });
    const data =
      tool === 'serial_place'
        ? { at: 70, end: 100, last_line: lastLine }
        : tool === 'serial_page'
          ? { output: `to ${args.end}`, left: 0 }
          : wait(args);
    return { type: 'answer', answer: { text: '', data } };
  };
  const host = { call, machines: () => [{ handle: 'qemu', kind: 'qemu', state: 'RUNNING', consoles: ['qemu'] }] };
  const pace = { now: () => nowMs, stretchMs: 45_000 };
  const waits = () => calls.flatMap(({ tool, args }) => ('timeout_ms' in args ? [[tool, args.timeout_ms]] : []));
  return { host: host as unknown as ToolHost, pace, calls, waits, elapsedMs: () => nowMs };
}

const caller = { progress: () => {}, signal: new AbortController().signal } as unknown as Caller;

test('a wait of minutes is made of waits that a call may take, each over everything since the line was sent', async () => {
  const slow = slowConsole(130_000);
  const answer = await sendLine(slow.host, caller, 'make', { wait_for: 'built', timeout: 300 }, slow.pace);
  expect(answer).toEqual({ output: 'to 120', matched: true });
  expect(slow.elapsedMs()).toBe(130_000);
  expect(slow.waits()).toEqual([
    ['console_send', 45_000],
    ['serial_wait', 45_000],
    ['serial_wait', 45_000],
  ]);
  expect(slow.calls.at(-2)?.args).toMatchObject({ from: 70, typed: 'make', expect: 'built' });
});

test('it ends when its time is up, to the second', async () => {
  const slow = slowConsole(400_000);
  const answer = await readSerial(slow.host, caller, { wait_for: 'login:', timeout: 100 }, slow.pace);
  expect(answer).toEqual({ output: 'to 100', matched: false });
  expect(slow.waits()).toEqual([
    ['console_read', 45_000],
    ['serial_wait', 45_000],
    ['serial_wait', 10_000],
  ]);
});

test.each([
  ['the same line', '/ # ', '\r\nbin dev\r\n/ # ', true],
  ['one that has changed, as after cd', '/ # ', '\r\n/tmp/a # ', true],
  ['one where there was none', '', '\r\nLinux\r\nguest$ ', true],
  ['one of a boot loader', 'Hit any key ', '\r\n=> ', true],
  ['one without a blank, as before', 'C:\\>', '\r\nD:\\>', true],
  ['one whose blank is still to come', '=> ', '\r\n=>', false],
  ['a line within the output', '/ # ', '\r\n/x # y\r\n', false],
  ['a bar that grows', '/ # ', '\r\n######', false],
  ['a question', '/ # ', '\r\nReally? ', false],
])('without wait_for it ends at a prompt: %s', async (_, last_line, output, ends) => {
  const slow = slowConsole(0, last_line);
  await sendLine(slow.host, caller, 'ls', { timeout: 5 }, slow.pace);
  const expected = String(slow.calls.find(({ tool }) => tool === 'console_send')?.args.expect);
  expect(new RegExp(expected.slice(1, -1)).test(output)).toBe(ends);
});
