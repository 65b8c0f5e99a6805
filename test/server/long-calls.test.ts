import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import { serve, ways } from '../support/mcp-servers.ts';

const patience = { timeout: 60_000, interval: 20 };

describe.concurrent.each(ways)('over %s with a client of the %s era', (way, era) => {
  test('a long wait reports progress until its text appears', async () => {
    await using guest = await Guest.listen();
    await using served = await serve(way, era);
    const { client } = served;
    await client.startConsole(guest.port);
    await guest.print('booting\r\n');
    // All of it has come, which another reader has seen.
    await client.call('console_read', { expect: 'booting\n', reader: 'other', timeout_ms: 50_000 });
    const reports: { progress: number; message?: string }[] = [];
    const waiting = client.call(
      'console_read',
      { expect: 'login:', timeout_ms: 50_000 },
      { onprogress: (report) => void reports.push(report as (typeof reports)[number]) },
    );
    await vi.waitFor(() => expect(reports.length).toBeGreaterThan(0), patience);
    expect(reports[0]).toMatchObject({ progress: 1, message: expect.stringMatching(/^\d+ s, 9 bytes$/) });
    await guest.print('login: ');
    expect((await waiting).text).toContain('matched "login:"');
    const values = reports.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  });

  test('a cancelled call ends on the server, and the machine is free for the next', async () => {
    await using guest = await Guest.listen();
    await using served = await serve(way, era, ['--journal', 'calls.jsonl']);
    const { client, sandbox } = served;
    await client.startConsole(guest.port);
    for (const tool of ['console_send', 'console_read']) {
      const cancel = new AbortController();
      const input = tool === 'console_send' ? { text: 'a' } : {};
      const wait = { expect: 'never', timeout_ms: 50_000 };
      const onprogress = vi.fn();
      const call = client.call(tool, { ...input, ...wait }, { signal: cancel.signal, onprogress });
      await vi.waitFor(() => expect(onprogress).toHaveBeenCalled(), patience);
      cancel.abort(new Error('enough'));
      await expect(call).rejects.toThrow('enough');
      // Without the cancellation this would wait its turn for 50 s.
      const next = await client.call('console_send', { text: 'b', quiet_ms: 0 }, { timeout: 40_000 });
      expect(next.text).toContain('sent 2 bytes');
      const journal = () => readFileSync(join(sandbox.dir, 'calls.jsonl'), 'utf8').trim().split('\n');
      await vi.waitFor(() => {
        const calls = journal().map((line) => JSON.parse(line) as Record<string, unknown>);
        const cancelled = calls.find((each) => each.tool === tool && String(each.answer).includes('cancelled after'));
        expect(cancelled).toBeDefined();
        expect(cancelled?.durationMs).toBeLessThan(40_000);
      }, patience);
    }
    expect((await client.call('machine_list')).text).not.toContain('busy');
  });
});

test('a call in the queue that is cancelled is not carried out', async () => {
  await using guest = await Guest.listen();
  await using served = await serve('stdio', 'legacy');
  const { client } = served;
  await client.startConsole(guest.port);
  const first = client.call('console_send', { text: 'first', expect: 'go on' });
  await vi.waitFor(() => expect(guest.received).toContain('first'), patience);
  const cancel = new AbortController();
  const second = client.call('console_send', { text: 'second', quiet_ms: 0 }, { signal: cancel.signal });
  const third = client.call('console_send', { text: 'third', quiet_ms: 0 });
  cancel.abort();
  await expect(second).rejects.toThrow();
  await guest.print('go on');
  expect((await first).text).toContain('matched "go on"');
  expect((await third).text).toContain('sent 6 bytes');
  await vi.waitFor(() => expect(guest.received).toBe('first\rthird\r'), patience);
});

test('a client that goes away while it waits leaves a machine that others can use', async () => {
  await using guest = await Guest.listen();
  await using served = await serve('HTTP', 'modern');
  const { client } = served;
  await client.startConsole(guest.port);
  const cancel = new AbortController();
  const waits = Array.from({ length: 5 }, () =>
    client.call('console_send', { text: 'x', expect: 'never', timeout_ms: 50_000 }, { signal: cancel.signal }),
  );
  await vi.waitFor(() => expect(guest.received).toContain('x'), patience);
  cancel.abort();
  await Promise.allSettled(waits);
  expect((await client.call('console_send', { text: 'y', quiet_ms: 0 }, { timeout: 40_000 })).isError).toBe(false);
});
