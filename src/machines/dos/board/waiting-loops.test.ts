import { expect, test } from 'vitest';
import { assemble } from '../assembler/assemble.ts';
import { DosCallLog } from '../debug/dos-call-log.ts';
import { applyInput, type InputEvent } from '../machine/input-event.ts';
import { DosSystem } from './dos-system.ts';
import { driveOf, noWires, pcOptions } from './system-testing.ts';

const instructionsPerSecond = 1_000_000;

/** A program that runs for ever, on a PC that passes over its waiting, or does not. */
class Waiter {
  readonly system: DosSystem;
  readonly log: DosCallLog;

  constructor(source: string, passesOver: boolean) {
    const { bytes, errors } = assemble(source);
    expect(errors).toEqual([]);
    let log: DosCallLog | undefined;
    this.system = new DosSystem(
      pcOptions({ instructionsPerSecond, drives: new Map([[2, driveOf({ 'WAIT.COM': bytes })]]), commands: ['WAIT'] }),
      { ...noWires, called: (number, kind) => log?.called(number, kind) },
    );
    const { board, guest } = this.system;
    log = new DosCallLog(board.cpu, this.system, guest);
    this.log = log;
    board.loops.calls = log.tally;
    board.loops.enabled = passesOver;
  }

  run(instructions: number): void {
    const { board } = this.system;
    const end = board.instructions + instructions;
    while (board.instructions < end) board.run(Math.min(end, board.instructions + 20_000));
  }

  async everything() {
    const { board } = this.system;
    return {
      bytes: Buffer.from(board.snapshot()),
      services: this.system.save(),
      graph: board.cpu.saveGraph(),
      functions: board.cpu.functions,
      calls: await this.log.read({ limit: 100 }),
    };
  }
}

/** Both ways, with these inputs at odd times; how many instructions were passed over. */
async function lockStep(source: string, inputs: readonly InputEvent[] = []): Promise<number> {
  const [quick, plain] = [new Waiter(source, true), new Waiter(source, false)];
  for (const [round, input] of [...inputs, undefined].entries()) {
    for (const each of [quick, plain]) {
      each.run(60_007 + round * 7919);
      if (input) applyInput(each.system, input);
      each.run(41_003);
    }
    const [one, other] = [await quick.everything(), await plain.everything()];
    expect(one.bytes.equals(other.bytes)).toBe(true);
    expect({ ...one, bytes: undefined }).toEqual({ ...other, bytes: undefined });
  }
  expect(plain.system.board.loops.passedOver).toBe(0);
  return quick.system.board.loops.passedOver;
}

const key = (code: number): readonly InputEvent[] => [
  { type: 'key', code, down: true },
  { type: 'key', code, down: false },
];

test('an editor that waits for keys, the clock and the mouse is what it would be had it run all the way', async () => {
  const source = `
        mov ax,0b800h
        mov es,ax
again:  mov ah,1
        int 16h
        jz none
        mov ah,0
        int 16h
        mov [es:0],al
        add [keys],al
none:   int 28h
        mov ax,1680h
        int 2fh
        mov ah,0bh
        int 21h
        mov ah,2ch
        int 21h
        mov [es:158],dl
        mov ax,3
        int 33h
        mov [es:160],cl
        mov ah,0
        int 1ah
        mov [es:162],dl
        call idle
        jmp again
idle:   push cx
        mov cx,3
turn:   loop turn
        pop cx
        ret
keys:   db 0`;
  const mouse: InputEvent = { type: 'mouse', dx: 9, dy: 5, buttons: 1 };
  expect(await lockStep(source, [...key(0x1e), mouse, ...key(0x30), mouse])).toBeGreaterThan(300_000);
});

test('a handler of the timer changes what a waiting program finds, at its time', async () => {
  const source = `
        mov ax,251ch
        mov dx,tick
        int 21h
again:  mov ah,1
        int 16h
        mov ax,[ticks]
        cmp ax,[seen]
        je again
        mov [seen],ax
        jmp again
tick:   inc word [cs:ticks]
        iret
ticks:  dw 0
seen:   dw 0`;
  expect(await lockStep(source, key(0x1e))).toBeGreaterThan(200_000);
});

test.each([
  ['counts', 'inc word [count]'],
  ['writes to its own code', 'mov byte [code+1],5\n mov byte [code+1],6\ncode: mov al,6'],
  ['asks a device', 'in al,40h'],
  ['asks the real-time clock', 'mov ah,2\n int 1ah'],
  ['asks DOS for more than whether somebody is there', 'mov ah,19h\n int 21h'],
  ['takes what was typed', 'mov ah,6\n mov dl,0ffh\n int 21h'],
])('a program that %s while it waits is run', async (_what, code) => {
  const source = `
again:  mov ah,1
        int 16h
        mov [now],ax
        ${code}
        jmp again
now:    dw 0
count:  dw 0`;
  expect(await lockStep(source)).toBe(0);
});

test('whoever looks at instructions, accesses or interrupts sees all of them', () => {
  const source = `
again:  mov ah,1
        int 16h
        jmp again`;
  const { system, run } = withRun(new Waiter(source, true));
  const { cpu, memory } = system.board;
  run(50_000);
  expect(system.board.loops.passedOver).toBeGreaterThan(0);
  const watches: [begin: () => void, end: () => void][] = [
    [() => memory.setWatches([{ first: 0x50000, last: 0x50001, kind: 'write' }]), () => memory.setWatches([])],
    [() => cpu.setBreakpoints([{ first: 0x50000, last: 0x50001 }]), () => cpu.setBreakpoints([])],
    [() => cpu.stopWhen(() => 0), () => cpu.stopWhen(null)],
  ];
  for (const [begin, end] of watches) {
    begin();
    const before = system.board.loops.passedOver;
    run(50_000);
    expect(system.board.loops.passedOver).toBe(before);
    end();
  }
});

function withRun(waiter: Waiter) {
  return { system: waiter.system, run: (instructions: number) => waiter.run(instructions) };
}
