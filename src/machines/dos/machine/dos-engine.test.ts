import { afterEach, expect, test } from 'vitest';
import { makeRack } from '../../../../test/make-rack.ts';
import type { Rack } from '../../../rack/rack.ts';
import { dosKind } from '../dos-kind.ts';
import { DosMachine } from './dos-machine.ts';

const never = new AbortController().signal;
const wallMs = 20_000;

/** mov cx,5 / again: call work / loop again / jmp $ … (110) work: inc word [0200h] / push cx / mov cx,300h / loop $ / pop cx / ret */
const callingProgram = Uint8Array.from([
  ...[0xb9, 5, 0, 0xe8, 0x0a, 0, 0xe2, 0xfb, 0xeb, 0xfe, ...Array<number>(6).fill(0x90)],
  ...[0xff, 0x06, 0x00, 0x02, 0x51, 0xb9, 0x00, 0x03, 0xe2, 0xfe, 0x59, 0xc3],
]);

let rack: Rack | undefined;
afterEach(async () => {
  await rack?.close();
});

const segment = 0x1000n;

/** A machine that has not booted, with a program that it is about to run. */
async function start(program = callingProgram, options: Record<string, unknown> = {}): Promise<DosMachine> {
  rack = makeRack([dosKind]);
  const { machine } = await rack.start('dos', { run_to_prompt: false, ...options });
  if (!(machine instanceof DosMachine)) throw new Error('not a DOS machine');
  await machine.memory.poke('cpu', segment * 16n + 0x100n, program);
  for (const name of ['cs', 'ds', 'es', 'ss']) await machine.cpu.setRegister(name, segment);
  await machine.cpu.setRegister('ip', 0x100n);
  await machine.cpu.setRegister('sp', 0xfffen);
  return machine;
}

const spec = { type: 'exec', address: 0n, length: 1, logOnly: false, temporary: false };
const step = ({ control }: DosMachine, kind: 'into' | 'over' | 'out', back = false, count = 1) =>
  control.step({ kind, count, back, wallMs }, never);

async function work(machine: DosMachine) {
  const address = segment * 16n + 0x110n;
  return (await machine.functions.list()).find((each) => each.address === address);
}

test('protected mode where there is none names the machines that have it', async () => {
  // smsw ax / or al,1 / lmsw ax
  const machine = await start(Uint8Array.from([0x0f, 1, 0xe0, 0x0c, 1, 0x0f, 1, 0xf0]), { cpu: '80286' });
  expect((await machine.control.run({ cycles: 100, wallMs }, never)).reason).toBe(
    'protected mode of the 80286, which this PC lacks: start one with "cpu":"80386" or "486", or of kind qemu',
  );
});

test('a step over or out is one stop with one number', async () => {
  const machine = await start();
  await step(machine, 'into');
  expect(await step(machine, 'over')).toMatchObject({ seq: 2, cause: 'step', reason: 'step' });
  await step(machine, 'into', false, 3);
  expect(await step(machine, 'out')).toMatchObject({ seq: 4, cause: 'step', reason: 'step' });
  expect(machine.control.stop?.seq).toBe(4);
  expect(machine.control.pc & 0xf).toBe(6);
});

test('a breakpoint on the way of several steps ends them, one whose condition does not hold none', async () => {
  const machine = await start();
  const at = segment * 16n + 0x110n;
  const stopping = await machine.breakpoints.set({ ...spec, address: at });
  expect(await step(machine, 'into', false, 100)).toMatchObject({
    cause: 'breakpoint',
    breakpoint: { id: stopping.id },
  });
  expect(machine.control.pc).toBe(Number(at));
  await machine.breakpoints.delete(stopping.id);
  const { id } = await machine.breakpoints.set({ ...spec, address: at + 8n, condition: 'cx == 2feh' });
  expect(await step(machine, 'into', false, 100)).toMatchObject({ cause: 'breakpoint', breakpoint: { id } });
  expect(await machine.breakpoints.list()).toMatchObject([{ hits: 1 }]);
  await machine.breakpoints.delete(id);
  // loop $ ten times
  await machine.breakpoints.set({ ...spec, address: at + 8n, logOnly: true });
  expect(await step(machine, 'into', false, 10)).toMatchObject({ cause: 'step' });
  expect(await machine.breakpoints.list()).toMatchObject([{ hits: 10 }]);
});

test('counts, calls and the call stack follow a machine that is taken back', async () => {
  const machine = await start();
  await step(machine, 'into');
  await step(machine, 'over', false, 9);
  expect(await work(machine)).toMatchObject({ calls: 5, returns: { aligned: 5 } });
  const { blocks: after } = await machine.graph.read();
  // Into the fifth call: four have come back.
  await machine.control.run({ back: true, address: segment * 16n + 0x114n, wallMs }, never);
  expect(await work(machine)).toMatchObject({ calls: 5, returns: { aligned: 4 } });
  expect((await machine.cpu.callStack())[0]).toEqual({
    from: segment * 16n + 0x103n,
    returnsTo: segment * 16n + 0x106n,
  });
  await step(machine, 'into', true, 3);
  expect(await work(machine)).toMatchObject({ calls: 4, returns: { aligned: 4 } });
  await step(machine, 'over', false, 2);
  expect(await work(machine)).toMatchObject({ calls: 5, returns: { aligned: 5 } });
  const { blocks: again } = await machine.graph.read();
  const counts = (blocks: typeof after) => [...blocks.values()].map(({ where, executions }) => [where, executions]);
  expect(counts(again).sort()).toEqual(counts(after).sort());
});

test('counts follow a snapshot', async () => {
  const machine = await start();
  await step(machine, 'into');
  await step(machine, 'over', false, 4);
  await machine.snapshots.save('two');
  await step(machine, 'over', false, 4);
  expect(await work(machine)).toMatchObject({ calls: 4 });
  await machine.snapshots.restore('two');
  expect(await work(machine)).toMatchObject({ calls: 2 });
});

test('logs are written once each, also beside a stop, and not while the past is run again', async () => {
  const machine = await start();
  const at = segment * 16n + 0x110n;
  const logged = await machine.breakpoints.set({ ...spec, address: at, logOnly: true });
  const written = await machine.breakpoints.set({
    ...spec,
    type: 'write',
    address: segment * 16n + 0x200n,
    length: 2,
    logOnly: true,
  });
  const stopping = await machine.breakpoints.set({ ...spec, address: at, condition: 'cx == 3' });
  const events = () =>
    (rack?.events.read(1).events ?? []).filter(({ type }) => type === 'breakpoint').map(({ data }) => data?.id);
  expect(await machine.control.run({ wallMs }, never)).toMatchObject({ breakpoint: { id: stopping.id } });
  expect(events()).toEqual([logged.id, written.id, logged.id, written.id, logged.id]);
  await machine.control.run({ cycles: 3, wallMs }, never);
  expect(events().length).toBe(6);
  await step(machine, 'into', true, 3);
  expect(await machine.control.run({ back: true, wallMs }, never)).toMatchObject({ cause: 'limit' });
  expect(events().length).toBe(6);
  const hits = (await machine.breakpoints.list()).map(({ hits: count }) => count);
  expect(hits).toEqual([3, 3, 1]);
});

test('what a program has sent is not sent again when its past is run again', async () => {
  // mov dx,3f8 / mov al,41 / out dx,al / mov cx,0 / loop $ / jmp $
  const machine = await start(Uint8Array.from([0xba, 0xf8, 3, 0xb0, 0x41, 0xee, 0xb9, 0, 0, 0xe2, 0xfe, 0xeb, 0xfe]));
  const [port] = machine.console.ports;
  const received = async () => {
    for (let count = 0; count < 200 && (port?.output.end ?? 0) === 0; count++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await new Promise((resolve) => setTimeout(resolve, 60));
    return port?.output.end;
  };
  await machine.control.run({ frames: 2, wallMs }, never);
  expect(await received()).toBe(1);
  await step(machine, 'into', true, 10);
  expect(await received()).toBe(1);
});

test('a stop at an access says who made it, and the old and the new value', async () => {
  const machine = await start();
  machine.addresses.symbols.add([['work', segment * 16n + 0x110n]]);
  const address = segment * 16n + 0x200n;
  await machine.memory.poke('cpu', address, Uint8Array.of(0xff, 0x01));
  await machine.breakpoints.set({ ...spec, type: 'write', address, length: 2 });
  const stop = await machine.control.run({ wallMs }, never);
  expect(stop.reason).toMatch(/^breakpoint 1, write: \S+ written by \S+ inc word .* \(work\), 01FF→0200$/);
  expect(stop.event).toEqual({
    time: machine.control.now - 1,
    pc: segment * 16n + 0x110n,
    instruction: expect.stringMatching(/^inc word/),
    access: { kind: 'write', address, space: 'cpu', value: 0x200n, old: 0x1ffn, bytes: 2 },
  });
});

test('a breakpoint is met once each time, also where a limit ends a run just as an interrupt comes', async () => {
  // The interrupt controller, the timer at 9 kHz; sti / again: inc word [202h] / jmp again
  const timer = 'B011E620B008E621B004E621B001E621B0FEE621 B036E643B080E640B000E640 FB FF060202 EBFA';
  // inc word [200h] / push ax / mov al,20h / out 20h,al / pop ax / iret
  const handler = 'FF060002 50 B020 E620 58 CF';
  const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
  const machine = await start(bytes(timer));
  const base = segment * 16n;
  await machine.memory.poke('cpu', base + 0x180n, bytes(handler));
  await machine.memory.poke('cpu', 0x20n, Uint8Array.of(0x80, 1, 0, 0x10));
  await machine.breakpoints.set({ ...spec, address: base + 0x180n });
  await machine.breakpoints.set({ ...spec, address: base + 0x121n });
  const end = machine.control.now + 4000;
  while (machine.control.now < end) await machine.control.run({ cycles: 2, wallMs }, never);
  await machine.control.run({ address: base + 0x125n, wallMs }, never);
  const counts = new Uint16Array((await machine.memory.peek('cpu', base + 0x200n, 4)).slice().buffer);
  const hits = (await machine.breakpoints.list()).map(({ hits: count }) => count);
  expect(hits).toEqual([...counts]);
  expect(counts[0]).toBeGreaterThan(5);
});

const at = (machine: DosMachine) => machine.cpu.pc - segment * 16n;

test('a step back over goes over what was called, as deep as that went, and one out to the call', async () => {
  const machine = await start();
  await step(machine, 'into');
  await step(machine, 'over');
  await step(machine, 'over');
  await step(machine, 'over');
  expect(at(machine)).toBe(0x106n);
  const back = async (kind: 'over' | 'out', count = 1) => {
    const { cause, reason } = await step(machine, kind, true, count);
    return [at(machine), cause, reason];
  };
  expect(await back('over')).toEqual([0x103n, 'step', 'step back over']);
  expect(await back('over', 2)).toEqual([0x103n, 'step', '2 steps back over']);
  expect(await back('over', 9)).toEqual([0x100n, 'limit', 'the beginning of what is remembered']);
  for (let count = 0; count < 5; count++) await step(machine, 'into');
  expect(at(machine)).toBe(0x118n);
  expect(await back('out')).toEqual([0x103n, 'step', 'step back out']);
  expect(await back('out')).toEqual([0x103n, 'limit', 'no call is remembered that led here']);
});

test('a step back over goes over interrupts, as if they had not come', async () => {
  // int 60h / nop / jmp $ … (110) the handler: call 118 / iret / (118) ret
  const program = [
    0xcd,
    0x60,
    0x90,
    0xeb,
    0xfe,
    ...Array<number>(11).fill(0x90),
    0xe8,
    5,
    0,
    0xcf,
    0x90,
    0x90,
    0x90,
    0x90,
  ];
  const machine = await start(Uint8Array.from([...program, 0xc3]));
  await machine.memory.poke('cpu', 0x60n * 4n, Uint8Array.from([0x10, 1, 0, 0x10]));
  await step(machine, 'over');
  await step(machine, 'into');
  expect(at(machine)).toBe(0x103n);
  await step(machine, 'over', true, 2);
  expect(at(machine)).toBe(0x100n);
  for (let count = 0; count < 2; count++) await step(machine, 'into');
  expect(at(machine)).toBe(0x118n);
  await step(machine, 'out', true);
  expect(at(machine)).toBe(0x110n);
  await step(machine, 'out', true);
  expect(at(machine)).toBe(0x100n);
});
