import { connect, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { ToolHost } from '../../api/tool-host.ts';
import { MachineError } from '../../machine/errors.ts';
import type { Debugger } from '../debugged-machine.ts';
import { DapFault, DapReader, type DapRequest, encodeMessage } from './dap-messages.ts';
import { attachOptions, checked } from './dap-options.ts';
import { DapSession } from './dap-session.ts';

const loopback = '127.0.0.1';
/** Requests that wait for those before them; then no more are read until there is room. */
const mostWaiting = 64;
/** What an IDE has not read yet: one that is so far behind does not read at all. */
const mostUnreadBytes = 8 * 1024 * 1024;

export interface DapWire {
  readonly input: Readable;
  readonly output: Writable;
}

export interface DapOptions {
  readonly who: Debugger;
  /** The machine whose port this is. */
  readonly ownMachine?: string;
}

/** Serves one IDE. Settles when it is gone and nothing is left of its session. */
export async function serveDap(host: ToolHost, { input, output }: DapWire, options: DapOptions): Promise<void> {
  const reader = new DapReader();
  const over = new AbortController();
  let seq = 1;
  let turn: Promise<void> = Promise.resolve();
  let waiting = 0;
  const send = (message: Readonly<Record<string, unknown>>) => {
    if (output.destroyed || output.writableEnded) return;
    output.write(encodeMessage({ seq: seq++, ...message }));
    if (output.writableLength > mostUnreadBytes) over.abort();
  };
  const session = new DapSession(
    host,
    options.who,
    {
      event: (event, body) => send({ type: 'event', event, body }),
      end: () => over.abort(),
    },
    options.ownMachine,
  );
  const answer = async (request: DapRequest): Promise<void> => {
    const { command, seq: request_seq } = request;
    const reply = { type: 'response', request_seq, command };
    try {
      const port = command === 'attach' ? checked(attachOptions, request.arguments).port : undefined;
      if (port !== undefined && options.ownMachine === undefined) {
        const socket = await connected(port);
        input.off('data', take);
        await relay(request, { input, output }, socket);
        return over.abort();
      }
      const body = await session.request(command, request.arguments);
      send({ ...reply, success: true, ...(body && { body }) });
    } catch (error) {
      if (!(error instanceof MachineError)) throw error;
      const message = `${error.message} ${error.fix}`;
      send({ ...reply, success: false, message, body: { error: { id: 1, format: message.replaceAll('{', '{{') } } });
    }
  };
  let bug: unknown;
  const take = (chunk: Buffer) => {
    try {
      for (const request of reader.push(chunk)) {
        // A machine that is moving is stopped by a request that must not wait for it.
        turn = turn
          .then(() => (over.signal.aborted ? undefined : answer(request)))
          .catch((error: unknown) => {
            bug ??= error;
            over.abort();
          })
          .finally(() => {
            if (--waiting < mostWaiting && input.isPaused()) input.resume();
          });
        if (++waiting >= mostWaiting) input.pause();
      }
    } catch (error) {
      if (!(error instanceof DapFault)) bug ??= error;
      over.abort();
    }
  };
  input.on('data', take);
  for (const event of ['end', 'close', 'error']) input.once(event, () => over.abort());
  await new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve(), { once: true }));
  input.off('data', take);
  await session.end().catch(() => {});
  input.destroy();
  if (bug !== undefined) throw bug;
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, loopback);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.on('error', (error) => {
      const fix = 'Open it with debug_port {"protocol":"dap"} and use the port that it tells.';
      reject(new MachineError('UNAVAILABLE', `Nothing answers at port ${port}: ${error.message}.`, fix));
    });
  });
  return socket;
}

/** The IDE wants machines of another server: from here on everything goes there. Settles when either side is gone. */
async function relay(
  { arguments: args, ...request }: DapRequest,
  { input, output }: DapWire,
  socket: Socket,
): Promise<void> {
  const { port: _, ...rest } = args;
  socket.write(encodeMessage({ type: 'request', ...request, arguments: rest }));
  input.pipe(socket);
  for (const event of ['close', 'error']) input.once(event, () => socket.end());
  socket.pipe(output, { end: false });
  await new Promise((resolve) => socket.once('close', resolve));
}
