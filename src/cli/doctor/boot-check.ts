import { once } from 'node:events';
import { createServer } from 'node:net';
import { outcomeText } from '../../api/outcome-text.ts';
import type { Outcome, ToolHost } from '../../api/tool-host.ts';
import type { Finding, Installed } from './finding.ts';

/** The kinds that need nothing but this program. */
const builtIn = ['c64', 'vic20', 'plus4', 'c16', 'dos'] as const;
const machine = 'doctor';
/** What a line of our own has to answer. */
const answerMs = 20_000;

/** Starts a machine of each kind, looks at it and stops it again. What it was started with, such as its ROMs, is in its answer. */
export async function bootEachKind(host: ToolHost, installed: Installed): Promise<readonly Finding[]> {
  const kinds = host.kinds().map(({ kind }) => kind);
  const findings: Finding[] = [];
  for (const kind of builtIn.filter((each) => kinds.includes(each)))
    findings.push(await boot(host, kind, {}, 'screen_read'));
  if (kinds.includes('vice') && installed.vice) findings.push(await boot(host, 'vice', {}, 'screen_read'));
  if (kinds.includes('qemu') && installed.qemu) findings.push(await boot(host, 'qemu', {}, 'machine_list'));
  if (kinds.includes('console')) findings.push(await bootConsole(host));
  return findings;
}

async function boot(
  host: ToolHost,
  kind: string,
  options: Readonly<Record<string, unknown>>,
  look: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<Finding> {
  const check = `boot ${kind}`;
  const began = performance.now();
  const started = await call(host, 'machine_start', { kind, name: machine, options });
  if (started.type !== 'answer') return failed(check, started);
  const seen = await call(host, look, look === 'machine_list' ? {} : { machine, ...args });
  await call(host, 'machine_stop', { machine });
  if (seen.type !== 'answer') return failed(check, seen);
  if (seen.answer.data?.reason === 'timeout') {
    const detail = `our own test line did not answer within ${answerMs / 1000} s`;
    return { check, status: 'fail', detail, fix: 'Run frontpanel doctor again when the computer is less busy.' };
  }
  const took = Math.round(performance.now() - began);
  return { check, status: 'ok', detail: `${took} ms; ${madeOf(kind, outcomeText(started).split('\n'))}` };
}

/** ROMs, processor, version of QEMU or VICE: the line in which a machine says it. */
function madeOf(kind: string, lines: readonly string[]): string {
  if (kind === 'console') return 'our own test line answered';
  return lines.find((line) => /^(?:QEMU|VICE) /.test(line)) ?? lines.at(-1) ?? '';
}

/** Against a line of our own. It must not send back what it gets: an echo is no answer. */
async function bootConsole(host: ToolHost): Promise<Finding> {
  const line = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.write('here\n'));
  });
  line.on('error', () => line.close());
  try {
    await once(line.listen(0, '127.0.0.1'), 'listening');
    const address = line.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return await boot(host, 'console', { port }, 'console_send', {
      text: 'who is there?\n',
      expect: 'here',
      timeout_ms: answerMs,
    });
  } catch (error) {
    const detail = `no line on 127.0.0.1: ${error instanceof Error ? error.message : String(error)}`;
    return {
      check: 'boot console',
      status: 'fail',
      detail,
      fix: 'Make sure that programs may listen on the loopback interface.',
    };
  } finally {
    line.close();
  }
}

function call(host: ToolHost, tool: string, args: unknown): Promise<Outcome> {
  const signal = new AbortController().signal;
  return host.call(tool, args, { client: 'doctor', role: 'own', signal, progress: () => {}, confirmed: true });
}

function failed(check: string, outcome: Exclude<Outcome, { type: 'answer' }>): Finding {
  if (outcome.type === 'confirm') return { check, status: 'fail', detail: outcome.question, fix: 'Report this.' };
  const { message, fix } = outcome.error;
  return { check, status: 'fail', detail: message, fix };
}
