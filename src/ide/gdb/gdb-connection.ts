import type { Socket } from 'node:net';
import { encodePacket } from '../../links/gdb/packet.ts';
import { PacketReader } from '../../links/gdb/packet-reader.ts';
import type { DebuggedMachine } from '../debugged-machine.ts';
import { GdbSession } from './gdb-session.ts';

/** Packets that may wait while one is answered: a debugger waits for each answer, so more are an attack. */
const mostWaiting = 64;

/** The wire of one debugger: packets, acknowledgements, the interrupt. Settles when it is gone. */
export async function serveGdb(socket: Socket, machine: DebuggedMachine): Promise<void> {
  const session = new GdbSession(machine);
  const reader = new PacketReader();
  let acknowledges = true;
  let last = '';
  let waiting = 0;
  let turn: Promise<void> = session.begin();
  const send = (payload: string) => {
    last = encodePacket(payload);
    socket.write(last, 'latin1');
  };
  const handle = async (packet: string) => {
    const answer = await session.answer(packet);
    waiting--;
    if (answer !== undefined) send(answer);
    if (packet === 'QStartNoAckMode') acknowledges = false;
    if (session.hasLeft) socket.end();
  };
  const fail = (error: unknown) => {
    socket.destroy();
    return error;
  };
  let bug: unknown;
  socket.on('data', (chunk: Buffer) => {
    for (const received of reader.push(chunk)) {
      if (received.type === 'packet') {
        if (acknowledges) socket.write('+');
        if (++waiting > mostWaiting) return socket.destroy();
        turn = turn
          .then(() => handle(received.payload))
          .catch((error: unknown) => {
            bug ??= fail(error);
          });
      } else if (received.type === 'interrupt') session.interrupt().catch(fail);
      else if (received.type === 'damaged') socket.write('-');
      else if (received.type === 'nack') socket.write(last, 'latin1');
      else if (received.type === 'overflow') return socket.destroy();
    }
    return undefined;
  });
  await new Promise((resolve) => socket.once('close', resolve));
  if (machine.isRunning) await session.interrupt().catch(() => {});
  await turn;
  await session.end().catch(() => {});
  if (bug !== undefined) throw bug;
}

/** What a debugger's first byte can be. A web page's request begins otherwise. */
export function isGdbByte(byte: number): boolean {
  return byte === 0x24 || byte === 0x2b || byte === 0x2d || byte === 0x03;
}
