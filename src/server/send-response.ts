import type { ServerResponse } from 'node:http';
import type { Lifetime } from './lifetime.ts';

/** What a client leaves unread is kept for it up to here; with more it is cut off, and may come again. */
const maxUnreadBytes = 16 * 1024 * 1024;
/** A client that has read nothing at all for so long is gone, whatever its connection says. */
const patienceMs = 30_000;

/** Sends an answer, and ends it at both ends when either ends. Resolves when it is over; never rejects. */
export async function sendResponse(
  response: Response,
  res: ServerResponse,
  lifetime: Lifetime,
  log: (text: string) => void,
): Promise<void> {
  const { status, headers, body } = response;
  if (lifetime.isOver) {
    await body?.cancel().catch(() => {});
    return;
  }
  res.writeHead(status, Object.fromEntries(headers));
  if (!body) {
    res.end();
    return;
  }
  // A stream may have nothing to say for a long time, and its client waits for the head.
  if (headers.get('content-type')?.startsWith('text/event-stream')) res.flushHeaders();
  const reader = body.getReader();
  // Waiting for the next piece would keep a stream in use whose client has left.
  lifetime.onOver(() => void reader.cancel().catch(() => {}));
  cutOffWhoDoesNotRead(res, lifetime, log);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || lifetime.isOver || res.destroyed) break;
      res.write(value);
      if (res.writableLength > maxUnreadBytes) {
        log(`a client was cut off that had left ${res.writableLength} bytes unread`);
        res.destroy();
      }
    }
    res.end();
  } catch (error) {
    log(`an answer was cut off: ${error instanceof Error ? error.message : String(error)}`);
    res.destroy();
  }
}

function cutOffWhoDoesNotRead(res: ServerResponse, lifetime: Lifetime, log: (text: string) => void): void {
  let hasRead = true;
  let unread = 0;
  res.on('drain', () => {
    hasRead = true;
  });
  const timer = setInterval(() => {
    const { writableLength } = res;
    const isStuck = writableLength > 0 && !hasRead && writableLength >= unread;
    hasRead = false;
    unread = writableLength;
    if (!isStuck) return;
    log(`a client was cut off that reads nothing; ${unread} bytes wait for it`);
    res.destroy();
  }, patienceMs);
  lifetime.onOver(() => clearInterval(timer));
}
