import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

const word = (value: number) => Buffer.from(Uint32Array.of(value).buffer);

/** A snapshot with lengths and a checksum that fit, whatever its header says. */
function snapshot(header: unknown, parts: Uint8Array = new Uint8Array()): Buffer {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const packed = deflateSync(parts);
  const lead = Buffer.concat([Buffer.from('FPSNAP\x1a\n', 'latin1'), word(2), word(text.length), word(packed.length)]);
  const sum = createHash('sha256').update(lead).update(text).update(packed).digest();
  return Buffer.concat([lead, sum, text, packed]);
}

const headed = (kind: string, more: object = {}) => ({
  ...{ kind, options: {}, model: {}, time: 'cycle 5', facts: {}, parts: [] },
  ...more,
});
const part = (name: string, length: number) => [name, length] as const;

export const snapshots: Readonly<Record<string, () => Uint8Array>> = {
  'empty.snap': () => new Uint8Array(),
  'cut.snap': () => snapshot(headed('c64')).subarray(0, 40),
  'no-json.snap': () => snapshot('{'.repeat(5000)),
  'deep.snap': () => snapshot(`{"kind":"c64","options":${'['.repeat(5000)}${']'.repeat(5000)}}`),
  'proto.snap': () => snapshot('{"__proto__":{"kind":"c64"},"kind":"__proto__","options":{}}'),
  'path.snap': () => snapshot(headed('c64', { options: { roms: '/etc' } })),
  'command.snap': () => snapshot(headed('console', { options: { command: ['sh', '-c', 'id'] } })),
  'disk.snap': () => snapshot(headed('qemu', { options: { arch: 'x86_64', drives: ['/etc/passwd'] } })),
  'folder.snap': () => snapshot(headed('dos', { options: { folder: '/etc' } })),
  'long.snap': () => snapshot(headed('c64', { parts: [part('state', 2 ** 40)] })),
  'bomb.snap': () => snapshot(headed('c64', { parts: [part('state', 64)] }), new Uint8Array(64 * 1024 * 1024)),
  'negative.snap': () => snapshot(headed('c64', { parts: [part('state', -1), part('x', 1)] })),
  'twice.snap': () => snapshot(headed('c64', { parts: [part('state', 1), part('state', 1)] }), new Uint8Array(2)),
  'name.snap': () => snapshot(headed('c64', { parts: [part('../../outside/secret.txt', 4)] }), new Uint8Array(4)),
  'images.snap': () =>
    snapshot(headed('c64', { facts: { images: 2 ** 31 }, parts: [part('state', 4)] }), new Uint8Array(4)),
  'reu.snap': () =>
    snapshot(
      headed('c64', { options: { reu: '16M' }, facts: { images: 1 }, parts: [part('state', 4), part('image0', 5)] }),
      new Uint8Array(9),
    ),
};
export const memories: Readonly<Record<string, () => Uint8Array>> = {
  'odd.reu': () => new Uint8Array(128 * 1024 + 1),
  'large.reu': () => new Uint8Array(17 * 1024 * 1024),
};

export function writeHostileFiles(folder: string): void {
  for (const [name, content] of Object.entries({ ...snapshots, ...memories }))
    writeFileSync(join(folder, name), content());
}
