import { describe, expect, test } from 'vitest';
import { assemble } from '../../../../formats/commodore/assembler/assemble.ts';
import { bareHost } from '../../machine/host-testing.ts';
import { c64Roms } from '../../roms/c64-roms.generated.ts';
import { C64Board } from '../c64-board.ts';
import { C64Machine } from './c64-machine.ts';

const never = new AbortController().signal;
const wallMs = 20_000;

function start(source: string): C64Machine {
  const host = bareHost();
  const machine = new C64Machine(new C64Board({ roms: c64Roms }), host, []);
  const { origin, bytes, symbols, errors } = assemble(source);
  expect(errors).toEqual([]);
  machine.addresses.symbols.add([...symbols.values()].map(({ name, value }) => [name, BigInt(value)]));
  machine.control.input({ type: 'poke', bank: 'ram', address: origin, bytes });
  machine.control.input({ type: 'register', name: 'PC', value: origin });
  return machine;
}

const runTo = (machine: C64Machine, name: string) =>
  machine.control.run({ address: machine.addresses.symbols.address(name), wallMs }, never);
const frames = (machine: C64Machine, count: number) => machine.control.run({ frames: count, wallMs }, never);
/** By name, innermost first. */
const calls = async (machine: C64Machine) =>
  (await machine.cpu.callStack()).map(
    ({ kind, from }) => `${kind === 'interrupt' ? '! ' : ''}${machine.addresses.symbols.describe(from)}`,
  );

// What is pushed before the call looks like the return address of a JSR at $0600.
const misleading = `
* = $c000
        sei
        ldx #$ff
        txs
main    jsr outer
        jmp main
outer   lda #$06
        pha
        lda #$02
        pha
call    jsr flash
        pla
        pla
        rts
flash   inc $d020
spin    inx
        bne spin
        iny
        bne spin
        rts
`;

describe('the call stack', () => {
  test('leaves out what was only pushed', async () => {
    const machine = start(misleading);
    machine.control.input({ type: 'poke', bank: 'ram', address: 0x0600, bytes: Uint8Array.of(0x20) });
    await runTo(machine, 'flash');
    expect(await calls(machine)).toEqual(['call', 'main']);
  });

  test('knows old calls by the way from their targets', async () => {
    const machine = start(`
* = $c000
        sei
        ldx #$ff
        txs
main    jsr outer
        jmp main
outer   lda #$12
        pha
        lda #$c0
        pha
call    jsr forever
        rts
forever inc $d020
again   jmp forever
`);
    // $12 and the low half of the return address above it look like the return from a JSR at $0610.
    machine.control.input({ type: 'poke', bank: 'ram', address: 0x0610, bytes: Uint8Array.of(0x20) });
    await runTo(machine, 'forever');
    await machine.control.run({ cycles: 40, wallMs }, never);
    expect(await calls(machine)).toEqual(['call', 'main']);
    await frames(machine, 40);
    let turns = 0;
    const ticking = setInterval(() => turns++, 0);
    expect(await calls(machine)).toEqual(['call', 'main']);
    clearInterval(ticking);
    // The past that has to be run again is no reason to hold up others.
    expect(turns).toBeGreaterThan(0);
  });

  test('goes on through interrupts, with what was interrupted', async () => {
    const machine = start(`
* = $c000
        sei
        ldx #$ff
        txs
        lda #$2f
        sta $00
        lda #$34
        sta $01
        lda #<handler
        sta $fffe
        lda #>handler
        sta $ffff
        lda #$35
        sta $01
        lda #$81
        sta $dc0d
        lda #$11
        sta $dc0e
        cli
main    jsr waits
        jmp main
waits   jmp waits
handler pha
        jsr serve
        pla
        rti
serve   lda $dc0d
        rts
`);
    await runTo(machine, 'serve');
    expect(await calls(machine)).toEqual(['handler+1', '! waits', 'main']);
    const [, interrupted] = await machine.cpu.callStack();
    expect(interrupted?.returnsTo).toBe(machine.addresses.symbols.address('waits'));
  });

  test('reading it changes nothing: neither the state, nor the picture, nor what comes next', async () => {
    const machine = start(misleading);
    const { board } = machine.control;
    await machine.breakpoints.set({ type: 'write', address: 0xd020n, length: 1, logOnly: false, temporary: false });
    machine.control.input({ type: 'key', column: 1, row: 2, down: true });
    await machine.control.run({ cycles: 45_000, wallMs }, never);
    machine.control.input({ type: 'poke', bank: 'ram', address: 0x5000, bytes: Uint8Array.of(7) });
    const [state, picture] = [board.snapshot(), board.frame.slice()];
    await machine.cpu.callStack();
    expect(Buffer.compare(board.snapshot(), state)).toBe(0);
    expect(Buffer.compare(board.frame, picture)).toBe(0);
    expect(machine.control.isRewinding).toBe(false);
    const stop = await machine.control.run({ frames: 300, wallMs }, never);
    expect(stop).toMatchObject({ breakpoint: { id: 1 } });
    expect((await machine.breakpoints.list())[0]?.hits).toBe(2);
  });
});

describe('step out', () => {
  const out = (machine: C64Machine) => machine.control.step({ kind: 'out', count: 1, back: false, wallMs }, never);

  test('ends after the return, not at what is pulled from the stack before', async () => {
    const machine = start(`
* = $c000
        sei
main    jsr saves
after   jmp main
saves   pha
        txa
        pha
        jsr inner
        pla
        tax
        pla
        rts
inner   pha
        pla
back    rts
`);
    await runTo(machine, 'saves');
    await out(machine);
    expect(machine.cpu.pc).toBe(machine.addresses.symbols.address('after'));
    await runTo(machine, 'inner');
    await out(machine);
    expect(machine.addresses.symbols.describe(machine.cpu.pc)).toBe('saves+6');
    await runTo(machine, 'back');
    await out(machine);
    expect(machine.addresses.symbols.describe(machine.cpu.pc)).toBe('saves+6');
    await out(machine);
    expect(machine.cpu.pc).toBe(machine.addresses.symbols.address('after'));
  });
});
