import type { Socket } from 'node:net';
import type { ToolHost } from '../../api/tool-host.ts';
import { encodeResponse } from '../../links/vice/wire.ts';
import type { DebuggedMachine } from '../debugged-machine.ts';
import { BinmonSession } from './binmon-session.ts';
import { CommandReader } from './wire.ts';

/** Commands that may wait while one is answered. Clients of VICE send several at once, but not this many. */
const mostWaiting = 1000;
/** Answers that a client does not fetch. */
const mostUnsent = 16 * 1024 * 1024;

/** The wire of one client of VICE's binary monitor. Settles when it is gone. */
export async function serveBinmon(socket: Socket, host: ToolHost, machine: DebuggedMachine): Promise<void> {
  const session = new BinmonSession(host, machine, (type, id, body, error) => {
    if (socket.destroyed) return;
    socket.write(encodeResponse(type, id, body, error));
    if (socket.writableLength > mostUnsent) socket.destroy();
  });
  session.onLeave = () => socket.end();
  const reader = new CommandReader();
  let waiting = 0;
  let bug: unknown;
  const receive = async (command: Parameters<BinmonSession['receive']>[0]) => {
    try {
      await session.receive(command);
    } catch (error) {
      bug ??= error;
      socket.destroy();
    }
    waiting--;
  };
  socket.on('data', (chunk: Buffer) => {
    const commands = reader.push(chunk);
    waiting += commands?.length ?? 0;
    if (!commands || waiting > mostWaiting) return void socket.destroy();
    for (const command of commands) void receive(command);
  });
  await new Promise((resolve) => socket.once('close', resolve));
  await session.end().catch((error: unknown) => {
    if (machine.summary) bug ??= error;
  });
  if (bug !== undefined) throw bug;
}
