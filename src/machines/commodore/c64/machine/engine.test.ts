import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fields } from '../../../../chips/mos6510/registers.ts';
import { assemble } from '../../../../formats/commodore/assembler/assemble.ts';
import { bareHost } from '../../machine/host-testing.ts';
import { c64Roms } from '../../roms/c64-roms.generated.ts';
import { C64Board } from '../c64-board.ts';
import { C64Machine } from './c64-machine.ts';

const never = new AbortController().signal;
const wallMs = 20_000;

const breakpoint = { type: 'exec', length: 1, logOnly: false, temporary: false };

const counting = `
* = $c000
        sei
loop    inc $0400
        lda $0401
        jsr slow
        jmp loop
slow    ldx #0
        ldy #0
again   dex
        bne again
        dey
        bne again
        rts
`;

function start(source = counting): C64Machine {
  const host = bareHost();
  const machine = new C64Machine(new C64Board({ roms: c64Roms }), host, []);
  const { origin, bytes, symbols } = assemble(source);
  machine.addresses.symbols.add([...symbols.values()].map(({ name, value }) => [name, BigInt(value)]));
  machine.control.input({ type: 'poke', bank: 'ram', address: origin, bytes });
  machine.control.input({ type: 'register', name: 'PC', value: origin });
  return machine;
}

const step = ({ control }: C64Machine, kind: 'into' | 'over' | 'out', back = false, count = 1) =>
  control.step({ kind, count, back, wallMs }, never);
const poke = ({ control }: C64Machine, value: number) =>
  control.input({ type: 'poke', bank: 'ram', address: 0x401, bytes: Uint8Array.of(value) });

test('a moment has the inputs that came at it, and going on from there gives them once', async () => {
  const machine = start();
  const { board } = machine.control;
  await step(machine, 'into', false, 2);
  poke(machine, 7);
  const then = board.snapshot();
  await step(machine, 'into');
  const next = board.snapshot();
  expect(await step(machine, 'into', true)).toMatchObject({ cause: 'step', reason: 'step back' });
  expect(Buffer.compare(board.snapshot(), then)).toBe(0);
  await step(machine, 'into');
  expect(Buffer.compare(board.snapshot(), next)).toBe(0);
  expect(board.ram[0x401]).toBe(7);
});

test('others have their turn while a step goes over a long subroutine', async () => {
  const machine = start();
  await step(machine, 'into', false, 3);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const before = machine.control.board.cycles;
  expect(await step(machine, 'over')).toMatchObject({ cause: 'step', reason: 'step' });
  clearInterval(timer);
  expect(machine.control.board.cycles - before).toBeGreaterThan(300_000);
  expect(machine.control.pc).toBe(0xc00a);
  expect(turns).toBeGreaterThan(0);
});

test('a step over a subroutine that does not return ends', async () => {
  const machine = start('* = $c000\n jsr never\nnever jmp never\n');
  expect(await machine.control.step({ kind: 'over', count: 1, back: false, wallMs: 300_000 }, never)).toMatchObject({
    cause: 'limit',
    reason: 'the subroutine did not return within 300 frames',
  });
}, 300_000);

test('what was touched while the past was run again stops nothing', async () => {
  const machine = start();
  await machine.breakpoints.set({ type: 'write', address: 0x400n, length: 1, logOnly: false, temporary: false });
  expect(await step(machine, 'into', false, 3)).toMatchObject({ cause: 'breakpoint', breakpoint: { id: 1 } });
  expect(await step(machine, 'into')).toMatchObject({ cause: 'step' });
  await step(machine, 'into', true);
  expect(await machine.control.run({ cycles: 30, wallMs }, never)).toMatchObject({ cause: 'limit', reason: 'cycles' });
});

test('a run backwards ends in the cycle that was asked for, and else where an instruction begins', async () => {
  const machine = start();
  const { board } = machine.control;
  const starts: number[] = [];
  for (let count = 0; count < 9000; count++) {
    starts.push(board.cycles);
    await step(machine, 'into');
  }
  for (const cycles of [10, 11, 12, 13]) {
    const before = board.cycles;
    await machine.control.run({ back: true, cycles, wallMs }, never);
    expect(board.cycles).toBe(before - cycles);
  }
  await machine.control.run({ back: true, frames: 1, wallMs }, never);
  expect(starts).toContain(board.cycles);
});

test('steps back cross the border of a frame, one by one and many at once', async () => {
  const machine = start();
  const { board } = machine.control;
  for (let tries = 0; tries < 20; tries++) {
    await machine.control.run({ frames: 1 + (tries % 3), wallMs }, never);
    // Where no frame has ended yet: the next instruction also crosses the border that was just passed.
    await step(machine, 'into', false, tries % 4 || 1);
    const here = board.snapshot();
    const count = tries < 10 ? 12 : 12_000;
    for (let left = tries < 10 ? count : 1; left > 0; left--) {
      const stop = await step(machine, 'into', true, tries < 10 ? 1 : count);
      expect(stop).toMatchObject({ cause: 'step' });
    }
    await step(machine, 'into', false, count);
    expect(Buffer.compare(board.snapshot(), here)).toBe(0);
  }
});

test('a step is an instruction also where the VIC-II has the bus, and is met once', async () => {
  const machine = start(`
* = $c000
        sei
        lda #$1b
        sta $d011
loop    inx
        jmp loop
`);
  await machine.control.run({ frames: 2, wallMs }, never);
  const { id } = await machine.breakpoints.set({ ...breakpoint, address: 0xc006n, logOnly: true });
  const x = () => machine.control.board.cpu.state[fields.x];
  for (let line = 0; line < 20; line++) {
    const before = x();
    // Two instructions a round: more than a line of eight pixels, with its bad line.
    await step(machine, 'into', false, 200);
    expect((x() - before) & 255).toBe(100);
    await step(machine, 'into', true, 200);
    expect(x()).toBe(before);
    await step(machine, 'into', false, 200);
  }
  const hits = async () => (await machine.breakpoints.list()).find((each) => each.id === id)?.hits ?? 0;
  const [before, seen] = [x(), await hits()];
  await machine.control.run({ cycles: 1000, wallMs }, never);
  expect(Math.abs(((x() - before) & 255) - ((await hits()) - seen))).toBeLessThanOrEqual(1);
});

test('steps back end where the past begins, and say so', async () => {
  const machine = start();
  await machine.control.run({ cycles: 1000, wallMs }, never);
  const reason = 'the beginning of what is remembered';
  expect(await step(machine, 'into', true, 100_000)).toMatchObject({ cause: 'limit', reason });
  expect(machine.control.board.cycles).toBe(0);
  expect(await step(machine, 'into', true)).toMatchObject({ cause: 'limit', reason });
});

test('a run backwards ends at its limit of time, where it has got to', async () => {
  const machine = start();
  await machine.control.run({ frames: 30, wallMs }, never);
  const here = machine.control.board.cycles;
  // A limit within the first stretch leaves it where it was; with the keyframe made there it gets further the next time.
  do {
    const stop = await machine.control.run({ back: true, condition: 'A == $99', wallMs: 1 }, never);
    expect(stop).toMatchObject({ cause: 'limit', reason: 'time limit' });
  } while (machine.control.board.cycles === here);
  expect(machine.control.board.cycles).toBeLessThan(here);
  expect(machine.control.board.cycles).toBeGreaterThan(0);
});

test('a machine that runs freely goes on doing so after a reset', async () => {
  const machine = start();
  machine.control.runAlways('warp');
  await machine.control.reset('soft');
  expect(machine.control.state).toBe('RUNNING');
  await machine.control.pause();
  await machine.control.reset('hard');
  expect([machine.control.state, machine.control.board.cycles]).toEqual(['RESET', 0]);
});

test('pictures of a running machine are whole frames, of a stopped one what the beam has drawn', async () => {
  const machine = start(`
* = $c000
        sei
above   bit $d011
        bpl above
        lda #44         ; line 300, below what a monitor shows
low     cmp $d012
        bne low
        inc $d020
below   bit $d011
        bmi below
        jmp above
`);
  const { control } = machine;
  await control.run({ frames: 3, wallMs }, never);
  control.runAlways('warp');
  const borders: number[][] = [];
  for (let count = 0; count < 40; count++) {
    await setImmediate();
    const { pixels, width } = await control.wholeFrame();
    borders.push([...new Set(pixels.filter((_, at) => at % width === 0))]);
  }
  expect(borders.filter((colours) => colours.length > 1)).toEqual([]);
  expect(new Set(borders.flat()).size).toBeGreaterThan(3);
  await control.pause();
  await control.run({ condition: 'raster_line == 150', wallMs }, never);
  const { pixels, width } = await control.wholeFrame();
  expect(new Set(pixels.filter((_, at) => at % width === 0)).size).toBe(2);
});

test('the next frame is told of while the machine runs, also when it is stopped within it', async () => {
  const { control } = start();
  expect(control.nextFrame()).toBeUndefined();
  control.runAlways('warp');
  const frames: number[] = [];
  for (let count = 0; count < 3; count++) {
    await control.nextFrame();
    frames.push(control.board.frameCount);
  }
  expect(new Set(frames).size).toBe(3);
  const next = control.nextFrame();
  await control.pause();
  await next;
  expect(control.nextFrame()).toBeUndefined();
});
