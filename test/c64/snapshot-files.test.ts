import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CommodoreDisk } from '../../src/formats/commodore/media/commodore-disk.ts';
import { readSnapshotFile, type SnapshotFile, writeSnapshotFile } from '../../src/formats/snapshot/snapshot-file.ts';
import { c64Layout } from '../../src/machines/commodore/c64/c64-state.ts';
import { driveBench } from '../../src/machines/commodore/c64/machine/drive-bench-testing.ts';
import { processorParts } from '../../src/machines/commodore/drive/processor-state.ts';
import type { CommodoreMachine } from '../../src/machines/commodore/machine/commodore-machine.ts';
import { settings } from '../make-rack.ts';
import { generator } from '../support/random-c64.ts';
import { here as thisThread } from '../support/tool-bench.ts';
import { Desk } from './desk.ts';

const folder = mkdtempSync(join(tmpdir(), 'fp-snap-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const fresh = (name = 'snapshot') => join(folder, `${files++}-${name}`);
const board = (desk: Desk, handle: string) => (desk.machine(handle) as CommodoreMachine).control.board;

const program = `* = $c000
loop    inc $d020
        inc $900f
        lda $d012
        sta $0400,x
        inx
        bne loop
        inc $0800
        jmp loop
`;

describe.each(['c64', 'vic20'])('a snapshot of a %s in a file', (kind) => {
  const start = kind === 'c64' ? Desk.withC64 : Desk.withVic20;
  const save = async (desk: Desk, path = fresh()) => {
    await desk.call('snapshot_save', { name: 'there', path });
    return path;
  };

  test('goes on in another server as the machine itself did', async () => {
    const here = await start({}, thisThread);
    const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
    disk.write('DATA', Uint8Array.of(1, 2, 3), 'SEQ');
    const d64 = fresh('a.d64');
    writeFileSync(d64, disk.image.bytes);
    await here.call('media_attach', { path: d64 });
    await here.call('program_run', { source: program.replaceAll('$c000', kind === 'c64' ? '$c000' : '$1800') });
    await here.call('run', { frames: 7 });
    const path = fresh();
    const saved = await here.call('snapshot_save', { name: 'there', path });
    expect(saved).toMatch(/^snapshot there: \d+ bytes, cycle [\d,]+; \d+ bytes in /);
    await here.call('run', { frames: 500, timeout_ms: 50_000 });
    // Another server, another handle, no memory in common.
    const there = new Desk(thisThread);
    const answer = await there.call('machine_start', { kind, name: 'again', snapshot: path });
    expect(answer).toContain('again PAUSED');
    expect(await there.call('media_attach', {})).toMatch(/drive8 .*a\.d64/);
    expect(await there.call('state_read', {})).toMatch(/loop/);
    await there.call('run', { frames: 500, timeout_ms: 50_000 });
    const [one, two] = [board(here, `${kind}-1`), board(there, 'again')];
    expect(two.cycles).toBe(one.cycles);
    expect(Buffer.compare(one.snapshot(), two.snapshot())).toBe(0);
    expect(two.drives.image(8)).toEqual(one.drives.image(8));
    await here.close();
    await there.close();
  }, 400_000);

  test('that is damaged, of another kind or not a snapshot leaves no machine behind', async () => {
    const desk = await start({ boot: false });
    const path = await save(desk);
    const good = readFileSync(path);
    const refused = async (bytes: Uint8Array, as = kind) => {
      const bad = fresh('bad');
      writeFileSync(bad, bytes);
      const text = await desk.call('machine_start', { kind: as, name: 'bad', snapshot: bad });
      expect(await desk.call('machine_list')).not.toContain('bad');
      return text;
    };
    expect(await refused(good.subarray(0, good.length / 2))).toContain('cut off');
    expect(await refused(Buffer.from('hello'))).toContain('it is not a snapshot file');
    expect(await refused(good.map((byte, at) => (at === good.length - 9 ? byte ^ 1 : byte)))).toContain('checksum');
    expect(await refused(good, kind === 'c64' ? 'vic20' : 'c64')).toContain(`Use "kind":"${kind}"`);
    const read = await readSnapshotFile(good);
    const forge = async (more: Partial<SnapshotFile>) => refused(await writeSnapshotFile({ ...read, ...more }));
    expect(await forge({ options: { ...read.options, roms: '/etc' } })).toContain('its options are wrong');
    expect(await forge({ options: { ...read.options, clock: 'warp' } })).toContain('its options are wrong');
    expect(await forge({ model: { ...read.model, kernal: 'other' } })).toContain('with other ROMs (kernal)');
    expect(await forge({ parts: new Map() })).toContain('state is missing');
    expect(await forge({ parts: new Map([['state', new Uint8Array(10)]]) })).toContain(
      'The snapshot has 10 bytes of state where',
    );
    expect(await forge({ facts: { ...read.facts, media: { nowhere: { name: 'x', readOnly: true } } } })).toContain(
      'there is no slot "nowhere"',
    );
    expect(await forge({ facts: { ...read.facts, images: 5 } })).toContain('image0 is missing');
    await desk.close();
  });

  test('states that no machine was in do not take the server with them', { timeout: 300_000 }, async () => {
    const desk = await start({ boot: false });
    await desk.call('run', { frames: 3 });
    const read = await readSnapshotFile(readFileSync(await save(desk)));
    const state = read.parts.get('state') ?? new Uint8Array();
    const random = generator(5);
    let refused = 0;
    for (let round = 0; round < 12; round++) {
      const changed = state.slice();
      const first = round < 6 ? 0x10400 : 0;
      for (let count = 0; count < 1 + 400 * (round % 6); count++) {
        changed[first + random(changed.length - first)] = random(256);
      }
      const path = fresh('odd');
      writeFileSync(path, await writeSnapshotFile({ ...read, parts: new Map([...read.parts, ['state', changed]]) }));
      const text = await desk.call('machine_start', { kind, name: 'odd', snapshot: path });
      if (/damaged/.test(text)) refused++;
      else {
        await desk.call('run', { machine: 'odd', frames: 5, timeout_ms: 5000 });
        await desk.call('machine_stop', { machine: 'odd' });
      }
    }
    expect(refused).toBeGreaterThan(0);
    expect(await desk.call('machine_list')).not.toContain('odd');
    await desk.close();
  });
});

test('a state that would keep the server busy for ever is refused', { timeout: 180_000 }, async () => {
  const services = { settings: { ...settings, romFolders: [folder, 'own'] } };
  writeFileSync(join(folder, 'dos1541.bin'), driveBench().rom);
  const desk = await Desk.withC64({ boot: false, drives: '1541' }, { services });
  const path = fresh();
  await desk.call('snapshot_save', { name: 'there', path });
  const read = await readSnapshotFile(readFileSync(path));
  const state = (read.parts.get('state') ?? new Uint8Array()).slice();
  // The cycle up to which the drive has run: it has two thousand million to catch up with.
  const ranTo = c64Layout.fields.find(({ name }) => name === 'drives.unit8.processor')?.offset ?? 0;
  new DataView(state.buffer).setInt32(ranTo + 4 * processorParts.mechanics, -2_000_000_000, true);
  const bad = fresh();
  writeFileSync(bad, await writeSnapshotFile({ ...read, parts: new Map([...read.parts, ['state', state]]) }));
  const text = await desk.call('machine_start', { kind: 'c64', name: 'slow', snapshot: bad });
  // On a busy computer its time may be up before it has used the processor for so long.
  expect(text).toMatch(/The snapshot is damaged: This takes longer than|machine_start was given up after 55 s/);
  expect(await desk.call('machine_list')).not.toContain('slow');
  await desk.close();
});

test('kinds without such files say so', async () => {
  const desk = await Desk.withC64({ boot: false });
  expect(await desk.call('snapshot_save', { name: 'a', path: '/nowhere/at/all' })).toMatch(/nowhere/);
  await desk.close();
});
