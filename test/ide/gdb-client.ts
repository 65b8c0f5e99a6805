import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { vi } from 'vitest';
import { encodePacket } from '../../src/links/gdb/packet.ts';
import { PacketReader } from '../../src/links/gdb/packet-reader.ts';

/** A client of the gdb remote protocol, packet by packet. */
export class GdbWire implements Disposable {
  readonly socket: Socket;
  readonly packets: string[] = [];
  isClosed = false;

  static async open(port: number): Promise<GdbWire> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new GdbWire(socket);
  }

  private constructor(socket: Socket) {
    this.socket = socket;
    const reader = new PacketReader();
    socket.on('data', (chunk: Buffer) => {
      for (const each of reader.push(chunk)) if (each.type === 'packet') this.packets.push(each.payload);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
    });
  }

  send(payload: string): void {
    this.socket.write(encodePacket(payload), 'latin1');
  }

  /** The next packet that comes. */
  async next(): Promise<string> {
    return vi.waitFor(
      () => {
        const packet = this.packets.shift();
        if (packet === undefined) throw new Error(this.isClosed ? 'the connection was closed' : 'nothing came');
        return packet;
      },
      { timeout: 60_000, interval: 5 },
    );
  }

  ask(payload: string): Promise<string> {
    this.send(payload);
    return this.next();
  }

  closed(): Promise<void> {
    return vi.waitFor(
      () => {
        if (!this.isClosed) throw new Error('the connection is open');
      },
      { timeout: 60_000, interval: 5 },
    );
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}
