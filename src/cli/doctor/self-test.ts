import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Check, Finding } from './finding.ts';

const limitMs = 15_000;
/** A program that ends closes its output first. */
const exitGraceMs = 500;
const protocolVersion = '2025-11-25';

/** Starts this program as a client would, asks for its tools, and sees that it goes away again. */
export const selfTest: Check = async ({ selfCommand, env, config }) => {
  const [program = process.execPath, ...args] = selfCommand;
  const argv = config === undefined ? args : [...args, '--config', config];
  const startedAt = performance.now();
  const child = spawn(program, argv, { env, stdio: 'pipe' });
  let complaints = '';
  child.stderr.on('data', (data) => {
    complaints = (complaints + data).slice(-2_000);
  });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, limitMs);
  const exited = once(child, 'exit').then(
    ([code, signal]) => `it ended with ${signal ?? `code ${code}`}`,
    (error: Error) => error.message,
  );
  try {
    const count = await askForTools(child);
    if (count === undefined) {
      const how = await Promise.race([exited, delay(exitGraceMs, 'it closed its output', { ref: false })]);
      return [failure(isLate ? `no answer within ${limitMs} ms` : how, complaints)];
    }
    const elapsedMs = Math.round(performance.now() - startedAt);
    child.stdin.end();
    await exited;
    return [{ check: 'self test', status: 'ok', detail: `${count} tools listed ${elapsedMs} ms after the start` }];
  } catch (error) {
    return [failure(error instanceof Error ? error.message : String(error), complaints)];
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
};

/** How many tools the server has; undefined when it closes its output before it says so. */
async function askForTools(child: ChildProcessWithoutNullStreams): Promise<number | undefined> {
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'frontpanel-doctor', version: '1' };
  send({ id: 1, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } });
  for await (const line of createInterface({ input: child.stdout })) {
    const answer: unknown = JSON.parse(line);
    if (typeof answer !== 'object' || answer === null || !('id' in answer)) continue;
    if ('error' in answer) throw new Error(`it answered ${JSON.stringify(answer.error)}`);
    if (answer.id === 1) {
      send({ method: 'notifications/initialized' });
      send({ id: 2, method: 'tools/list' });
    } else if (answer.id === 2 && 'result' in answer) {
      return countTools(answer.result);
    }
  }
  return undefined;
}

function countTools(result: unknown): number {
  if (typeof result === 'object' && result !== null && 'tools' in result && Array.isArray(result.tools)) {
    return result.tools.length;
  }
  throw new Error(`it answered ${JSON.stringify(result)}`);
}

function failure(reason: string, complaints: string): Finding {
  const said = complaints.trim() === '' ? '' : ` It said: ${complaints.trim()}`;
  return {
    check: 'self test',
    status: 'fail',
    detail: `the server did not list its tools: ${reason}.${said}`,
    fix: 'Fix what is said above, or install frontpanel again.',
  };
}
