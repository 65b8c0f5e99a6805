import { setTimeout } from 'node:timers/promises';
import WebSocket from 'ws';
import { viewProtocol } from '../src/view/channel.ts';
import { decodeFrame } from '../src/view/frames.ts';
import type { Desk } from '../test/page/desk.ts';
import { atMost, type Row, type Table } from './harness/bench.ts';
import { cpuSeconds } from './harness/process-usage.ts';
import { median } from './harness/statistics.ts';

const rounds = 5;
const roundMs = 4000;
const mostServerMs = 4;
const mostBrowserMs = 5;

/** Two lines a colour, each frame one further: every band of the picture changes. */
const rasterBars = `* = $c000
 sei
frame: lda $d012
 cmp #$10
 bne frame
 inc $02
 ldx $02
line: txa
 lsr
 sta $d020
 sta $d021
 lda $d012
same: cmp $d012
 beq same
 inx
 lda $d012
 cmp #$f8
 bne line
 jmp frame`;

interface Spent {
  readonly serverMs: number;
  readonly browserMs: number;
  readonly pictures: number;
}

/** What pictures cost beyond the machine that makes them, each round against one in which nobody looks. */
export async function picturesOf(desk: Desk, progress: (text: string) => void): Promise<Table> {
  await desk.call('machine_start', { kind: 'c64', name: 'bars', options: { clock: 'real' } });
  await desk.call('program_run', { machine: 'bars', source: rasterBars });
  await desk.call('run', { machine: 'bars', detach: 'real' });
  const alone: Spent[] = [];
  const bare: Spent[] = [];
  const browsed: Spent[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(await spent(desk, () => 0));
    bare.push(await withSocket(desk));
    browsed.push(await withBrowser(desk));
    progress(`round ${round + 1}`);
  }
  const server = (looked: readonly Spent[]) =>
    looked.map(({ serverMs, pictures }, round) => (serverMs - (alone[round]?.serverMs ?? 0)) / pictures);
  const renderer = browsed.map(({ browserMs, pictures }) => browserMs / pictures);
  const rate = (looked: readonly Spent[]) => median(looked.map(({ pictures }) => (pictures * 1000) / roundMs));
  const row = (what: string, each: readonly number[], most: number, looked: readonly Spent[]): Row => ({
    what,
    measured: `${median(each).toFixed(1)} ms (${rate(looked).toFixed(0)} pictures a second)`,
    best: `${Math.min(...each).toFixed(1)} ms`,
    target: atMost(median(each), most, `≤ ${most} ms`),
  });
  return {
    title: 'What a picture costs',
    rows: [
      row('the server, a client that only acknowledges', server(bare), mostServerMs, bare),
      row('the server, a browser', server(browsed), mostServerMs, browsed),
      row('the browser (the process of the page)', renderer, mostBrowserMs, browsed),
    ],
    notes: [
      'A C64 in real time whose whole picture changes in each frame (moving raster bars). Processor time of the server beyond that of the same seconds with nobody looking, for each picture that arrived.',
      `The machine alone: ${median(alone.map(({ serverMs }) => serverMs / (roundMs / 20))).toFixed(1)} ms of the server's processor time a frame.`,
    ],
  };
}

async function spent(
  desk: Desk,
  count: () => number | Promise<number>,
  browserSeconds: () => number | Promise<number> = () => 0,
): Promise<Spent> {
  const look = async () => ({
    pictures: await count(),
    server: cpuSeconds(desk.program.child.pid ?? 0),
    browser: await browserSeconds(),
  });
  const before = await look();
  await setTimeout(roundMs);
  const after = await look();
  return {
    pictures: after.pictures - before.pictures,
    serverMs: (after.server - before.server) * 1000,
    browserMs: (after.browser - before.browser) * 1000,
  };
}

async function withSocket(desk: Desk): Promise<Spent> {
  const address = new URL('/view', desk.program.url).href.replace('http', 'ws');
  const socket = new WebSocket(address, viewProtocol, { headers: { authorization: `Bearer ${desk.program.token}` } });
  let pictures = 0;
  const isShown = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return;
      const { seq, frame } = decodeFrame(data);
      socket.send(JSON.stringify({ type: 'ack', seq }));
      if (frame.type !== 'band' || !frame.isLast) return;
      pictures++;
      resolve();
    });
  });
  socket.on('open', () => socket.send(JSON.stringify({ type: 'watch', machine: 'bars' })));
  await isShown;
  const result = await spent(desk, () => pictures);
  socket.close();
  return result;
}

async function withBrowser(desk: Desk): Promise<Spent> {
  const page = await desk.another();
  await page.goto(new URL(`/?token=${desk.program.token}`, desk.program.url).href);
  await page.locator('#machines button', { hasText: 'bars' }).click();
  const screen = page.locator('#screen[data-painted]');
  await screen.waitFor();
  const tools = await page.context().browser()?.newBrowserCDPSession();
  const browserSeconds = async () => {
    const { processInfo } = (await tools?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] };
    return processInfo.reduce((sum, { type, cpuTime }) => sum + (type === 'renderer' ? cpuTime : 0), 0);
  };
  const painted = async () => Number(await screen.getAttribute('data-painted'));
  const result = await spent(desk, painted, browserSeconds);
  await page.context().close();
  return result;
}
