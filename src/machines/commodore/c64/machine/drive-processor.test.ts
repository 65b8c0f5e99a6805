import { describe, expect, test } from 'vitest';
import { fields } from '../../../../chips/mos6510/registers.ts';
import { assemble } from '../../../../formats/commodore/assembler/assemble.ts';
import type { DriveModel } from '../../drive/real-drive.ts';
import { bareHost } from '../../machine/host-testing.ts';
import { c64Roms } from '../../roms/c64-roms.generated.ts';
import { C64Board } from '../c64-board.ts';
import { C64Machine } from './c64-machine.ts';
import { driveBench } from './drive-bench-testing.ts';

const never = new AbortController().signal;
const wallMs = 60_000;
const { rom, large, at } = driveBench();
const spec = { type: 'exec', length: 1, logOnly: false, temporary: false, cpu: 'drive8' };

/** Pulls and reads the lines of the bus all the time, so that whatever a drive does at another moment shows. */
const busy = assemble(`* = $c000
loop    inc $dd00
        lda $dd00
        sta $0400,x
        inx
        jmp loop
`);

const host = bareHost();

/** Without attention, which would interrupt the drive. */
const quiet = assemble(`* = $c000
loop    lda $dd00
        sta $0400,x
        inx
        jmp loop
`);

async function start(
  drives: readonly (8 | 9)[] = [8],
  { origin, bytes } = quiet,
  models: readonly DriveModel[] = [],
): Promise<C64Machine> {
  const board = new C64Board({ roms: c64Roms, driveRoms: { 1541: rom, 1571: large, 1581: large } });
  board.runCycles(200_000);
  for (const [index, model] of models.entries()) board.drives.want(index === 0 ? 8 : 9, model);
  const machine = new C64Machine(board, host, []);
  for (const unit of drives) machine.control.input({ type: 'connect', unit });
  machine.control.input({ type: 'poke', bank: 'ram', address: origin, bytes });
  machine.control.input({ type: 'register', name: 'PC', value: origin });
  await machine.control.run({ frames: 2, wallMs }, never);
  return machine;
}

const run = (machine: C64Machine, limits: object = {}) => machine.control.run({ wallMs, ...limits }, never);
const step = (machine: C64Machine, kind: 'into' | 'over' | 'out', count = 1, cpu = 'drive8') =>
  machine.control.step({ kind, count, back: false, cpu, wallMs }, never);
const drive = async (machine: C64Machine, name = 'drive8') => (await machine.processors.named(name)).cpu;
const registers = async (machine: C64Machine, name = 'drive8') =>
  Object.fromEntries((await (await drive(machine, name)).registers()).map((each) => [each.name, Number(each.value)]));

describe('the processor of a drive', () => {
  test('stops exactly where a breakpoint is, again and again', async () => {
    const machine = await start();
    const { id } = await machine.breakpoints.set({ ...spec, address: at('deep') });
    let x = -1;
    for (let round = 0; round < 300; round++) {
      const stop = await run(machine);
      expect(stop).toMatchObject({
        cause: 'breakpoint',
        reason: `breakpoint ${id}, exec on drive8 at $${at('deep').toString(16).toUpperCase()}`,
        event: {
          ...{ cpu: 'drive8', pc: at('deep'), instruction: 'INX', time: machine.control.board.cycles },
          beam: { frame: machine.control.board.frameCount, line: machine.control.board.rasterLine },
        },
      });
      expect((await drive(machine)).pc).toBe(at('deep'));
      const [unit] = machine.control.board.drives.real;
      expect(unit?.isBetweenInstructions).toBe(true);
      const { X } = await registers(machine);
      if (round > 0) expect(X).toBe((x + 1) & 0xff);
      x = X ?? -1;
    }
    expect(await machine.breakpoints.list()).toMatchObject([{ id, cpu: 'drive8', hits: 300 }]);
  });

  const pairs: (readonly [DriveModel, DriveModel])[] = [
    ['1541', '1541'],
    ['1571', '1541'],
    ['1541', '1581'],
  ];
  test.each(pairs)('can be looked at without a difference to the machine (%s, %s)', async (...models) => {
    const [plain, stopped] = [await start([8, 9], busy, models), await start([8, 9], busy, models)];
    await stopped.breakpoints.set({ ...spec, address: at('deep') });
    await stopped.breakpoints.set({ ...spec, address: at('idle'), cpu: 'drive9' });
    let stops = 0;
    let held = 0;
    const end = plain.control.board.cycles + 60_000;
    for (;;) {
      const stop = await run(stopped, { cycles: end - stopped.control.board.cycles });
      if (stop.cause === 'limit') break;
      stops++;
      if (stopped.control.board.drives.held > 0) held++;
      // All of these read only.
      await registers(stopped);
      await stopped.memory.peek('drive8', 0n, 16);
      await (await drive(stopped, 'drive9')).callStack();
      if (stops % 50 === 0) await step(stopped, 'over');
      if (stops % 70 === 0) await step(stopped, 'into', 3, 'drive9');
    }
    expect(stops).toBeGreaterThan(500);
    expect(held).toBeGreaterThan(2);
    await run(plain, { cycles: stopped.control.board.cycles - plain.control.board.cycles });
    expect(plain.control.board.cycles).toBe(stopped.control.board.cycles);
    expect(Buffer.compare(stopped.control.board.snapshot(), plain.control.board.snapshot())).toBe(0);
  });

  test('what is written while it is held is written at the same moment when that is run again', async () => {
    const machine = await start([8], busy);
    const { board } = machine.control;
    await machine.breakpoints.set({ ...spec, address: at('deep') });
    const begin = board.cycles;
    let writes = 0;
    while (writes < 6) {
      await run(machine);
      if (board.drives.held === 0) continue;
      writes++;
      const { cpu, memory } = await machine.processors.named('drive8');
      await cpu.setRegister('X', 0x55n);
      await memory.poke('drive8', 0x10n, Uint8Array.of(writes));
      if (writes % 2 === 0) await cpu.setRegister('PC', at('idle'));
      expect(board.drives.held).toBe(1);
    }
    await machine.breakpoints.set({ ...spec, cpu: undefined, address: 0xfffen });
    for (const { id } of await machine.breakpoints.list()) await machine.breakpoints.delete(id);
    await run(machine, { cycles: 5000 });
    const [now, time] = [board.snapshot(), board.cycles];
    await run(machine, { cycles: time - begin, back: true });
    await run(machine, { cycles: time - board.cycles });
    expect(board.cycles).toBe(time);
    expect(Buffer.compare(board.snapshot(), now)).toBe(0);
  });

  test('is stepped by whole instructions: into, over and out', async () => {
    const machine = await start();
    await machine.breakpoints.set({ ...spec, address: at('idle'), temporary: true });
    await run(machine);
    expect(await machine.breakpoints.list()).toEqual([]);
    const places: bigint[] = [];
    for (let count = 0; count < 4; count++) {
      expect(await step(machine, 'into')).toMatchObject({ cause: 'step', reason: 'step of drive8' });
      places.push((await drive(machine)).pc);
    }
    const idle = at('idle');
    expect(places).toEqual([idle + 2n, at('work'), at('work') + 2n, at('deep')]);
    expect(await (await drive(machine)).callStack()).toMatchObject([{ from: at('work') + 2n }, { from: idle + 2n }]);
    await step(machine, 'out');
    expect((await drive(machine)).pc).toBe(at('work') + 5n);
    await step(machine, 'out');
    expect((await drive(machine)).pc).toBe(idle + 5n);
    await step(machine, 'into', 4);
    expect((await drive(machine)).pc).toBe(idle);
    await step(machine, 'into');
    await step(machine, 'over');
    expect((await drive(machine)).pc).toBe(idle + 5n);
    await expect(step(machine, 'into', 1, 'drive9')).rejects.toMatchObject({ message: 'No processor "drive9".' });
    await expect(
      machine.control.step({ kind: 'into', count: 1, back: true, cpu: 'drive8', wallMs }, never),
    ).rejects.toThrow('forward only');
  });

  test('its steps are as many as its instructions when the computer is stepped beside it', async () => {
    const [stepped, watched] = [await start([8], busy), await start([8], busy)];
    const interrupts = () => watched.control.board.drives.real[0]?.parts.cpu[fields.irqCount] ?? 0;
    const before = interrupts();
    await watched.breakpoints.set({ ...spec, address: 0n, length: 0x10000 });
    for (let count = 0; count < 500; count++) await run(watched);
    expect(interrupts()).toBeGreaterThan(before);
    // An interrupt is a step, and no instruction.
    for (let count = before - interrupts(); count < 500; count++) await step(stepped, 'into');
    expect(stepped.control.board.cycles).toBe(watched.control.board.cycles);
    expect(await registers(stepped)).toEqual(await registers(watched));
  });

  test('conditions, log only, and both sorts of breakpoint at once', async () => {
    const machine = await start();
    const { breakpoints } = machine;
    const own = await breakpoints.set({ ...spec, address: at('deep'), condition: 'X == $40 && [$10] == $40' });
    await breakpoints.set({ ...spec, address: at('work'), logOnly: true });
    expect(await run(machine)).toMatchObject({ breakpoint: { id: own.id } });
    expect(await registers(machine)).toMatchObject({ X: 0x40 });
    const main = await breakpoints.set({ ...spec, cpu: 'main', address: BigInt(quiet.origin) });
    expect(main.cpu).toBeUndefined();
    expect(await run(machine)).toMatchObject({ breakpoint: { id: main.id } });
    expect(machine.control.pc).toBe(quiet.origin);
    // A step over of the computer's is ended by a drive, too.
    await breakpoints.set({ ...spec, address: at('work') });
    await breakpoints.delete(main.id);
    const stops = [];
    for (let count = 0; count < 100; count++) {
      stops.push(await machine.control.step({ kind: 'into', count: 1, back: false, wallMs }, never));
    }
    expect(stops.some(({ event }) => event?.cpu === 'drive8')).toBe(true);
    await expect(breakpoints.set({ ...spec, type: 'raster', address: 0n })).rejects.toThrow('not at raster');
    await expect(breakpoints.set({ ...spec, address: 0n, condition: 'raster_line == 3' })).rejects.toThrow();
  });

  test('stops after an instruction that reads, writes or changes its memory, and says what it was', async () => {
    const machine = await start();
    const { breakpoints } = machine;
    // idle: inc $10
    const written = await breakpoints.set({ ...spec, type: 'write', address: 0x10n, condition: 'value == $22' });
    const stop = await run(machine);
    expect(stop).toMatchObject({
      breakpoint: { id: written.id, cpu: 'drive8' },
      event: {
        cpu: 'drive8',
        access: { kind: 'write', address: 0x10n, space: 'ram', value: 0x22n, old: 0x21n },
      },
    });
    expect(stop.reason).toMatch(/on drive8 at \$\w{4}: \$0010 written by \$\w{4} INC \$10, 21→22/);
    const { memory } = await machine.processors.named('drive8');
    expect([...(await memory.peek('drive8', 0x10n, 1))]).toEqual([0x22]);
    await breakpoints.delete(written.id);
    const met = machine.control.board.cycles;
    const changed = await breakpoints.set({ ...spec, type: 'change', address: 0x10n });
    expect(await run(machine)).toMatchObject({
      breakpoint: { id: changed.id },
      event: { access: { old: 0x22n, value: 0x23n } },
    });
    expect(await run(machine)).toMatchObject({ event: { access: { old: 0x23n, value: 0x24n } } });
    // Backwards too, and nothing of it is left on the drive when nobody waits.
    expect(await run(machine, { back: true })).toMatchObject({ event: { access: { old: 0x22n, value: 0x23n } } });
    expect(machine.control.board.cycles).toBeGreaterThan(met);
    await breakpoints.delete(changed.id);
    const [unit] = machine.control.board.drives.real;
    expect(Object.hasOwn(unit ?? {}, 'read')).toBe(false);
    await breakpoints.set({ ...spec, type: 'read', address: at('deep') });
    const read = await breakpoints.set({ ...spec, type: 'read', address: 0x10n });
    const event = { access: { kind: 'read', address: 0x10n, space: 'ram' } };
    // Its program is only executed.
    expect(await run(machine)).toMatchObject({ breakpoint: { id: read.id }, event });
    expect(await run(machine)).toMatchObject({ breakpoint: { id: read.id }, event });
  });

  test('a snapshot of a machine that a drive has stopped can be taken elsewhere', async () => {
    const machine = await start();
    await machine.breakpoints.set({ ...spec, address: at('deep') });
    // Of its cycles one in some sixty is made together with another one.
    for (let round = 0; round < 1000 && machine.control.board.drives.held === 0; round++) await run(machine);
    expect(machine.control.board.drives.held).toBe(1);
    await machine.snapshots.save('held');
    const image = await machine.snapshots.pack('held');
    const other = await start();
    await other.snapshots.unpack(image, 'elsewhere', never);
    for (const each of [machine, other]) {
      for (const { id } of await each.breakpoints.list()) await each.breakpoints.delete(id);
      await run(each, { frames: 3 });
      each.control.board.catchUp();
    }
    expect(Buffer.compare(other.control.board.snapshot(), machine.control.board.snapshot())).toBe(0);
  });

  test('a run back ends where its breakpoint was met last', async () => {
    const machine = await start();
    const { board } = machine.control;
    await machine.breakpoints.set({ ...spec, address: at('deep'), condition: 'X == $80' });
    await run(machine);
    const met = board.cycles;
    await machine.control.step({ kind: 'into', count: 2000, back: false, wallMs }, never).catch(() => undefined);
    await run(machine, { frames: 1 });
    expect(board.cycles).toBeGreaterThan(met);
    for (;;) {
      const stop = await run(machine, { back: true });
      expect(stop).toMatchObject({ cause: 'breakpoint' });
      expect((await drive(machine)).pc).toBe(at('deep'));
      expect(await registers(machine)).toMatchObject({ X: 0x80 });
      if (board.cycles <= met) break;
    }
    expect(board.cycles).toBe(met);
  });

  test('one that is jammed makes no step and does not hold the computer up', async () => {
    const machine = await start();
    const { memory, cpu } = await machine.processors.named('drive8');
    await memory.poke('drive8', 0x300n, Uint8Array.of(0x02));
    await cpu.setRegister('PC', 0x300n);
    expect(await step(machine, 'into')).toMatchObject({ cause: 'limit', reason: expect.stringContaining('jammed') });
    const before = machine.control.board.cycles;
    await run(machine, { frames: 1 });
    expect(machine.control.board.cycles).toBeGreaterThan(before + 10_000);
    await cpu.setRegister('PC', at('idle'));
    expect(await step(machine, 'into')).toMatchObject({ cause: 'step' });
    expect(cpu.pc).toBe(at('idle') + 2n);
  });
});
