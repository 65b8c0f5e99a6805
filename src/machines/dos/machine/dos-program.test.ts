import { afterEach, expect, test } from 'vitest';
import { makeRack } from '../../../../test/make-rack.ts';
import type { MachineError } from '../../../machine/errors.ts';
import type { Rack } from '../../../rack/rack.ts';
import { dosKind } from '../dos-kind.ts';
import { DosMachine } from './dos-machine.ts';

const never = new AbortController().signal;
const wallMs = 20_000;

let rack: Rack | undefined;
afterEach(async () => {
  await rack?.close();
});

async function start(options: Record<string, unknown> = {}): Promise<DosMachine> {
  rack = makeRack([dosKind]);
  const { machine } = await rack.start('dos', options);
  if (!(machine instanceof DosMachine)) throw new Error('not a DOS machine');
  return machine;
}

const run = (machine: DosMachine, source: string, isWaitedFor = false) =>
  machine.program.load(
    { bytes: new TextEncoder().encode(`org 100h\n${source}`), name: 'test.asm', format: 'asm' },
    true,
    never,
    isWaitedFor,
  );

const screenOf = async (machine: DosMachine) =>
  (await machine.screen.text())?.lines.map((line) => line.trimEnd()).join('\n') ?? '';

const waiting = 'mov ah,0\nint 16h\nint 20h';
const crashing = 'cli\nhlt';
const fine = 'mov dx,m\nmov ah,9\nint 21h\nmov ax,4c07h\nint 21h\nm db "fine$"';
const ended = 'it ended with exit code 7: DOS is at its prompt';

test.for([
  ['is waiting', waiting],
  ['has crashed', crashing],
])('after the reset button a program comes to the prompt, though the one before %s', async ([, before]) => {
  const machine = await start();
  await run(machine, before ?? '');
  await machine.control.reset('soft');
  expect((await run(machine, fine)).notes).toContain(ended);
  expect(await screenOf(machine)).toContain('fine');
});

test('a crashed program has to be reset', async () => {
  const machine = await start();
  await run(machine, crashing);
  const refused = await run(machine, fine).catch((error: MachineError) => error);
  expect(String(refused)).toContain('has crashed (halted with interrupts off)');
});

test('a snapshot taken after the reset button has the reset in it', async () => {
  const machine = await start();
  await run(machine, waiting);
  await machine.control.reset('soft');
  await machine.snapshots.save('reset');
  await machine.control.run({ frames: 1, wallMs }, never);
  await machine.snapshots.restore('reset');
  await machine.control.run({ frames: 100, wallMs }, never);
  expect(await screenOf(machine)).toBe('\nC:\\>'.padEnd(await screenOf(machine).then(({ length }) => length), '\n'));
});

test('looking into the past does not undo the reset button', async () => {
  const machine = await start();
  await run(machine, waiting);
  await machine.control.reset('soft');
  await machine.control.step({ kind: 'into', count: 1, back: false, wallMs }, never);
  await machine.control.step({ kind: 'into', count: 1, back: true, wallMs }, never);
  const registers = new Map((await machine.cpu.registers()).map(({ name, value }) => [name, value]));
  expect([registers.get('CS'), registers.get('EIP')]).toEqual([0xffffn, 0n]);
});

test.for(['8086', '80386'])('a division by zero ends the program, as DOS does it on an %s', async (cpu) => {
  const machine = await start({ cpu });
  const divide = 'xor bl,bl\ndiv bl\nmov ax,4c05h\nint 21h';
  expect((await run(machine, divide)).notes).toContain(
    'it was ended by DOS (Ctrl-C, or a division overflow): DOS is at its prompt',
  );
  expect(await screenOf(machine)).toContain('Divide overflow');
  expect((await run(machine, fine)).notes).toContain(ended);
});

test('a step of a halted processor goes to the interrupt that wakes it, one over past that', async () => {
  const machine = await start();
  await run(machine, 'hlt\ninc bx\nhlt\ninc bx\njmp $', true);
  const offsets: string[] = [];
  const step = async (kind: 'into' | 'over', back = false) => {
    await machine.control.step({ kind, count: 1, back, wallMs }, never);
    const registers = new Map((await machine.cpu.registers()).map(({ name, value }) => [name, value]));
    offsets.push(`${registers.get('CS')?.toString(16)}:${registers.get('EIP')?.toString(16)}`);
  };
  await step('into');
  await step('into');
  // The key that started it is released.
  expect(offsets).toEqual(['46b:101', 'f000:e987']);
  for (let count = 0; count < 40 && offsets.at(-1) !== '46b:101'; count++) await step('over');
  offsets.length = 0;
  for (const kind of ['over', 'over', 'over'] as const) await step(kind);
  expect(offsets.splice(0)).toEqual(['46b:102', '46b:103', '46b:104']);
  // Halted by a step into, then over.
  await step('over', true);
  await step('over', true);
  await step('into');
  await step('over');
  expect(offsets.slice(-2)).toEqual(['46b:103', '46b:103']);
  await step('into');
  expect(offsets.at(-1)).toBe('46b:104');
});

test('a call that waits for a key is one call with its own answer, however often the machine goes back', async () => {
  const machine = await start();
  const answers = async () => {
    const { calls } = await machine.callLog.read({ limit: 100, filter: 'read key' });
    return calls.map(({ result }) => result?.slice(0, 3));
  };
  await run(machine, 'k: mov ah,0\nint 16h\njmp k');
  await machine.snapshots.save('waits');
  await machine.keyboard.type('a', never);
  expect(await answers()).toEqual(["'a'", undefined]);
  await machine.control.run({ frames: 2, wallMs }, never);
  await machine.control.run({ frames: 1, back: true, wallMs }, never);
  expect(await answers()).toEqual(["'a'", undefined]);
  await machine.keyboard.type('b', never);
  expect(await answers()).toEqual(["'a'", "'b'", undefined]);
  await machine.control.run({ frames: 25, back: true, wallMs }, never);
  expect(await answers()).toEqual([undefined]);
  await machine.snapshots.restore('waits');
  expect(await answers()).toEqual([undefined]);
  await machine.keyboard.type('q', never);
  expect(await answers()).toEqual(["'q'", undefined]);
});

test('labels of a resident program stay while others come and go', async () => {
  const machine = await start();
  const { symbols } = machine.addresses;
  const resident = 'jmp init\nold dd 0\nhook: iret\ninit: mov dx,init\nint 27h';
  await run(machine, resident);
  const hook = symbols.address('hook');
  expect(hook).toBeDefined();
  await run(machine, `gone: ${fine}`);
  expect(symbols.address('hook')).toBe(hook);
  await run(machine, fine);
  expect([symbols.address('hook'), symbols.address('gone')]).toEqual([hook, undefined]);
});
