import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { UnixGuest } from '../support/unix-guest.ts';
import { Desk } from './desk.ts';

const chunkChars = 50_000;
const queueBytes = 1_048_576;

interface Counts {
  readonly written: number;
  readonly queued: number;
  readonly refused: number;
  readonly type?: unknown;
}

/** A console whose other side does not read, and what went into it so far. */
class StuckLine {
  readonly desk: Desk;
  readonly guest: UnixGuest;
  /** All that the server took, in order. */
  taken = '';
  #line = 0;

  constructor(desk: Desk, guest: UnixGuest) {
    this.desk = desk;
    this.guest = guest;
  }

  async send(mode: string, more: Record<string, unknown> = {}): Promise<Counts> {
    let text = '';
    while (text.length < chunkChars) text += `${mode} line ${this.#line++}\n`;
    text = text.slice(0, chunkChars);
    const args = { text, eol: 'none', mode, quiet_ms: 0, format: 'json', ...more };
    const answer = await this.desk.call('console_send', args);
    const { written, queued, refused, error_type } = JSON.parse(answer.text);
    expect(written + queued + refused, 'the counts add up').toBe(chunkChars);
    this.taken += text.slice(0, written + queued);
    return { written, queued, refused, type: error_type };
  }

  /** Until the other side and the connection are full and `mode` refuses something. */
  async fill(mode: string, more: Record<string, unknown> = {}): Promise<Counts[]> {
    const results: Counts[] = [];
    do results.push(await this.send(mode, more));
    while (results.at(-1)?.refused === 0);
    return results;
  }

  /** The other side reads again: it gets exactly what was taken. */
  async drain(): Promise<void> {
    await this.guest.read();
    await vi.waitFor(() => expect(this.guest.received.length).toBe(this.taken.length), { timeout: 60_000 });
    expect(this.guest.received.toString()).toBe(this.taken);
    await vi.waitFor(async () => {
      expect((await this.desk.port()).link).toMatchObject({ queuedBytes: 0, bytesOut: this.taken.length });
    }, 60_000);
  }
}

async function stuckLine(desk: Desk): Promise<StuckLine> {
  const guest = await UnixGuest.listen(join(desk.sandbox.dir, 'stuck.sock'));
  await desk.start({ socket: guest.path });
  await desk.listed('LINK UP');
  return new StuckLine(desk, guest);
}

const total = (results: readonly Counts[], key: 'written' | 'queued' | 'refused') =>
  results.reduce((sum, each) => sum + each[key], 0);

describe('a peer that stops reading', () => {
  test('nonblocking gives up at once and queues nothing', async () => {
    await using desk = await Desk.open();
    const line = await stuckLine(desk);
    await using _ = line.guest;
    const results = await line.fill('nonblocking');
    expect(total(results, 'queued')).toBe(0);
    expect(results.at(-1)).toMatchObject({ type: 'WRITE_BUFFER_FULL' });
    expect(await line.send('nonblocking')).toMatchObject({ written: 0, refused: chunkChars });
    await line.drain();
    expect(await line.send('nonblocking')).toMatchObject({ refused: 0, queued: 0 });
    await line.drain();
  });

  test('buffered queues 1 MB, then says "Write buffer full"', async () => {
    await using desk = await Desk.open();
    const line = await stuckLine(desk);
    await using _ = line.guest;
    const results = await line.fill('buffered');
    expect(results.at(-1)).toMatchObject({ type: 'WRITE_BUFFER_FULL' });
    expect(total(results, 'queued')).toBe(queueBytes);
    expect(await line.send('buffered')).toMatchObject({ written: 0, queued: 0, refused: chunkChars });
    const full = await desk.call('console_send', { text: 'x', mode: 'buffered' });
    expect(full.text).toContain('ERROR Write buffer full: 2 bytes were not taken (0 sent, 0 queued)');
    expect(await desk.ask('machine_list')).toMatch(/\d+ bytes wait to be sent/);
    await line.drain();
  });

  test('retry waits as long as it was told, and takes back what did not leave', async () => {
    await using desk = await Desk.open();
    const line = await stuckLine(desk);
    await using _ = line.guest;
    const results = await line.fill('retry', { timeout_ms: 300 });
    expect(total(results, 'queued')).toBe(0);
    expect(results.at(-1)).toMatchObject({ type: 'WRITE_BUFFER_FULL' });
    const waiting = line.send('retry', { timeout_ms: 50_000 });
    await desk.listed('busy with console_send');
    await line.guest.read();
    expect(await waiting).toMatchObject({ written: chunkChars, refused: 0 });
    await line.drain();
  });

  test('modes may follow each other: the order of what was taken is kept', async () => {
    await using desk = await Desk.open();
    const line = await stuckLine(desk);
    await using _ = line.guest;
    await line.fill('nonblocking');
    expect(await line.send('buffered')).toMatchObject({ refused: 0 });
    expect(await line.send('nonblocking')).toMatchObject({ written: 0 });
    expect(await line.send('retry', { timeout_ms: 100 })).toMatchObject({ written: 0 });
    expect(await line.send('buffered')).toMatchObject({ queued: chunkChars });
    await line.drain();
  });
});
