import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePayload, encodePacket } from './packet.ts';
import { PacketReader } from './packet-reader.ts';
import { parseStopReply } from './stop-reply.ts';

test('a packet is its payload between marks, with the sum of its bytes', () => {
  expect(encodePacket('g')).toBe('$g#67');
  expect(encodePacket('a#b')).toBe('$a}\x03b#43');
});

test('run lengths and escapes are resolved, within limits', () => {
  expect(decodePayload('0* ', 100)).toBe('0000');
  expect(decodePayload('x}\x03y', 100)).toBe('x#y');
  expect(decodePayload('0*~'.repeat(50), 100)).toBeUndefined();
  expect(decodePayload('*', 100)).toBe('*');
  expect(decodePayload('a*', 100)).toBe('a');
  expect(decodePayload('a}', 100)).toHaveLength(2);
});

test('every payload survives, in pieces of any size, between noise', () => {
  const bytes = fc.array(fc.integer({ min: 0, max: 255 })).map((codes) => String.fromCharCode(...codes));
  const cases = fc.property(fc.array(bytes, { maxLength: 4 }), fc.integer({ min: 1, max: 9 }), (payloads, size) => {
    const wire = Buffer.from(payloads.map((payload) => `+ab${encodePacket(payload)}`).join(''), 'latin1');
    const reader = new PacketReader();
    const got: unknown[] = [];
    for (let at = 0; at < wire.length; at += size) got.push(...reader.push(wire.subarray(at, at + size)));
    expect(got).toEqual(payloads.flatMap((payload) => [{ type: 'ack' }, { type: 'packet', payload }]));
  });
  fc.assert(cases, { numRuns: 200 });
});

test('any bytes at all are survived', () => {
  const cases = fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
    const reader = new PacketReader();
    for (const received of reader.push(Buffer.concat([Buffer.from('$'), bytes, Buffer.from('$#00')]))) {
      if (received.type === 'packet') parseStopReply(`T${received.payload}`);
    }
  });
  fc.assert(cases, { numRuns: 300 });
});

test('a wrong sum is damage', () => {
  expect(new PacketReader().push(Buffer.from('$g#68$g#67'))).toEqual([
    { type: 'damaged' },
    { type: 'packet', payload: 'g' },
  ]);
});
