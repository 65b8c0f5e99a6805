import { expect, test } from 'vitest';
import { assemble } from '../../../../formats/commodore/assembler/assemble.ts';
import { bareHost } from '../../machine/host-testing.ts';
import { c64Roms } from '../../roms/c64-roms.generated.ts';
import { C64Board } from '../c64-board.ts';
import { C64Machine } from './c64-machine.ts';

const never = new AbortController().signal;
const wallMs = 60_000;
const spec = { type: 'exec', length: 1, logOnly: false, temporary: false };

/** Counts its rounds at $0340 while a timer interrupts it as often as it can. */
const counting = `* = $c000
        sei
        lda #<handler
        sta $fffe
        lda #>handler
        sta $ffff
        lda #$35
        sta $01
        lda #$7f
        sta $dc0d
        lda #97
        sta $dc04
        lda #0
        sta $dc05
        lda #$81
        sta $dc0d
        lda #$11
        sta $dc0e
        cli
loop    nop
here    inc $0340
        bne loop
        inc $0341
        jmp loop
handler bit $dc0d
        rti
`;

function start(source: string): { machine: C64Machine; at: (name: string) => bigint } {
  const board = new C64Board({ roms: c64Roms });
  board.runCycles(60_000);
  const machine = new C64Machine(board, bareHost(), []);
  const { origin, bytes, symbols } = assemble(source);
  machine.control.input({ type: 'poke', bank: 'ram', address: origin, bytes });
  machine.control.input({ type: 'register', name: 'PC', value: origin });
  return { machine, at: (name) => BigInt(symbols.get(name)?.value ?? 0) };
}

const word = async ({ memory }: C64Machine) => Buffer.from(await memory.peek('ram', 0x340n, 2)).readUInt16LE();

test.each(['exec', 'composite'])('an instruction that an interrupt comes before is met once (%s)', async (type) => {
  const { machine, at } = start(counting);
  const trigger = { type: 'exec', address: at('here'), length: 1 };
  const tree = { operator: 'and' as const, of: [trigger, { condition: 'X >= 0' }] };
  const wanted = type === 'exec' ? trigger : { type, address: 0n, length: 1, tree };
  const { id } = await machine.breakpoints.set({ ...spec, ...wanted, logOnly: true });
  await machine.control.run({ frames: 20, wallMs }, never);
  const before = await word(machine);
  expect(before).toBeGreaterThan(5000);
  const [{ hits } = { hits: 0 }] = await machine.breakpoints.list();
  expect(hits - before).toBeGreaterThanOrEqual(0);
  expect(hits - before).toBeLessThanOrEqual(1);
  await machine.breakpoints.delete(id);
  // A run to the address ends before the instruction runs, not before the interrupt.
  for (let round = 0; round < 60; round++) {
    const count = await word(machine);
    await machine.control.run({ address: at('here'), wallMs }, never);
    await machine.control.step({ kind: 'into', count: 1, back: false, wallMs }, never);
    expect(await word(machine)).toBe((count + 1) & 0xffff);
  }
});

test('a run that ends on a limit where a breakpoint is does not pass it', async () => {
  const { machine, at } = start('* = $c000\nloop nop\nhere inc $0340\n jmp loop\n');
  const { id } = await machine.breakpoints.set({ ...spec, address: at('here') });
  for (let round = 0; round < 200; round++) {
    const count = await word(machine);
    let stop = await machine.control.run({ cycles: 1, wallMs }, never);
    while (stop.cause === 'limit') stop = await machine.control.run({ cycles: 1, wallMs }, never);
    expect(stop).toMatchObject({ cause: 'breakpoint', breakpoint: { id } });
    expect(await word(machine)).toBe((count + (round === 0 ? 0 : 1)) & 0xffff);
  }
  // What has stopped it does not stop it again before it has moved; a step onto it has been seen.
  expect((await machine.breakpoints.list())[0]?.hits).toBe(200);
  const step = { kind: 'into', count: 3, back: false, wallMs } as const;
  expect(await machine.control.step(step, never)).toMatchObject({ cause: 'step' });
  expect(machine.control.pc).toBe(Number(at('here')));
  await machine.control.run({ wallMs }, never);
  expect((await machine.breakpoints.list())[0]?.hits).toBe(201);
});

test('a machine that runs and is held shows one moment, and a whole picture of the frame that is drawn', async () => {
  const { machine } = start('* = $c000\nloop inc $0340\n bne loop\n inc $0341\n jmp loop\n');
  await machine.control.runFreely('warp');
  const letGo = await machine.control.hold();
  const { cycles } = machine.control.board;
  const state = machine.control.board.snapshot();
  const shot = await machine.screen.picture();
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(machine.control.board.cycles).toBe(cycles);
  expect(Buffer.compare(machine.control.board.snapshot(), state)).toBe(0);
  expect([shot.width, shot.height]).toEqual([384, 272]);
  letGo();
  letGo();
  while (machine.control.board.cycles === cycles) await new Promise((resolve) => setImmediate(resolve));
  await machine.control.pause();
});

test('composites follow the raster of another video standard', async () => {
  const board = new C64Board({ roms: c64Roms, vic: '6567' });
  board.runCycles(60_000);
  const machine = new C64Machine(board, bareHost(), []);
  const tree = { operator: 'and' as const, of: [{ condition: 'raster_line == 300' }, { condition: 'SP >= 0' }] };
  await machine.breakpoints.set({ ...spec, type: 'composite', address: 0n, tree });
  expect(await machine.control.run({ frames: 3, wallMs }, never)).toMatchObject({ cause: 'limit' });
  await machine.configuration.set([{ name: 'MachineVideoStandard', value: 1 }], 'never');
  expect(await machine.control.run({ frames: 3, wallMs }, never)).toMatchObject({ cause: 'breakpoint' });
  expect(machine.status().now?.beam?.line).toBe(300);
  await machine.configuration.set([{ name: 'MachineVideoStandard', value: 2 }], 'never');
  expect(await machine.control.run({ frames: 3, wallMs }, never)).toMatchObject({ cause: 'limit' });
});
