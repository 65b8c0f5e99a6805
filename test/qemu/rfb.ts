import { createCipheriv } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What a VNC server says to a password: the size of its screen, or why not. */
export interface RfbAnswer {
  readonly security: readonly number[];
  readonly refused?: string;
  readonly size?: readonly [number, number];
}

const passwordAuthentication = 2;

/** The handshake of RFB 3.8 with a password, as a viewer does it. */
export async function rfbLogin(port: number, password: string): Promise<RfbAnswer> {
  const socket = connect(port, '127.0.0.1');
  try {
    const read = reader(socket);
    await read(12);
    socket.write('RFB 003.008\n');
    const [count = 0] = await read(1);
    const security = [...(await read(count))];
    socket.write(Uint8Array.of(passwordAuthentication));
    socket.write(response(password, await read(16)));
    if ((await read(4)).readUInt32BE() !== 0) {
      const length = (await read(4)).readUInt32BE();
      return { security, refused: (await read(length)).toString('latin1').replaceAll('\0', '') };
    }
    socket.write(Uint8Array.of(1));
    const screen = await read(24);
    return { security, size: [screen.readUInt16BE(0), screen.readUInt16BE(2)] };
  } finally {
    socket.destroy();
  }
}

function reader(socket: Socket): (length: number) => Promise<Buffer> {
  let held = Buffer.alloc(0);
  return async (length) => {
    while (held.length < length) {
      const [chunk] = await once(socket, 'data', { signal: AbortSignal.timeout(60_000) });
      held = Buffer.concat([held, chunk]);
    }
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  };
}

/** DES with the bits of each byte of the key turned round; three times with one key is once. */
function response(password: string, challenge: Uint8Array): Buffer {
  const key = Buffer.alloc(8);
  key.write(password, 'latin1');
  const turned = key.map((byte) =>
    Array.from({ length: 8 }, (_, bit) => ((byte >> bit) & 1) << (7 - bit)).reduce((a, b) => a | b),
  );
  const cipher = createCipheriv('des-ede3', Buffer.concat([turned, turned, turned]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(challenge), cipher.final()]);
}
