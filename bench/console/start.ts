import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Sandbox } from '../../test/support/sandbox.ts';
import { atMost, type Table } from '../harness/bench.ts';
import { clockMs, timedMs } from '../harness/clock.ts';
import { cpuSeconds } from '../harness/process-usage.ts';
import { interleaved } from '../harness/rounds.ts';
import { median, ratio } from '../harness/statistics.ts';
import { LinesClient } from './lines-client.ts';
import { initialize } from './requests.ts';

const rounds = 5;
const coldStarts = 3;
const root = fileURLToPath(new URL('../..', import.meta.url));
/** A rule of thumb for English and JSON. */
const bytesPerToken = 4;

/** From nothing to a client that knows the tools. */
export async function start(): Promise<Table> {
  await using sandbox = await Sandbox.open();
  let list = '';
  const cpuMs: number[] = [];
  const ours = async () => {
    const started = await startToList(sandbox);
    list = started.text;
    cpuMs.push(started.cpuMs);
    return started.ms;
  };
  const empty = () => timedMs(() => once(sandbox.spawnNode(['-e', '0']), 'exit'));
  const warm = await interleaved(rounds, { ours, empty });
  const cold = await interleaved(coldStarts, {
    ours: () => {
      forgetFiles();
      return ours();
    },
  });
  const bytes = Buffer.byteLength(list);
  const tokens = Math.ceil(bytes / bytesPerToken);
  return {
    title: 'Start: process to the first answered `tools/list`',
    rows: [
      {
        what: 'warm, to an empty Node program',
        ratio: ratio(warm.ours, warm.empty).toFixed(1),
        measured: ms(median(warm.ours)),
        best: ms(Math.min(...warm.ours)),
        reference: ms(median(warm.empty)),
        target: atMost(median(warm.ours), 1000, '< 1 s'),
      },
      {
        what: 'cold: files not in memory',
        measured: ms(median(cold.ours)),
        best: ms(Math.min(...cold.ours)),
        target: atMost(median(cold.ours), 1000, '< 1 s'),
      },
      { what: 'processor time of a start', measured: ms(median(cpuMs)), best: ms(Math.min(...cpuMs)) },
      {
        what: 'default `tools/list`',
        measured: `${bytes} bytes, about ${tokens} tokens`,
        target: atMost(tokens, 4500, '< 4500 tokens'),
      },
    ],
    notes: [
      `${rounds} warm starts, ${coldStarts} cold ones, over stdio with the handshake of 2025-11-25. Cold means that the kernel was told to forget the ` +
        'files of the program and its dependencies; Node itself stays in memory. On a busy computer a start waits for its turn; the processor time is what it would take alone, roughly.',
      `Tokens are estimated as one for ${bytesPerToken} bytes of the \`tools\` array.`,
    ],
  };
}

async function startToList(sandbox: Sandbox): Promise<{ ms: number; cpuMs: number; text: string }> {
  const began = clockMs();
  const child = sandbox.spawn(['--log-level', 'error']);
  await using client = new LinesClient(child);
  await initialize(client);
  const result = await client.request({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const ms = clockMs() - began;
  const cpuMs = cpuSeconds(child.pid ?? 0) * 1000;
  return { ms, cpuMs, text: JSON.stringify(Reflect.get(Object(result), 'tools')) };
}

function forgetFiles(): void {
  const { dependencies } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { dependencies: object };
  const folders = [
    'dist',
    'node_modules/@modelcontextprotocol',
    ...Object.keys(dependencies).map((name) => `node_modules/${name}`),
  ];
  const forget = ['-exec', 'dd', 'if={}', 'iflag=nocache', 'count=0', 'status=none', ';'];
  const programText = ['-type', 'f', '(', '-name', '*.js', '-o', '-name', '*.mjs', '-o', '-name', '*.json', ')'];
  execFileSync('find', [...folders, ...programText, ...forget], { cwd: root });
}

const ms = (value: number) => `${value.toFixed(0)} ms`;
