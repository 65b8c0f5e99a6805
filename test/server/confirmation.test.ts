import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, test, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import { eras } from '../support/mcp-client.ts';
import { serve, type Way } from '../support/mcp-servers.ts';

const patience = { timeout: 60_000, interval: 20 };
const asking = { capabilities: { elicitation: {} } };
const send = { text: 'reboot', quiet_ms: 0 };

describe.each([
  ['stdio', 'legacy'],
  ['stdio', 'modern'],
  ['HTTP', 'legacy'],
  ['HTTP', 'modern'],
] as const)('over %s, a client of the %s era that can ask', (way, era) => {
  test('sends only what the user agrees to', async () => {
    await using guest = await Guest.listen();
    await using served = await serve(way, era, [], asking);
    const { client } = served;
    const questions: string[] = [];
    let reply: ElicitResult = { action: 'accept', content: { confirm: true } };
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      return reply;
    });
    await client.startConsole(guest.port, { write_policy: 'confirm' });

    expect((await client.call('console_send', send)).text).toContain('sent 7 bytes');
    await vi.waitFor(() => expect(guest.received).toBe('reboot\r'), patience);
    expect(questions).toEqual([`Send "reboot" to tcp 127.0.0.1:${guest.port}?`]);

    for (reply of [
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: { confirm: false } },
    ] satisfies ElicitResult[]) {
      const refused = await client.call('console_send', send);
      expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/nothing was done/) });
    }
    expect(questions).toHaveLength(4);
    await client.call('console_read', { quiet_ms: 100 });
    expect(questions).toHaveLength(4);
    expect(guest.received).toBe('reboot\r');
  });
});

describe.each(eras)('a client of the %s era that cannot ask', (era) => {
  const way: Way = era === 'legacy' ? 'stdio' : 'HTTP';

  test('gets a token that fits the same call once', async () => {
    await using guest = await Guest.listen();
    await using served = await serve(way, era);
    const { client } = served;
    await client.startConsole(guest.port, { write_policy: 'confirm' });
    const asked = await client.call('console_send', send);
    expect(asked.isError).toBe(false);
    expect(asked.text).toMatch(/^NOT DONE YET: Send "reboot" to tcp .*\nAsk the user\./);
    const token = /"confirmation_token":"([\w-]+)"/.exec(asked.text)?.[1];
    expect(asked.content).toHaveLength(1);
    expect(asked.meta['frontpanel/confirm']).toEqual({ requires_confirmation: true, token });

    const other = await client.call('console_send', { ...send, text: 'rm -rf /', confirmation_token: token });
    expect(other.text).toMatch(/^NOT DONE YET: Send "rm -rf \/"/);
    expect((await client.call('console_send', { ...send, confirmation_token: 'guess' })).text).toMatch(/^NOT DONE YET/);
    expect((await client.call('console_send', { ...send, confirmation_token: token })).text).toContain('sent 7 bytes');
    expect((await client.call('console_send', { ...send, confirmation_token: token })).text).toMatch(/^NOT DONE YET/);
    await vi.waitFor(() => expect(guest.received).toBe('reboot\r'), patience);
  });
});

test('a batch cannot be used to get round the question', async () => {
  await using guest = await Guest.listen();
  await using served = await serve('stdio', 'legacy');
  const { client } = served;
  await client.startConsole(guest.port, { write_policy: 'confirm' });
  const batch = await client.call('batch', { steps: [{ tool: 'console_send', arguments: send }] });
  expect(batch).toMatchObject({ isError: true, text: expect.stringContaining('NOT DONE YET') });
  await client.call('console_read', { quiet_ms: 100 });
  expect(guest.received).toBe('');
});

test('--yes asks nothing, and write_policy deny refuses all the same', async () => {
  await using guest = await Guest.listen();
  await using served = await serve('stdio', 'modern', ['--yes'], asking);
  const { client } = served;
  client.setRequestHandler('elicitation/create', () => {
    throw new Error('asked all the same');
  });
  const confirming = await client.startConsole(guest.port, { write_policy: 'confirm' });
  const denying = await client.startConsole(guest.port, { write_policy: 'deny' });
  expect((await client.call('console_send', { ...send, machine: confirming })).text).toContain('sent 7 bytes');
  const denied = await client.call('console_send', { ...send, machine: denying });
  expect(denied).toMatchObject({ isError: true, text: expect.stringMatching(/^ERROR Agents may not type.*deny/) });
  expect(denied.content).toHaveLength(1);
  expect(denied.meta['frontpanel/error']).toMatchObject({ error_type: 'DENIED' });
  await vi.waitFor(() => expect(guest.received).toBe('reboot\r'), patience);
  expect((await client.call('console_read', { machine: denying })).isError).toBe(false);
});
