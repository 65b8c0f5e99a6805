import { expect, test } from 'vitest';
import { PlainPort } from '../../../test/support/socket-port.ts';
import { MachineError } from '../../machine/errors.ts';
import { sendPaced } from './send-paced.ts';

const bytes = new TextEncoder().encode('a€😀b');
const options = { charDelayMs: 1, mode: 'retry', timeoutMs: 5000 } as const;

function recorder() {
  const port = new PlainPort();
  const pieces: string[] = [];
  port.onWrite = (piece) => {
    pieces.push(new TextDecoder().decode(piece));
    return { written: piece.length, queued: 0, refused: 0 };
  };
  return { port, pieces };
}

test('without a delay everything goes at once', async () => {
  const { port, pieces } = recorder();
  expect(await sendPaced(port, bytes, { ...options, charDelayMs: 0 })).toEqual({ written: 9, queued: 0, refused: 0 });
  expect(pieces).toEqual(['a€😀b']);
});

test('with a delay character by character, none of them cut', async () => {
  const { port, pieces } = recorder();
  expect(await sendPaced(port, bytes, options)).toEqual({ written: 9, queued: 0, refused: 0 });
  expect(pieces).toEqual(['a', '€', '😀', 'b']);
});

test('bytes that are not UTF-8 all go, one by one', async () => {
  const port = new PlainPort();
  const sent: number[] = [];
  port.onWrite = (piece) => {
    sent.push(...piece);
    return { written: 0, queued: piece.length, refused: 0 };
  };
  const odd = Uint8Array.of(0xff, 0x80, 0xe2, 0x41, 0xf0, 0x9f);
  expect(await sendPaced(port, odd, options)).toEqual({ written: 0, queued: 6, refused: 0 });
  expect(sent).toEqual([...odd]);
});

test('stops at the first refusal and counts the rest as refused', async () => {
  const port = new PlainPort();
  port.onWrite = (piece) =>
    piece.length === 4 ? { written: 1, queued: 2, refused: 1 } : { written: piece.length, queued: 0, refused: 0 };
  expect(await sendPaced(port, bytes, options)).toEqual({ written: 5, queued: 2, refused: 2 });
});

test('an abort in the middle leaves exact counts', async () => {
  const { port, pieces } = recorder();
  const abort = new AbortController();
  const record = port.onWrite;
  port.onWrite = (piece, how) => {
    if (pieces.length === 1) abort.abort();
    return record(piece, how);
  };
  const paced = { ...options, charDelayMs: 60_000, signal: abort.signal };
  setTimeout(() => abort.abort(), 10);
  expect(await sendPaced(port, bytes, paced)).toEqual({ written: 1, queued: 0, refused: 8 });
  expect(await sendPaced(port, bytes, paced)).toEqual({ written: 0, queued: 0, refused: 9 });
});

test('a failure in the middle tells what had been sent', async () => {
  const { port, pieces } = recorder();
  const record = port.onWrite;
  port.onWrite = (piece, how) => {
    if (pieces.length === 2) throw new MachineError('LINK_DOWN', 'The link is down.', 'Wait.');
    return record(piece, how);
  };
  await expect(sendPaced(port, bytes, options)).rejects.toMatchObject({
    type: 'LINK_DOWN',
    message: expect.stringContaining('4 of 9 bytes'),
    data: { written: 4, queued: 0, refused: 5 },
  });
});
