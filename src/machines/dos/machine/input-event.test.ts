import { expect, test } from 'vitest';
import type { WatchHit } from '../../../chips/x86/memory.ts';
import { DosSystem } from '../board/dos-system.ts';
import { noWires, pcOptions } from '../board/system-testing.ts';
import { bda } from '../services/bios/data-area.ts';
import { applyInput } from './input-event.ts';

test('what the driver looks at when the mouse moves is no access of the program', () => {
  const system = new DosSystem(pcOptions(), noWires);
  const { memory } = system.board.cpu;
  const hits: WatchHit[] = [];
  memory.onWatch = (hit) => hits.push(hit);
  memory.setWatches([{ first: bda.videoMode, last: bda.videoMode, kind: 'read' }]);
  const before = system.mouse.state.x;
  applyInput(system, { type: 'mouse', dx: 40, dy: 0, buttons: 1 });
  expect(system.mouse.state.x).toBeGreaterThan(before);
  applyInput(system, { type: 'pointer', x: 0, y: 0, width: 640, height: 400 });
  expect(system.mouse.state.x).toBe(0);
  expect(hits).toEqual([]);
  memory.read8(bda.videoMode);
  expect(hits).toHaveLength(1);
});
