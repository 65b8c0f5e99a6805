import { describe, expect, test } from 'vitest';
import { assemble } from '../../../../formats/commodore/assembler/assemble.ts';
import { MachineError } from '../../../../machine/errors.ts';
import { stateLine } from '../../../../rack/state-line.ts';
import { bareHost } from '../../machine/host-testing.ts';
import { c64Roms } from '../../roms/c64-roms.generated.ts';
import { C64Board } from '../c64-board.ts';
import { C64Machine } from './c64-machine.ts';

const never = new AbortController().signal;
const wallMs = 20_000;

function machineWith(source: string): { machine: C64Machine; events: unknown[] } {
  const events: unknown[] = [];
  const host = bareHost((event: unknown) => events.push(event));
  const machine = new C64Machine(new C64Board({ roms: c64Roms }), host, []);
  const { origin, bytes, symbols, errors } = assemble(source);
  expect(errors).toEqual([]);
  machine.addresses.symbols.add([...symbols.values()].map(({ name, value }) => [name, BigInt(value)]));
  machine.control.input({ type: 'poke', bank: 'ram', address: origin, bytes });
  machine.control.input({ type: 'register', name: 'PC', value: origin });
  return { machine, events };
}

const step = (machine: C64Machine, options: { kind?: 'into' | 'over' | 'out'; count?: number; back?: boolean } = {}) =>
  machine.control.step({ kind: 'into', count: 1, back: false, wallMs, ...options }, never);
const run = (machine: C64Machine, limits: object) => machine.control.run({ wallMs, ...limits }, never);

const counter = `
* = $c000
start   sei
        ldx #0
loop    inx
        jsr twice
        stx $0400
        jmp loop
twice   nop
        nop
        rts
`;

describe('stepping', () => {
  test('into, over and out', async () => {
    const { machine } = machineWith(counter);
    await step(machine, { count: 3 });
    expect(stateLine('c64-1', machine.status())).toMatch(/^c64-1 PAUSED at \$C004 loop\+1 · stop 1: 3 steps · cycle/);
    await step(machine);
    expect(machine.cpu.pc).toBe(machine.addresses.symbols.address('twice'));
    await step(machine, { kind: 'out' });
    expect(machine.cpu.pc).toBe(0xc007n);
    await step(machine, { count: 3 });
    await step(machine, { kind: 'over' });
    expect(machine.cpu.pc).toBe(0xc007n);
  });

  test('backwards gives the very same state', async () => {
    const { machine } = machineWith(counter);
    await step(machine, { count: 500 });
    const before = machine.control.board.snapshot();
    await step(machine, { count: 37 });
    await step(machine, { count: 37, back: true });
    expect(machine.control.board.snapshot()).toEqual(before);
  });

  test('not beyond what is remembered', async () => {
    const { machine } = machineWith(counter);
    await step(machine, { count: 5 });
    expect(await step(machine, { count: 100, back: true })).toMatchObject({ cause: 'limit' });
    expect(machine.cpu.pc).toBe(0xc000n);
  });
});

describe('breakpoints', () => {
  const set = (machine: C64Machine, spec: object) =>
    machine.breakpoints.set({ type: 'exec', address: 0xc003n, length: 1, logOnly: false, temporary: false, ...spec });

  test('with a condition, and again after going on', async () => {
    const { machine } = machineWith(counter);
    const { id } = await set(machine, { condition: 'X == $10' });
    expect(await run(machine, {})).toMatchObject({ cause: 'breakpoint', breakpoint: { id } });
    expect(machine.status()).toMatchObject({ state: 'BREAKPOINT', where: '$C003 loop' });
    expect((await machine.cpu.registers()).find(({ name }) => name === 'X')?.value).toBe(0x10n);
    await run(machine, { frames: 2 });
    expect(machine.status().state).toBe('BREAKPOINT');
    expect((await machine.breakpoints.list())[0]).toMatchObject({ id, hits: 2 });
  });

  test('on writes, changes and reads of memory', async () => {
    const { machine } = machineWith(counter);
    await set(machine, { type: 'write', address: 0x0400n, condition: 'value == 5', temporary: true });
    await run(machine, {});
    expect(machine.cpu.pc).toBe(0xc00an);
    expect((await machine.memory.peek('ram', 0x0400n, 1))[0]).toBe(5);
    expect(await machine.breakpoints.list()).toEqual([]);
    await set(machine, { type: 'read', address: 0x0100n, length: 0x100 });
    expect(await run(machine, {})).toMatchObject({ breakpoint: { type: 'read' }, event: { access: { kind: 'read' } } });
  });

  test('on reads, not where a program is only executed', async () => {
    const { machine } = machineWith(`
* = $c000
loop    lda $c0ff
table   ldx table
        jmp loop
`);
    await set(machine, { type: 'read', address: 0xc000n, length: 9 });
    const stop = await run(machine, {});
    expect(stop).toMatchObject({ event: { pc: 0xc003n, access: { address: 0xc003n, value: 0xaen } } });
    expect(await run(machine, { frames: 1 })).toMatchObject({ event: { pc: 0xc003n } });
  });

  test('on writes tell of the one for which the condition held', async () => {
    const { machine } = machineWith('* = $c000\nloop inc $0400\n jmp loop');
    machine.control.board.poke('ram', 0x0400, 5);
    await set(machine, { type: 'write', address: 0x0400n, condition: 'value == old_value', temporary: true });
    const access = { value: 5n, old: 5n };
    expect(await run(machine, {})).toMatchObject({ event: { pc: 0xc000n, access } });
    await set(machine, { type: 'write', address: 0x0400n });
    expect(await run(machine, {})).toMatchObject({ event: { access: { value: 7n, old: 6n } } });
  });

  test('that only log do not stop', async () => {
    const { machine, events } = machineWith(counter);
    await set(machine, { logOnly: true });
    expect(await run(machine, { cycles: 1000 })).toMatchObject({ cause: 'limit' });
    expect(events.length).toBeGreaterThan(10);
  });

  test('stop a run into the past as well', async () => {
    const { machine } = machineWith(counter);
    await run(machine, { frames: 3 });
    const here = machine.control.board.cycles;
    await set(machine, { condition: 'X == 7' });
    expect(await run(machine, { back: true })).toMatchObject({ cause: 'breakpoint' });
    expect(machine.control.board.cycles).toBeLessThan(here);
    expect((await machine.cpu.registers()).find(({ name }) => name === 'X')?.value).toBe(7n);
  });

  test('a wrong condition is refused with its column, an unknown number with those there are', async () => {
    const { machine } = machineWith(counter);
    await expect(set(machine, { condition: 'A == Q' })).rejects.toThrow(/no name Q.*column 6/s);
    await expect(machine.breakpoints.delete(7)).rejects.toThrow(/No breakpoint 7/);
    await expect(set(machine, { address: 0xffffn, length: 2 })).rejects.toThrow(MachineError);
  });
});

describe('what a stop says', () => {
  const set = (machine: C64Machine, type: string, address: bigint, condition?: string) =>
    machine.breakpoints.set({ type, address, length: 1, condition, logOnly: false, temporary: true });
  const source = `
* = $c000
start   sei
b       lda #$0e
        sta $d020
loop    inc $d020
        lda $fb
        ldx #$34
        stx $01
        sta $e000
        lda #$37
        sta $01
self    sta self+1
        jsr start
`;

  test('of a write: who, where, the old and the new value, in words and as data', async () => {
    const { machine } = machineWith(source);
    await set(machine, 'write', 0xd020n);
    await run(machine, {});
    await set(machine, 'write', 0xd020n);
    const stop = await run(machine, {});
    const chip = { name: 'vic2', register: 0x20 };
    expect(stop.reason).toBe('breakpoint 2, write: $D020 written by $C006 INC $D020 (loop), FE→FF');
    expect(stop.event).toEqual({
      // Of the sixth cycle of INC; the machine itself is at its end.
      time: machine.control.board.cycles - 1,
      beam: { frame: 0, line: 0, cycle: machine.control.board.rasterCycle },
      pc: 0xc006n,
      instruction: 'INC $D020',
      access: { kind: 'write', address: 0xd020n, space: 'io', value: 0xffn, old: 0xfen, bytes: 1, chip },
    });
    expect(machine.cpu.pc).toBe(0xc009n);
  });

  test('of a read: what was read', async () => {
    const { machine } = machineWith(source);
    await set(machine, 'read', 0xfbn);
    const stop = await run(machine, {});
    expect(stop.reason).toMatch(/^breakpoint 1, read: \$00FB read by \$C009 LDA \$FB \(loop\+3\), [0-9A-F]{2}$/);
    expect(stop.event?.access).toMatchObject({ kind: 'read', address: 0xfbn, space: 'ram', bytes: 1 });
    expect(stop.event?.access).not.toHaveProperty('old');
  });

  test('of a write below ROM: what was in the RAM there, also for changes', async () => {
    const { machine } = machineWith(source);
    const kernal = machine.control.board.peek('cpu', 0xe000);
    machine.control.input({ type: 'poke', bank: 'ram', address: 0xe000, bytes: Uint8Array.of(kernal ^ 0xff) });
    machine.control.input({ type: 'poke', bank: 'ram', address: 0xfb, bytes: Uint8Array.of(kernal) });
    await set(machine, 'change', 0xe000n);
    const stop = await run(machine, { frames: 1 });
    const [value, old] = [BigInt(kernal), BigInt(kernal ^ 0xff)];
    expect(stop.event?.access).toEqual({ kind: 'write', address: 0xe000n, space: 'ram', value, old, bytes: 1 });
  });

  test('an instruction that writes over itself is named as it was', async () => {
    const { machine } = machineWith(source);
    await set(machine, 'write', 0xc017n);
    const { event } = await run(machine, {});
    expect(event).toMatchObject({ pc: 0xc016n, instruction: 'STA $C017', access: { value: 0x37n, old: 0x17n } });
  });

  test('of an interrupt that pushes on a watched byte of the stack', async () => {
    const { machine } = machineWith(`
* = $c000
        ldx #$ff
        txs
        stx $dc04
        lda #$81
        sta $dc0d
        lda #$11
        sta $dc0e
        cli
wait    jmp wait
`);
    await set(machine, 'write', 0x1fdn);
    expect(await run(machine, { frames: 5 })).toMatchObject({
      reason: /^breakpoint 1, write: \$01FD written by \$C011 interrupt \(wait\), /,
      event: { instruction: 'interrupt' },
    });
  });

  test('of two breakpoints at once both are counted, and one that only logs hides none that stops', async () => {
    const { machine, events } = machineWith(source);
    const spec = { length: 1, temporary: false };
    await machine.breakpoints.set({ ...spec, type: 'write', address: 0xd020n, logOnly: true });
    await machine.breakpoints.set({ ...spec, type: 'change', address: 0xd020n, logOnly: false });
    await machine.breakpoints.set({ ...spec, type: 'exec', address: 0xc006n, logOnly: true });
    await machine.breakpoints.set({ ...spec, type: 'exec', address: 0xc006n, logOnly: false });
    const hits = async () => (await machine.breakpoints.list()).map((each) => each.hits);
    // The instruction that comes next is met with the access of the one before.
    expect(await run(machine, {})).toMatchObject({ breakpoint: { id: 2 } });
    expect(await hits()).toEqual([1, 1, 1, 1]);
    expect(events.length).toBe(2);
  });

  test('of everything else: when and where', async () => {
    const { machine } = machineWith(source);
    await set(machine, 'exec', 0xc006n);
    const { cycles } = machine.control.board;
    expect(await run(machine, {})).toMatchObject({
      reason: 'breakpoint 1, exec',
      event: { time: cycles + 8, pc: 0xc006n, instruction: 'INC $D020' },
    });
    expect(await step(machine)).toMatchObject({ event: { pc: 0xc009n, instruction: 'LDA $FB' } });
  });
});

describe('a jam', () => {
  test('is an error until PC is set; other registers do not end it', async () => {
    const { machine } = machineWith('* = $c000\n jam\nnext inc $d020\n jmp next');
    expect(await run(machine, { frames: 1 })).toMatchObject({
      cause: 'fault',
      reason: /opcode \$02 at \$C000 \(way out/,
    });
    await expect(run(machine, { frames: 1 })).rejects.toMatchObject({
      message: /^Cannot run from ERROR/,
      fix: /registers_write {"values":{"PC":"\$C001"}}/,
    });
    await machine.cpu.setRegister('A', 1n);
    expect(machine.status().state).toBe('ERROR');
    await machine.cpu.setRegister('PC', 0xc001n);
    expect(stateLine('c64-1', machine.status())).toMatch(/^c64-1 PAUSED at \$C001 next · cycle/);
    expect(await run(machine, { frames: 1 })).toMatchObject({ cause: 'limit' });
  });

  test('is gone when stepped back from, and comes again', async () => {
    const { machine } = machineWith('* = $c000\n nop\n .byte $92\n');
    await run(machine, { frames: 1 });
    expect(await step(machine, { back: true })).toMatchObject({ cause: 'step' });
    expect(stateLine('c64-1', machine.status())).toMatch(/^c64-1 PAUSED at \$C001 /);
    expect(await step(machine)).toMatchObject({ cause: 'fault', reason: /opcode \$92 at \$C001/ });
    expect(await step(machine, { back: true, count: 2 })).toMatchObject({ cause: 'step' });
    expect(machine.cpu.pc).toBe(0xc000n);
  });

  test('names the opcode that was fetched, whatever is read there by now', async () => {
    const { machine } = machineWith('* = $c000\n sei\nwait jmp wait\n');
    // Half of a byte of colour RAM is what the VIC-II has just read: it changes with every cycle.
    const screen = Uint8Array.from({ length: 1000 }, (_, index) => index * 7);
    machine.control.input({ type: 'poke', bank: 'ram', address: 0x400, bytes: screen });
    machine.control.input({ type: 'poke', bank: 'cpu', address: 0xd011, bytes: Uint8Array.of(0x1b) });
    machine.control.input({ type: 'poke', bank: 'cpu', address: 0xd018, bytes: Uint8Array.of(0x14) });
    machine.control.input({ type: 'poke', bank: 'color', address: 0, bytes: Uint8Array.of(2, 2, 2) });
    await run(machine, { frames: 2 });
    await run(machine, { condition: 'raster_line == 100' });
    const jams: string[] = [];
    for (let count = 0; count < 60; count++) {
      await run(machine, { cycles: 5 });
      await machine.cpu.setRegister('PC', 0xd800n);
      const { reason } = await step(machine);
      const [, opcode] = /opcode \$(..)/.exec(reason) ?? [];
      if (opcode) jams.push(opcode);
      await machine.cpu.setRegister('PC', 0xc001n);
    }
    expect(jams.length).toBeGreaterThan(10);
    expect(jams.filter((opcode) => !/^[0-7]2$|^[9BDF]2$/.test(opcode))).toEqual([]);
  });
});

test('inputs at their cycles give the same machine again, however often it is taken back', async () => {
  const { machine } = machineWith(`
* = $c000
        sei
again   lda #0
        sta $dc00
        lda $dc01
        clc
        adc sum
        sta sum
        lda $dc00
        eor sum
        sta sum+1
        inc $d020
        jmp again
sum     .word 0`);
  const { board } = machine.control;
  let seed = 12345;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % below;
  };
  const moments: { cycle: number; state: Uint8Array }[] = [];
  for (let count = 0; count < 60; count++) {
    machine.control.input({ type: 'key', column: random(8), row: random(8), down: random(2) === 1 });
    machine.control.input({ type: 'joystick', port: 2, bits: random(32) });
    await run(machine, { cycles: 1 + random(30_000) });
    moments.push({ cycle: board.cycles, state: board.snapshot() });
  }
  for (let count = 0; count < 20; count++) {
    const moment = moments[random(50)];
    if (!moment || moment.cycle >= board.cycles) continue;
    await run(machine, { back: true, cycles: board.cycles - moment.cycle });
    expect(board.cycles).toBe(moment.cycle);
    // The inputs of the moment itself come after it.
    expect(board.snapshot()).toEqual(moment.state);
    await run(machine, { cycles: random(100_000) });
  }
});

test('two machines with the same inputs are equal to the byte, also through a snapshot', async () => {
  const { machine: first } = machineWith(counter);
  const { machine: second } = machineWith(counter);
  await run(first, { frames: 20 });
  await run(second, { frames: 7 });
  await second.snapshots.save('here');
  await run(second, { frames: 30 });
  await second.snapshots.restore('here');
  await run(second, { cycles: first.control.board.cycles - second.control.board.cycles });
  expect(second.control.board.snapshot()).toEqual(first.control.board.snapshot());
});
