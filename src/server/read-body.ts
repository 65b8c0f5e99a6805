import type { IncomingMessage } from 'node:http';

export type Body =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'too large' }
  /** The client is gone before all of it came. */
  | { readonly type: 'cut off' };

/** The body of a request, no more of it than `maxBytes`. Never rejects. */
export async function readBody(req: IncomingMessage, maxBytes: number): Promise<Body> {
  if (Number(req.headers['content-length']) > maxBytes) return { type: 'too large' };
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of req) {
      bytes += chunk.length;
      if (bytes > maxBytes) return { type: 'too large' };
      chunks.push(chunk);
    }
  } catch {
    return { type: 'cut off' };
  }
  return { type: 'text', text: Buffer.concat(chunks).toString() };
}
