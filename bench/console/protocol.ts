import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Sandbox } from '../../test/support/sandbox.ts';
import type { Row, Table } from '../harness/bench.ts';
import { clockMs, within } from '../harness/clock.ts';
import { interleaved } from '../harness/rounds.ts';
import { median, ratio } from '../harness/statistics.ts';
import { HttpClient } from './http-client.ts';
import { LinesClient } from './lines-client.ts';
import { type Caller, type Era, httpHeaders, initialize, toolCall } from './requests.ts';

const rounds = 5;
const roundMs = 500;
const tool = 'machine_list';
const echo = fileURLToPath(new URL('./echo-process.ts', import.meta.url));

/** What MCP costs on top of the bare exchange of two JSON texts. */
export async function protocol(): Promise<Table> {
  await using sandbox = await Sandbox.open();
  const http = await httpUrls(sandbox);
  const stdio = (args: readonly string[] = []) => new LinesClient(sandbox.spawn(['--log-level', 'error', ...args]));
  const callers: Record<string, Caller> = {
    stdioEcho: new LinesClient(sandbox.spawnNode([...process.execArgv, echo])),
    stdioLegacy: stdio(),
    stdioModern: stdio(),
    httpEcho: new HttpClient(http.echo),
    httpLegacy: new HttpClient(http.panel),
    httpModern: new HttpClient(http.panel, httpHeaders('modern', tool)),
  };
  for (const name of ['stdioLegacy', 'httpLegacy']) {
    const caller = callers[name];
    if (caller) await initialize(caller);
  }
  const subjects = Object.fromEntries(
    Object.entries(callers).map(([name, caller]) => {
      const era = name.endsWith('Modern') ? 'modern' : 'legacy';
      return [name, () => callsPerSecond(caller, era)];
    }),
  );
  await interleaved(1, subjects);
  const samples = await interleaved(rounds, subjects);
  for (const caller of Object.values(callers)) await caller[Symbol.asyncDispose]();
  const row = (what: string, ours: string, reference: string) =>
    rowOf(what, samples[ours] ?? [], samples[reference] ?? []);
  return {
    title: `MCP: calls of \`${tool}\` a second, one after the other`,
    rows: [
      row('stdio, 2025-11-25, to an echo', 'stdioLegacy', 'stdioEcho'),
      row('stdio, 2026-07-28, to an echo', 'stdioModern', 'stdioEcho'),
      row('HTTP, 2025-11-25, to an echo', 'httpLegacy', 'httpEcho'),
      row('HTTP, 2026-07-28, to an echo', 'httpModern', 'httpEcho'),
    ],
    notes: [
      `${rounds} rounds of ${roundMs / 1000} s after a warm-up, with the same bare client. The reference is a Node program that parses each request and ` +
        'sends its parameters back, over the same kind of pipe or HTTP connection. HTTP is measured with `--max-rate` out of the way.',
    ],
  };
}

async function httpUrls(sandbox: Sandbox): Promise<{ echo: string; panel: string }> {
  const echoing = sandbox.spawnNode([...process.execArgv, echo, 'http']);
  const serving = sandbox.spawn([
    'serve',
    '--port',
    '0',
    '--no-token',
    '--max-rate',
    '1000000',
    '--log-level',
    'error',
  ]);
  const said = await saidUntil(serving.stderr, 'No token is needed');
  return { echo: (await saidUntil(echoing.stdout, '\n')).trim(), panel: /serves MCP at (\S+)/.exec(said)?.[1] ?? '' };
}

async function saidUntil(stream: Readable, part: string): Promise<string> {
  let said = '';
  const heard = new Promise<void>((resolve) => {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes(part)) resolve();
    });
  });
  await within(20_000, `"${part}" from a server`, heard);
  return said;
}

async function callsPerSecond(caller: Caller, era: Era): Promise<number> {
  const began = clockMs();
  let calls = 0;
  while (clockMs() - began < roundMs) await caller.request(toolCall(era, ++calls, tool));
  return (calls / (clockMs() - began)) * 1000;
}

function rowOf(what: string, ours: readonly number[], reference: readonly number[]): Row {
  return {
    what,
    ratio: ratio(ours, reference).toFixed(2),
    measured: rate(median(ours)),
    best: rate(Math.max(...ours)),
    reference: rate(median(reference)),
  };
}

const rate = (value: number) => `${value.toFixed(0)} calls/s`;
