import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { driveBench } from '../../src/machines/commodore/c64/machine/drive-bench-testing.ts';
import { settings } from '../make-rack.ts';
import { Desk } from './desk.ts';

const folder = mkdtempSync(join(tmpdir(), 'fp-drive-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { rom, at } = driveBench();
writeFileSync(join(folder, 'dos1541.bin'), rom);
const hex = (name: string) => `$${at(name).toString(16).toUpperCase()}`;

test('the processor of a drive is debugged with the same tools, named by cpu', async () => {
  const services = { settings: { ...settings, romFolders: [folder, 'own'] } };
  const desk = await Desk.withC64({ boot: false, drives: '1541' }, { services });
  const cpu = 'drive8';
  expect(await desk.call('machine_list')).toMatch(/cpu, processors/);
  await desk.call('run', { frames: 3 });
  const set = await desk.call('breakpoint_set', { cpu, address: hex('deep'), condition: 'X >= 3' });
  expect(set).toBe(`breakpoint 1: exec ${hex('deep')}, on drive8, if X >= 3`);
  await desk.call('run', {});
  expect(await desk.data('machine_list')).toMatchObject({
    machines: [{ stop: { reason: `breakpoint 1, exec on drive8 at ${hex('deep')}`, event: { cpu } } }],
  });
  expect(await desk.call('breakpoint_list')).toContain('on drive8, if X >= 3, 1 hit');
  const state = await desk.call('state_read', { cpu, instructions: 1 });
  expect(state).toMatch(new RegExp(`^drive8: PC=${hex('deep').slice(1)} A=.. X=..`));
  expect(state).toContain(`> ${hex('deep')}  E8  INX\n  called from`);
  expect(await desk.call('state_read', { cpu, instructions: 0 })).toBe(state.slice(0, state.indexOf('\n')));
  // The computer's own are others.
  expect(await desk.call('state_read', { instructions: 1 })).not.toContain('INX');
  expect(await desk.call('disassemble', { cpu, count: 1 })).toBe(`> ${hex('deep')}  E8  INX`);
  expect(await desk.call('memory_read', { cpu, address: hex('deep'), length: 2 })).toMatch(/E8 8A/);
  expect(await desk.call('registers_write', { cpu, values: { X: '$50' } })).toMatch(/X=50/);
  expect(await desk.call('step', { cpu })).toMatch(/X 50→51/);
  expect(await desk.call('step', { cpu, kind: 'out' })).toContain('STX $11');
  for (const tool of ['state_read', 'step', 'disassemble']) {
    const refused = await desk.call(tool, { cpu: 'drive9' });
    expect(refused).toContain('No processor "drive9".');
    expect(refused).toContain('Processors: main, drive8.');
  }
  const kept = await desk.call('breakpoint_set', { cpu: 'main', address: '$EA31' });
  expect(kept).not.toContain('on main');
  await desk.close();
});

test('a drive without a processor says so', async () => {
  const desk = await Desk.withC64({ boot: false, drives: 'fast' });
  const disk = join(folder, 'a.d64');
  writeFileSync(disk, new Uint8Array(174_848));
  await desk.call('media_attach', { path: disk });
  expect(await desk.call('state_read', { cpu: 'drive8' })).toContain('drive8 has no processor of its own here.');
  expect(await desk.call('state_read', { cpu: 'main' })).toMatch(/PC=/);
  await desk.close();
});
