import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findTheBug } from '../../examples/find-the-bug.ts';
import { findTheGlitch } from '../../examples/find-the-glitch.ts';
import { assemble } from '../../src/formats/commodore/assembler/assemble.ts';
import { C64Board } from '../../src/machines/commodore/c64/c64-board.ts';
import { applyInput } from '../../src/machines/commodore/machine/input-event.ts';
import { c64Roms } from '../../src/machines/commodore/roms/c64-roms.generated.ts';
import { program } from '../support/sandbox.ts';

/** The picture after the program has run for a while. */
function pictureOf(file: string): { pixel(x: number, y: number): number } {
  const source = readFileSync(new URL(`../../examples/${file}`, import.meta.url), 'utf8');
  const { origin, bytes, errors } = assemble(source);
  expect(errors).toEqual([]);
  const board = new C64Board({ roms: c64Roms });
  board.runCycles(2_500_000);
  applyInput(board, { type: 'poke', bank: 'ram', address: origin, bytes });
  applyInput(board, { type: 'register', name: 'PC', value: origin });
  for (let frame = 0; frame < 5; frame++) board.runUntilFrame();
  const { width, pixels } = board.visibleFrame();
  return { pixel: (x, y) => pixels[y * width + x] ?? -1 };
}

test('the raster bar has its colours in the border, line by line', () => {
  const { pixel } = pictureOf('raster-bar.asm');
  const column = Array.from({ length: 40 }, (_, row) => pixel(10, row));
  const bar = [6, 6, 14, 14, 3, 3, 1, 1, 1, 1, 3, 3, 14, 14, 6, 14];
  expect(column.join(',')).toContain(bar.join(','));
});

test('the multiplexer shows sixteen sprites, eight in each row', () => {
  const { pixel } = pictureOf('multiplexer.asm');
  const colours = (y: number) =>
    new Set(Array.from({ length: 320 }, (_, x) => pixel(32 + x, y)).filter((c) => c !== 0));
  expect([...colours(80 - 16 + 10)].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect([...colours(180 - 16 + 10)].sort((a, b) => a - b)).toEqual([1, 9, 10, 11, 12, 13, 14, 15]);
});

test('the agent-like script finds and fixes the bug', async () => {
  const log: string[] = [];
  expect(await findTheBug(fileURLToPath(new URL(`file://${program}`)), (text) => log.push(text)), log.join('\n')).toBe(
    true,
  );
});

test('torn sprites are found by trace and X-ray, fixed and proven in at most twelve calls', {
  timeout: 180_000,
}, async () => {
  const log: string[] = [];
  const { isFixed, calls } = await findTheGlitch(program, (text) => log.push(text));
  expect(isFixed, log.join('\n')).toBe(true);
  expect(calls).toBeLessThanOrEqual(12);
});
