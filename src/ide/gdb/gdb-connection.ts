import type { Socket } from 'node:net';
import { encodePacket } from '../../links/gdb/packet.ts';
import { PacketReader } from '../../links/gdb/packet-reader.ts';
import { MachineError } from '../../machine/errors.ts';
import type { DebuggedMachine } from '../debugged-machine.ts';
import { GdbSession, packetBytes } from './gdb-session.ts';

/** Packets that may wait while one is answered: a debugger waits for each answer, so more are an attack. */
const mostWaiting = 64;
/** What escapes can make of the longest packet that we announce. */
const longestPacket = packetBytes * 2;
/** Answers that were not read yet: a debugger reads each before it asks again. */
const mostUnreadBytes = 1024 * 1024;
/** How often an answer is sent again to somebody who did not understand it. */
const mostRepeats = 8;

/** The wire of one debugger: packets, acknowledgements, the interrupt. Settles when it is gone. */
export async function serveGdb(socket: Socket, machine: DebuggedMachine): Promise<void> {
  const session = new GdbSession(machine);
  const reader = new PacketReader(longestPacket);
  let acknowledges = true;
  let last = '';
  let repeats = 0;
  let waiting = 0;
  let interrupts = 0;
  let bug: unknown;
  const fail = (error: unknown) => {
    if (!(error instanceof MachineError)) bug ??= error;
    socket.destroy();
  };
  const write = (text: string) => {
    if (socket.destroyed) return;
    socket.write(text, 'latin1');
    if (socket.writableLength > mostUnreadBytes) socket.destroy();
  };
  const handle = async (packet: string) => {
    // What was asked by somebody who has left must not move the machine any more.
    if (socket.destroyed) return;
    const answer = await session.answer(packet);
    waiting--;
    if (answer !== undefined) {
      last = [...session.printed.splice(0), answer].map(encodePacket).join('');
      repeats = 0;
      write(last);
    }
    if (packet === 'QStartNoAckMode') acknowledges = false;
    if (session.hasLeft) socket.end();
  };
  const interrupt = () => {
    if (interrupts > 0) return;
    interrupts++;
    const isComing = waiting > 0;
    void session
      .interrupt(isComing)
      .catch(fail)
      .finally(() => interrupts--);
  };
  let turn: Promise<void> = session.begin().catch(fail);
  socket.on('data', (chunk: Buffer) => {
    for (const received of reader.push(chunk)) {
      if (socket.destroyed) return;
      if (received.type === 'packet') {
        if (acknowledges) write('+');
        if (++waiting > mostWaiting) return void socket.destroy();
        turn = turn.then(() => handle(received.payload)).catch(fail);
      } else if (received.type === 'interrupt') interrupt();
      else if (received.type === 'damaged') write('-');
      else if (received.type === 'overflow' || (received.type === 'nack' && ++repeats > mostRepeats)) socket.destroy();
      else if (received.type === 'nack' && acknowledges) write(last);
    }
  });
  await new Promise((resolve) => socket.once('close', resolve));
  await session.interrupt(false).catch(() => {});
  await turn;
  await session.end().catch(() => {});
  if (bug !== undefined) throw bug;
}

/** What a debugger's first byte can be. A web page's request begins otherwise. */
export function isGdbByte(byte: number): boolean {
  return byte === 0x24 || byte === 0x2b || byte === 0x2d || byte === 0x03;
}
