import { expect, test } from 'vitest';
import { assemble } from '../../../../formats/commodore/assembler/assemble.ts';
import { bareHost } from '../../machine/host-testing.ts';
import { c64Roms } from '../../roms/c64-roms.generated.ts';
import { C64Board } from '../c64-board.ts';
import { c64Layout } from '../c64-state.ts';
import { C64Machine } from './c64-machine.ts';

const never = new AbortController().signal;
const wallMs = 60_000;

async function started(sid2: number | undefined, source: string): Promise<C64Machine> {
  const board = new C64Board({ roms: c64Roms, sid2 });
  board.runCycles(3_000_000);
  const machine = new C64Machine(board, bareHost(), []);
  const { origin, bytes, errors } = assemble(source);
  expect(errors).toEqual([]);
  machine.control.input({ type: 'poke', bank: 'ram', address: origin, bytes });
  machine.control.input({ type: 'register', name: 'PC', value: origin });
  return machine;
}

/** A tone on the first voice of the chip at `base`, of this frequency. */
const tone = (base: string, high: number) => `
        lda #15
        sta ${base}+$18
        lda #${high}
        sta ${base}+1
        lda #0
        sta ${base}+5
        lda #$f0
        sta ${base}+6
        lda #$21
        sta ${base}+4
`;
const program = (...parts: readonly string[]) => `* = $c000\n sei\n${parts.join('\n')}\nwait jmp wait\n`;
const loudness = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length);

async function heard(machine: C64Machine): Promise<Int16Array> {
  await machine.control.run({ frames: 20, wallMs }, never);
  return (await machine.audio.capture(20, wallMs, never)).samples;
}

test.each([0xd420, 0xd500, 0xde00, 0xdf00])(
  'a second SID answers where it is put, and the first does not',
  async (at) => {
    const machine = await started(at, program(tone(`$${at.toString(16)}`, 0x20), tone('$d400', 0x10)));
    await machine.control.run({ frames: 5, wallMs }, never);
    const { board } = machine.control;
    const read = (chip: string) => machine.chips.chips.find(({ name }) => name === chip)?.read('voice', 0);
    expect((await read('sid2'))?.numbers).toMatchObject({ frequency: 0x2000, waveform: ['sawtooth'], gate: true });
    expect((await read('sid'))?.numbers).toMatchObject({ frequency: 0x1000 });
    expect(board.registersAt(at + 4)).toEqual([{ chip: 'sid2', register: 4 }]);
    // Its third envelope has run out; paddles are not wired to it.
    expect([board.peek('io', at + 0x1c), board.peek('io', at + 0x19)]).toEqual([0, 0xff]);
  },
);

test('without it there is none: its addresses are the first one again, and no chip has its name', async () => {
  const machine = await started(undefined, program(tone('$d420', 0x20)));
  await machine.control.run({ frames: 5, wallMs }, never);
  expect(machine.chips.chips.map(({ name }) => name)).not.toContain('sid2');
  expect(machine.breakpoints.chips).not.toContain('sid2');
  const sid = machine.chips.chips.find(({ name }) => name === 'sid');
  expect((await sid?.read('voice', 0))?.numbers).toMatchObject({ frequency: 0x2000 });
});

test('both are heard, each as loud as alone', async () => {
  const [one, two, none] = await Promise.all(
    [program(tone('$d400', 0x10)), program(tone('$d420', 0x25)), program()].map(async (source) =>
      heard(await started(0xd420, source)),
    ),
  );
  const together = await heard(await started(0xd420, program(tone('$d400', 0x10), tone('$d420', 0x25))));
  const level = (samples: Int16Array | undefined) => loudness(samples ?? new Int16Array(1));
  expect(level(one)).toBeGreaterThan(4 * level(none));
  expect(level(two)).toBeGreaterThan(4 * level(none));
  // What does not belong together adds up by the squares.
  expect(level(together) / Math.hypot(level(one), level(two))).toBeGreaterThan(0.9);
  expect(level(together) / Math.hypot(level(one), level(two))).toBeLessThan(1.1);
});

test('a breakpoint on its registers', async () => {
  const machine = await started(0xd420, program(tone('$d400', 0x10), tone('$d420', 0x25)));
  expect(machine.breakpoints.chips).toContain('sid2');
  const spec = { length: 1, logOnly: false, temporary: false };
  await machine.breakpoints.set({ ...spec, type: 'chip_write', chip: 'sid2', address: 4n });
  const stop = await machine.control.run({ frames: 5, wallMs }, never);
  expect(stop.event?.access).toMatchObject({ address: 0xd424n, value: 0x21n });
});

test('it comes and goes while the machine runs, and with a snapshot', async () => {
  const machine = await started(undefined, program(tone('$d420', 0x20)));
  const set = (values: Record<string, number>) =>
    machine.configuration.set(
      Object.entries(values).map(([name, value]) => ({ name, value })),
      'never',
    );
  await set({ SidStereo: 1, Sid2AddressStart: 0xd500 });
  expect(machine.control.board.registersAt(0xd51f)).toEqual([{ chip: 'sid2', register: 31 }]);
  await machine.snapshots.save('with');
  await set({ SidStereo: 0 });
  expect(machine.control.board.registersAt(0xd51f)).toEqual([{ chip: 'sid', register: 31 }]);
  await machine.snapshots.restore('with');
  expect(machine.control.board.registersAt(0xd51f)).toEqual([{ chip: 'sid2', register: 31 }]);
});

test('a machine that is left alone is the same as one whose chips run in every cycle', () => {
  const { origin, bytes } = assemble(program(tone('$d420', 0x20), 'again lda $d43b\n sta $02\n inc $d021\n jmp again'));
  const [lazy, eager] = [false, true].map((isEager) => {
    const board = new C64Board({ roms: c64Roms, sid2: 0xd420, eager: isEager });
    board.ram.set(bytes, origin);
    board.cpu.jump(origin);
    board.runCycles(60_000);
    const state = board.snapshot();
    const at = c64Layout.offsets.sid2;
    return { read: state[2], state: Buffer.from(state.subarray(at)).toString('hex') };
  });
  expect(lazy).toEqual(eager);
  expect(lazy?.state).toMatch(/[1-9a-f]/);
});
