import { describe, expect, test } from 'vitest';
import { PlainPort } from '../../../test/support/socket-port.ts';
import { waitForOutput } from './wait-for-output.ts';

const long = 30_000;

function later(action: () => void, ms = 20): void {
  setTimeout(action, ms);
}

describe('a match', () => {
  test('that is already there returns at once, even without time', async () => {
    const port = new PlainPort();
    port.receive('\x1b[1mboot\x1b[0m\r\nlogin: \x1b[mrest');
    const result = await waitForOutput(port, { from: 0, patterns: [{ literal: 'login:' }], timeoutMs: 0 });
    expect(result).toMatchObject({ reason: 'match', text: 'boot\nlogin:', lostBytes: 0, link: 'up' });
    expect(new TextDecoder().decode(port.output.read(result.nextOffset, 100).bytes)).toBe(' \x1b[mrest');
    expect(port.listeners).toBe(0);
  });

  test('that lies before `from` does not count', async () => {
    const port = new PlainPort();
    port.receive('login: ');
    const from = port.output.end;
    later(() => port.receive('\r\nlogin: '));
    const result = await waitForOutput(port, { from, patterns: [{ literal: 'login: ' }], timeoutMs: long });
    expect(result).toMatchObject({ reason: 'match', text: '\nlogin: ', nextOffset: port.output.end });
  });

  test('is found when it trickles in byte by byte with colours between', async () => {
    const port = new PlainPort();
    const bytes = new TextEncoder().encode('x\x1b[1mlo\x1b[0mgin\x1b[K: €!');
    for (const [index, byte] of bytes.entries()) later(() => port.receive(Uint8Array.of(byte)), index * 2);
    const result = await waitForOutput(port, { from: 0, patterns: [{ regex: 'login: €' }], timeoutMs: long });
    expect(result).toMatchObject({ reason: 'match', text: 'xlogin: €', match: { text: 'login: €', index: 0 } });
    expect(result.nextOffset).toBe(bytes.length - 1);
  });

  test('of a failure pattern says so', async () => {
    const port = new PlainPort();
    later(() => port.receive('Login incorrect\r\n\r\nlogin: '));
    const result = await waitForOutput(port, {
      from: 0,
      patterns: [{ literal: 'login:' }],
      failPatterns: [{ literal: 'incorrect' }],
      timeoutMs: long,
    });
    expect(result).toMatchObject({ reason: 'fail_match', text: 'Login incorrect', match: { kind: 'failure' } });
  });

  test('of a failure pattern comes with its reason, if that is wanted, but not with a story without end', async () => {
    const port = new PlainPort();
    const options = { from: 0, failPatterns: [{ literal: 'Kernel panic' }], timeoutMs: long, withReason: true };
    later(() => port.receive('[ 1.0] Kernel panic - not syncing: VFS: '));
    later(() => port.receive('Unable to mount root fs\r\nCPU: 0 PID: 1\r\n'), 60);
    const result = await waitForOutput(port, options);
    expect(result).toMatchObject({ reason: 'fail_match', nextOffset: port.output.end });
    expect(result.text).toContain('not syncing: VFS: Unable to mount root fs\nCPU: 0 PID: 1\n');
    const endless = new PlainPort();
    const flood = setInterval(() => endless.receive('Kernel panic\r\n'), 5);
    const cut = await waitForOutput(endless, options);
    clearInterval(flood);
    expect(cut.reason).toBe('fail_match');
    expect(cut.text.length).toBeGreaterThan(100);
  });
});

test('a prompt is not seen where only a read ended', async () => {
  const port = new PlainPort();
  const pad = 'x'.repeat(32_766);
  port.receive(`${pad}# no prompt\r\n# `);
  const result = await waitForOutput(port, { from: 0, patterns: [{ regex: '# $' }], timeoutMs: long });
  expect(result).toMatchObject({ reason: 'match', nextOffset: port.output.end });
  const coloured = new PlainPort();
  coloured.receive(`${pad}# \x1b[m`);
  expect(await waitForOutput(coloured, { from: 0, patterns: [{ regex: '# $' }], timeoutMs: long })).toMatchObject({
    reason: 'match',
    nextOffset: 32_768,
  });
});

describe('no match', () => {
  test('time is up: everything read, cursor after it', async () => {
    const port = new PlainPort();
    port.receive('abc');
    const result = await waitForOutput(port, { from: 1, patterns: [{ literal: 'x' }], timeoutMs: 30 });
    expect(result).toMatchObject({ reason: 'timeout', text: 'bc', nextOffset: 3 });
    expect(result.elapsedMs).toBeGreaterThanOrEqual(29);
  });

  test('quiet counts from the last output', async () => {
    const port = new PlainPort();
    port.receive('a');
    later(() => port.receive('b'), 30);
    const result = await waitForOutput(port, { from: 0, quietMs: 600, timeoutMs: long });
    expect(result).toMatchObject({ reason: 'quiet', text: 'ab' });
    expect(result.elapsedMs).toBeGreaterThanOrEqual(625);
  });

  test('quiet on a silent line counts from the start', async () => {
    const result = await waitForOutput(new PlainPort(), { from: 0, quietMs: 20, timeoutMs: long });
    expect(result).toMatchObject({ reason: 'quiet', text: '', nextOffset: 0 });
  });

  test('with nothing to wait for it returns what is there', async () => {
    const port = new PlainPort();
    expect(await waitForOutput(port, { from: 0, timeoutMs: long })).toMatchObject({ reason: 'quiet', text: '' });
    port.receive('abc\r\n');
    const result = await waitForOutput(port, { from: 0, timeoutMs: long });
    expect(result).toMatchObject({ reason: 'quiet', text: 'abc\n', nextOffset: 5 });
    expect(await waitForOutput(port, { from: 99, timeoutMs: 0 })).toMatchObject({ text: '', nextOffset: 5 });
  });

  test('cancelled', async () => {
    const port = new PlainPort();
    const abort = new AbortController();
    later(() => abort.abort());
    const options = { from: 0, patterns: [{ literal: 'x' }], timeoutMs: long, signal: abort.signal };
    expect(await waitForOutput(port, options)).toMatchObject({ reason: 'cancelled' });
    expect(await waitForOutput(port, options)).toMatchObject({ reason: 'cancelled' });
    expect(port.listeners).toBe(0);
  });

  test('a bad pattern leaves no listener behind', async () => {
    const port = new PlainPort();
    await expect(waitForOutput(port, { from: 0, patterns: [{ regex: '(' }], timeoutMs: 0 })).rejects.toThrow('(');
    expect(port.listeners).toBe(0);
  });
});

describe('the link', () => {
  test('is waited for while it is down', async () => {
    const port = new PlainPort();
    port.setLink({ state: 'down' });
    later(() => port.setLink({ state: 'up', losses: 1 }), 10);
    later(() => port.receive('login:'), 30);
    const result = await waitForOutput(port, { from: 0, patterns: [{ literal: 'login:' }], timeoutMs: long });
    expect(result).toMatchObject({ reason: 'match', link: 'up', linkLosses: 1 });
  });

  test('that is down when time is up is reported', async () => {
    const port = new PlainPort();
    port.setLink({ state: 'down' });
    const result = await waitForOutput(port, { from: 0, patterns: [{ literal: 'x' }], timeoutMs: 10 });
    expect(result).toMatchObject({ reason: 'timeout', link: 'down' });
  });

  test('that ended returns when its last words are read, half a character included', async () => {
    const port = new PlainPort();
    port.receive('panic\r');
    port.receive(Uint8Array.of(0xe2, 0x82));
    later(() => port.setLink({ state: 'ended' }));
    const result = await waitForOutput(port, { from: 0, patterns: [{ literal: 'x$' }], timeoutMs: long });
    expect(result).toMatchObject({ reason: 'link_ended', text: 'panic\r\\xe2\\x82', nextOffset: 8, link: 'ended' });
  });
});

test('without a condition what was there is returned, although more keeps coming', async () => {
  const port = new PlainPort();
  port.receive('x'.repeat(100_000));
  const read = port.output.read.bind(port.output);
  port.output.read = (from, maxBytes) => {
    port.receive('y'.repeat(2 * maxBytes));
    return read(from, maxBytes);
  };
  const result = await waitForOutput(port, { from: 0, timeoutMs: 3000 });
  expect(result.reason).toBe('quiet');
  expect(result.text).toMatch(/^x{100000}/);
});

describe('the cursor', () => {
  test('stands before half a character or sequence, so that the next read is whole', async () => {
    const port = new PlainPort();
    const bytes = new TextEncoder().encode('ab€\x1b[31mc\r\nd');
    let from = 0;
    let text = '';
    for (let sent = 0; sent < bytes.length; sent += 2) {
      port.receive(bytes.subarray(sent, sent + 2));
      if (sent % 4 === 0) continue;
      const result = await waitForOutput(port, { from, timeoutMs: 0 });
      text += result.text;
      from = result.nextOffset;
    }
    expect(text + (await waitForOutput(port, { from, timeoutMs: 0 })).text).toBe('ab€c\nd');
  });

  test('does not stand still on a byte that stays alone', async () => {
    const port = new PlainPort();
    port.receive(Uint8Array.of(0x61, 0xe9));
    const first = await waitForOutput(port, { from: 0, timeoutMs: 0 });
    expect(first).toMatchObject({ text: 'a', nextOffset: 1 });
    const second = await waitForOutput(port, { from: 1, timeoutMs: 0 });
    expect(second).toMatchObject({ text: '\\xe9', nextOffset: 2 });
  });

  test('bytes that left the ring are counted', async () => {
    const port = new PlainPort(100);
    port.receive('x'.repeat(250));
    const result = await waitForOutput(port, { from: 30, patterns: [{ literal: 'end' }], timeoutMs: 20 });
    expect(result).toMatchObject({ lostBytes: 120, text: 'x'.repeat(100), nextOffset: 250 });
  });

  test('a gap in the middle is shown where it is, and nothing matches across it', async () => {
    const port = new PlainPort(100);
    port.receive('log');
    later(() => {
      port.receive('x'.repeat(500));
      port.receive(`in:${'y'.repeat(97)}`);
      later(() => port.receive('login:'));
    });
    const result = await waitForOutput(port, { from: 0, patterns: [{ literal: 'login:' }], timeoutMs: long });
    expect(result.text).toBe(`log\n[500 bytes lost here]\nin:${'y'.repeat(97)}login:`);
    expect(result).toMatchObject({ reason: 'match', lostBytes: 500, nextOffset: port.output.end });
  });
});

test('very much output keeps both ends and counts the rest', async () => {
  const port = new PlainPort();
  const line = `${'0123456789'.repeat(8)}\r\n`;
  const lines = 60_000;
  port.receive(line.repeat(lines));
  port.receive('# ');
  const result = await waitForOutput(port, { from: 0, patterns: [{ regex: '^# $' }], timeoutMs: long });
  expect(result).toMatchObject({ reason: 'match', nextOffset: lines * 82 + 2 });
  expect(result.text.length).toBeLessThan(263_000);
  expect(result.droppedChars).toBe(lines * 81 + 2 - 65_536 - 196_608);
  expect(result.text.endsWith('\n# ')).toBe(true);
});

test('a line that never falls silent still runs out of time', async () => {
  const port = new PlainPort();
  const flood = setInterval(() => port.receive('flood\r\n'.repeat(5000)), 1);
  const result = await waitForOutput(port, { from: 0, quietMs: 1000, patterns: [{ regex: 'x+y' }], timeoutMs: 150 });
  clearInterval(flood);
  expect(result.reason).toBe('timeout');
  expect(result.nextOffset).toBeGreaterThan(0);
});

test('progress is reported', async () => {
  const port = new PlainPort();
  port.receive('abc');
  const reports: number[] = [];
  const result = await waitForOutput(port, {
    from: 0,
    patterns: [{ literal: 'x' }],
    timeoutMs: long,
    onProgress: ({ bytes, link }) => {
      reports.push(bytes);
      expect(link).toBe('up');
      port.receive('x');
    },
  });
  expect(reports).toEqual([3]);
  expect(result.reason).toBe('match');
});

describe('a machine that is stopped', () => {
  const wanted = { from: 0, patterns: [{ literal: 'login:' }], timeoutMs: long };

  test('is not waited for until the time is up', async () => {
    const port = new PlainPort();
    port.receive('boot');
    const result = await waitForOutput(port, { ...wanted, standsAt: () => 'here' });
    expect(result).toMatchObject({ reason: 'stopped', text: 'boot' });
    expect(result.elapsedMs).toBeGreaterThan(1900);
    expect(port.listeners).toBe(0);
  });

  test('may go on, step by step, and what it printed last may still be on its way', async () => {
    const port = new PlainPort();
    let moment: number | undefined = 0;
    const steps = setInterval(() => {
      if (moment !== undefined) moment++;
    }, 100);
    later(() => {
      clearInterval(steps);
      moment = undefined;
    }, 2500);
    later(() => {
      moment = 1000;
      later(() => port.receive('login:'), 1000);
    }, 5000);
    const result = await waitForOutput(port, { ...wanted, standsAt: () => moment });
    expect(result).toMatchObject({ reason: 'match', text: 'login:' });
  });
});
