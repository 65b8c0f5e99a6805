import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CommodoreDisk } from '../../src/formats/commodore/media/commodore-disk.ts';
import { Desk } from './desk.ts';

const folder = mkdtempSync(join(tmpdir(), 'fp-bus-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
disk.write('ONE', Uint8Array.of(1, 8, 2, 3, 0xff));
const path = join(folder, 'work.d64');
writeFileSync(path, disk.image.bytes);

interface Message {
  readonly type: string;
  readonly command?: string;
  readonly by?: string;
  readonly bytes?: string;
  readonly text?: string;
  readonly end?: boolean;
}

test.each(['c64', 'vic20'])('LOAD as it goes over the bus of a %s', { timeout: 180_000 }, async (kind) => {
  const desk = kind === 'c64' ? await Desk.withC64() : await Desk.withVic20();
  await desk.call('run', { frames: 150 });
  await desk.call('media_attach', { slot: 'drive8', path });
  await desk.call('input_send', { text: 'LOAD"ONE",8,1\n' });
  await desk.call('run', { frames: 60 });
  const before = await desk.call('state_read');
  const data = await desk.data('frame_trace', { action: 'bus', frames: 100 });
  const said = (data.messages as readonly Message[]).map(({ type, command, by, bytes, end }) =>
    type === 'command' ? command : `${by} ${bytes}${end ? ' end' : ''}`,
  );
  expect(said).toEqual([
    'LISTEN 8',
    'OPEN 0',
    'computer 4F 4E 45 end',
    'UNLISTEN',
    'TALK 8',
    'DATA 0',
    'drive 01 08 02 03 FF end',
    'UNTALK',
    'LISTEN 8',
    'CLOSE 0',
    'UNLISTEN',
  ]);
  const { edges, total } = (await desk.data('frame_trace', { action: 'bus_edges', frames: 100, limit: 5 })) as {
    readonly edges: readonly {
      readonly line: string;
      readonly level: number;
      readonly by: string;
      readonly pc: string;
    }[];
    readonly total: number;
  };
  expect(edges[0]).toMatchObject({ line: 'ATN', level: 0, by: 'computer' });
  expect(Number.parseInt(edges[0]?.pc.slice(1) ?? '', 16)).toBeGreaterThan(0xe000);
  expect(edges.some(({ line, by }) => line === 'DATA' && by === 'drive')).toBe(true);
  expect(total).toBeGreaterThan(300);
  expect(await desk.call('state_read')).toBe(before);
  await desk.close();
});
