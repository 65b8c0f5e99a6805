import type { IncomingMessage } from 'node:http';
import { GatheredBytes } from '../formats/gathered-bytes.ts';

/** A body may come in so many pieces, and in one more for each so many bytes. No network cuts it smaller than that. */
const freePieces = 1000;
const bytesPerPiece = 64;

export type Body =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'too large' }
  | { readonly type: 'crumbled' }
  /** The client is gone before all of it came. */
  | { readonly type: 'cut off' };

/** The body of a request, no more of it than `maxBytes`. Never rejects. */
export async function readBody(req: IncomingMessage, maxBytes: number): Promise<Body> {
  if (Number(req.headers['content-length']) > maxBytes) return { type: 'too large' };
  const gathered = new GatheredBytes();
  let pieces = 0;
  try {
    for await (const chunk of req) {
      if (gathered.length + chunk.length > maxBytes) return { type: 'too large' };
      gathered.add(chunk);
      if (++pieces > freePieces + gathered.length / bytesPerPiece) return { type: 'crumbled' };
    }
  } catch {
    return { type: 'cut off' };
  }
  return { type: 'text', text: new TextDecoder().decode(gathered.take()) };
}
