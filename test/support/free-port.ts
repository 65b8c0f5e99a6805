import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems give to whoever asks for any port: what is closed here and opened again later is still free then. */
const [first, end] = [10_240, 32_000];

/** A port of this computer that nobody listens on, and that nobody is given by chance. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, end);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
