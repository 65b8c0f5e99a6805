import { z } from 'zod';
import type { ConsolePort, ModemProtocol } from '../../machine/console.ts';
import { runCommand } from '../console/shell-run.ts';
import { fileLimits } from '../file-limits.ts';
import { quoted } from './guest-shell.ts';

/** For how long a shell that is back is asked whether it is, one time after the other. */
const askedMs = [2_000, 4_000, 8_000];

/** For boot loaders, network gear and guests without a shell. */
export const modemArguments = {
  protocol: z
    .enum(['xmodem', 'ymodem', 'zmodem'])
    .optional()
    .describe('Instead: use lrzsz with a program at the other end'),
  start: z.string().max(500).optional().describe('protocol: typed first, e.g. "loady"; "" if it is already waiting'),
};

export interface ModemRequest {
  readonly port: ConsolePort;
  readonly protocol: ModemProtocol;
  readonly start: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** Sends a file to `path`; a boot loader or switch takes it where it likes. The answer: what is known of where it is now. */
export async function putByModem(request: ModemRequest, bytes: Uint8Array, path: string): Promise<string> {
  const slash = path.lastIndexOf('/');
  const [folder, name] = [path.slice(0, slash + 1), path.slice(slash + 1)];
  const inFolder = (command: string) => (folder === '' ? command : `(cd ${quoted(folder)} && ${command})`);
  const programs = {
    xmodem: `rx -bq ${quoted(path)}`,
    ymodem: inFolder('rb -bqy'),
    zmodem: inFolder('rz -bqy'),
  };
  await request.port.exchange.send({ name, bytes }, optionsOf(request, programs[request.protocol]));
  if (request.start === undefined) {
    await untilShellAnswers(request);
    return `it is ${path} on the other side`;
  }
  const told = request.protocol === 'xmodem' ? 'XMODEM passes no name on' : `the name ${name} went with it`;
  return `${told}; the program that received it decides where it is stored`;
}

export async function getByModem(request: ModemRequest, path: string): Promise<Uint8Array> {
  const programs = { xmodem: 'sx -bq', ymodem: 'sb -bqk', zmodem: 'sz -bq' };
  const command = `${programs[request.protocol]} ${quoted(path)}`;
  const received = await request.port.exchange.receive({ ...optionsOf(request, command), maxBytes: fileLimits.modem });
  if (request.start === undefined) await untilShellAnswers(request);
  return received;
}

/** The guest's program sets its terminal back when it ends, and throws away what was typed by then. */
async function untilShellAnswers({ port, signal }: ModemRequest): Promise<void> {
  for (const timeoutMs of askedMs) {
    const { exitCode } = await runCommand(port, ':', { timeoutMs, signal });
    if (exitCode !== undefined || signal.aborted) return;
  }
}

function optionsOf({ protocol, start, timeoutMs, signal, progress }: ModemRequest, usual: string) {
  const command = start ?? usual;
  const typed = new TextEncoder().encode(command === '' ? '' : `${command}\r`);
  return { protocol, start: typed, timeoutMs, signal, progress };
}
