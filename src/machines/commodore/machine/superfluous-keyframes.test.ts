import { expect, test } from 'vitest';
import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import { C64Board } from '../c64/c64-board.ts';
import { c64Roms } from '../roms/c64-roms.generated.ts';
import { CommodoreTimeline } from './commodore-timeline.ts';
import { superfluousKeyframes } from './superfluous-keyframes.ts';

const span = 1000;

/** Frame after frame, with the keyframes that are left. */
function kept(frames: number, isFull: (count: number) => boolean): number[] {
  const keyframes: { time: number }[] = [];
  for (let frame = 0; frame < frames; frame++) {
    keyframes.push({ time: frame * span });
    const gone = superfluousKeyframes(keyframes, span, isFull(keyframes.length));
    expect(gone).toEqual(gone.toSorted((a, b) => a - b));
    for (const index of gone.toReversed()) keyframes.splice(index, 1);
  }
  return keyframes.map(({ time }) => time / span);
}

test('every frame of five seconds and one a second before them, while there is room', () => {
  const frames = kept(1000, () => false);
  expect(frames.slice(-250)).toEqual(Array.from({ length: 250 }, (_, index) => 750 + index));
  expect(frames.slice(0, -250)).toEqual([0, 50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700]);
});

test('without room for more the first stays, and gaps grow with age', () => {
  const frames = kept(5000, (count) => count > 60);
  expect(frames.length).toBeLessThanOrEqual(60);
  expect([frames[0], frames.at(-1)]).toEqual([0, 4999]);
  const gaps = frames.slice(1).map((frame, index) => ({ gap: frame - (frames[index] ?? 0), age: 4999 - frame }));
  for (const { gap, age } of gaps) expect(gap).toBeLessThan(0.6 * (age + gap) + 3);
});

test('a C64 whose program writes all over its memory keeps a past of 10 MB, and goes back to the same bytes', () => {
  const board = new C64Board({ roms: c64Roms });
  const { history } = new CommodoreTimeline(board);
  const { origin, bytes } = assemble(
    '* = $c000\n sei\nnext inc put+2\n lda put+2\n cmp #$90\n bcc put\n lda #$10\n sta put+2\n inx\nput inc $1000,x\n jmp next',
  );
  history.input({ type: 'poke', bank: 'ram', address: origin, bytes });
  history.input({ type: 'register', name: 'PC', value: origin });
  const early = { time: 0, ram: new Uint8Array() };
  for (let frame = 0; frame < 700; frame++) {
    board.runUntilFrame();
    history.keep();
    if (frame !== 60) continue;
    early.time = board.cycles;
    early.ram = board.ram.slice();
  }
  expect(history.bytes).toBeGreaterThan(8e6);
  expect(history.bytes).toBeLessThanOrEqual(10e6);
  expect(history.firstTime).toBeLessThan(early.time);
  history.rewindTo(early.time);
  board.runCycles(early.time - board.cycles);
  expect(Buffer.compare(board.ram, early.ram)).toBe(0);
});
