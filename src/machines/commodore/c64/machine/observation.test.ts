import { describe, expect, test } from 'vitest';
import { generator } from '../../../../../test/support/random-c64.ts';
import { assemble } from '../../../../formats/commodore/assembler/assemble.ts';
import type { BreakpointSpec, BreakpointTree } from '../../../../machine/breakpoints.ts';
import { bareHost } from '../../machine/host-testing.ts';
import { c64Roms } from '../../roms/c64-roms.generated.ts';
import { C64Board } from '../c64-board.ts';
import { c64Layout } from '../c64-state.ts';
import { C64Machine } from './c64-machine.ts';

const never = new AbortController().signal;
const wallMs = 60_000;

// Zero page, stack, self-modification, timers, raster interrupts, indirect jumps, everything that a run can end at.
const source = `
* = $c000
        sei
        lda #<irq
        sta $0314
        lda #>irq
        sta $0315
        lda #$7f
        sta $dc0d
        lda #$1b
        sta $d011
        lda #100
        sta $d012
        lda #1
        sta $d01a
        lda #3
        sta $d015
        lda #90
        sta $d000
        sta $d001
        sta $d002
        sta $d003
        cli
main    ldx #0
loop    inc $02
        lda $02,x
        sta $0400,x
        lda ($fb),y
        adc table,x
        sta $5000,y
        pha
        jsr work
        pla
        inx
        bne loop
        inc $d020
        inc $d002
        lda $d01e
        lda $d01f
        inc patch+1
patch   lda #0
        sta $fd
        jmp (vector)
work    iny
        lda $dc04
        sta $03f0
        lsr $fe
        rts
irq     lda $d019
        sta $d019
        inc counter
        jmp $ea81
counter .byte 0
vector  .word main
table   .fill 256, 3
`;

/** What only a machine that puts work off has. */
const putOff = ['quietUntil', 'quietKind', 'quietSprites', 'freeUntil', 'gByte', 'gLine'].map((name) => `vic.${name}`);

const first = new C64Board({ roms: c64Roms });
first.runCycles(3_000_000);
const booted = first.snapshot();

interface Run {
  readonly machine: C64Machine;
  readonly events: { readonly text: string; readonly data?: Record<string, unknown> }[];
}

async function start(eager: boolean): Promise<Run> {
  const events: Run['events'] = [];
  const host = bareHost((event: Run['events'][number]) => events.push(event));
  const board = new C64Board({ roms: c64Roms, eager });
  board.restore(booted);
  const machine = new C64Machine(board, host, []);
  const { origin, bytes, symbols, errors } = assemble(source);
  expect(errors).toEqual([]);
  machine.control.input({ type: 'poke', bank: 'ram', address: origin, bytes });
  machine.control.input({ type: 'poke', bank: 'ram', address: 0x2000, bytes: new Uint8Array(63).fill(0xff) });
  machine.control.input({ type: 'poke', bank: 'ram', address: 0x7f8, bytes: Uint8Array.of(0x80, 0x80) });
  machine.control.input({ type: 'register', name: 'PC', value: origin });
  machine.addresses.symbols.add([...symbols.values()].map(({ name, value }) => [name, BigInt(value)]));
  return { machine, events };
}

const spec = { length: 1, logOnly: false, temporary: false };
const run = ({ machine }: Run, limits: object) => machine.control.run({ wallMs, ...limits }, never);

function randomBreakpoint(random: (below: number) => number) {
  const type = ['exec', 'read', 'write', 'change'][random(4)] ?? 'exec';
  const code = [0xc01e, 0xc020, 0xc030, 0xc04a, 0xc055, 0xea81];
  const data = [0x02, 0xfb, 0xfd, 0xfe, 0x1ee, 0x1f0, 0x0400, 0x03f0, 0x5000, 0xd020, 0xd019, 0xdc04, 0xc043];
  const places = type === 'exec' ? code : data;
  const address = BigInt((places[random(places.length)] ?? 0) + random(3));
  const number = type === 'exec' ? 'Y' : 'value';
  const conditions = [undefined, 'raster_line > 150', 'A == 3 || X == 7', `${number} > 200`, '[$02] == 5', 'cycle < 0'];
  return { ...spec, type, address, length: 1 + random(6), condition: conditions[random(conditions.length)] };
}

/** Of what is not the processor's: where the beam is, chips, interrupts, collisions, and several of these together. */
function randomStateBreakpoint(random: (below: number) => number, which?: number): BreakpointSpec {
  const raster = { type: 'raster', address: BigInt(random(312)), length: 1 };
  const wide = { ...raster, address: BigInt(random(280)), length: 1 + random(30) };
  const write = { type: 'chip_write', chip: 'vic2', address: BigInt([0x20, 0x19, 0][random(3)] ?? 0), length: 1 };
  const collision = { type: ['sprite_sprite', 'sprite_background'][random(2)] ?? '', address: 0n, length: 1 };
  const condition = ['X > 100', '[$02] == 5', '(A & 1) == 0', 'sprite_x[1] > 80 && raster_cycle < 30'][random(4)] ?? '';
  const trees: readonly BreakpointTree[] = [
    { operator: 'and', of: [wide, { condition }] },
    { operator: 'or', of: [raster, { operator: 'and', of: [write, wide] }, collision] },
    { operator: 'and', of: [write, { condition }] },
    {
      operator: 'or',
      of: [
        { type: 'irq', address: 0n, length: 1 },
        { operator: 'and', of: [wide, { condition }] },
      ],
    },
  ];
  const some: readonly Partial<BreakpointSpec>[] = [
    raster,
    { ...raster, condition },
    { ...wide, each: true },
    write,
    { ...write, condition: 'value != old_value' },
    { type: 'irq', address: 0n },
    { ...collision, type: 'sprite_sprite' },
    { ...collision, mask: 2 },
    ...trees.map((tree) => ({ type: 'composite', address: 0n, tree })),
  ];
  return { ...spec, ...(some[(which ?? random(99)) % some.length] ?? raster) } as BreakpointSpec;
}

describe('what is watched makes no difference', { timeout: 120_000 }, () => {
  test('to the machine, and is met as often as if every cycle were run', async () => {
    const [plain, fast, slow] = [await start(false), await start(false), await start(true)];
    const random = generator(7);
    const specs = [
      ...Array.from({ length: 24 }, () => ({ ...randomBreakpoint(random), logOnly: true })),
      ...Array.from({ length: 24 }, (_, index) => ({ ...randomStateBreakpoint(random, index), logOnly: true })),
    ];
    for (const each of [fast, slow]) {
      for (const one of specs) await each.machine.breakpoints.set(one);
      each.machine.control.interrupts.switch(true);
    }
    for (const each of [plain, fast, slow]) await run(each, { frames: 6 });
    const [state, same, other] = [fast, plain, slow].map(({ machine }) => machine.control.board.snapshot());
    for (const another of [same, other]) {
      const differing = c64Layout.fields.filter(({ name, offset, width, length }) => {
        const [one, two] = [state, another].map((bytes) => bytes?.subarray(offset, offset + width * length).join());
        return one !== two && !putOff.includes(name);
      });
      expect(differing.map(({ name }) => name)).toEqual([]);
    }
    const hits = async (each: Run) => (await each.machine.breakpoints.list()).map((breakpoint) => breakpoint.hits);
    expect(await hits(fast)).toEqual(await hits(slow));
    expect((await hits(fast)).filter((count) => count > 0).length).toBeGreaterThan(20);
    const met = (await fast.machine.breakpoints.list()).filter((each) => each.hits > 0).map(({ type }) => type);
    expect(met).toEqual(expect.arrayContaining(['raster', 'chip_write', 'irq', 'sprite_sprite', 'composite']));
    expect(fast.events).toEqual(slow.events);
    expect(fast.machine.control.interrupts.entries).toEqual(slow.machine.control.interrupts.entries);
    expect(fast.machine.control.interrupts.total).toBeGreaterThanOrEqual(6);
  });

  test('to where runs stop and what they say, forwards and backwards', async () => {
    const random = generator(11);
    const [fast, slow] = [await start(false), await start(true)];
    let stops = 0;
    for (let round = 0; round < 60; round++) {
      const spec = round % 2 === 0 ? randomBreakpoint(random) : randomStateBreakpoint(random);
      const limits =
        random(3) === 0
          ? { condition: `X == ${random(256)} && raster_line > ${random(300)}`, frames: 2 }
          : random(3) === 0
            ? { address: BigInt([0xc01c, 0xea81, 0xc05a][random(3)] ?? 0), frames: 2 }
            : { cycles: 1000 + random(30_000) };
      const back = random(4) === 0;
      const results = [];
      for (const each of [fast, slow]) {
        const { id } = await each.machine.breakpoints.set(spec);
        const stop = await run(each, { ...limits, back });
        await each.machine.breakpoints.delete(id);
        const { seq: _, ...rest } = stop;
        results.push({ ...rest, cycles: each.machine.control.board.cycles, pc: each.machine.control.pc });
      }
      expect(results[0]).toEqual(results[1]);
      if (results[0]?.cause === 'breakpoint') stops++;
    }
    expect(stops).toBeGreaterThan(20);
  });
});

test('a condition stops where it would if it were asked before every instruction', { timeout: 120_000 }, async () => {
  const random = generator(23);
  const [clever, plain] = [await start(false), await start(false)];
  const parts = [
    () => `raster_line == ${random(312)}`,
    () => `raster > ${random(312)}`,
    () => `(raster & 7) == ${random(8)}`,
    () => `X == ${random(256)}`,
    () => `(A & 3) == ${random(4)}`,
    () => `P >= ${128 * random(2)}`,
    () => `[$02] > ${random(255)}`,
    () => `[counter] == ${random(256)}`,
    () => `sprite_x[1] > ${random(250)}`,
    () => `[$d012] > ${random(200)}`,
    () => `raster_cycle < ${random(63)}`,
    () => `PC == work`,
  ];
  const part = () => (parts[random(parts.length)] as () => string)();
  let stops = 0;
  for (let round = 0; round < 80; round++) {
    const condition = Array.from({ length: 1 + random(3) }, part).join(random(4) === 0 ? ' || ' : ' && ');
    const back = random(5) === 0;
    const isBreakpoint = random(4) === 0;
    const results = [];
    // Nothing can be known of a sum with the cycle in it before it is asked.
    for (const [each, asked] of [
      [clever, condition],
      [plain, `(${condition}) + (cycle < 0) != 0`],
    ] as const) {
      const tree: BreakpointTree = {
        operator: 'and',
        of: [{ condition: asked }, { condition: asked }],
      };
      const set = { ...spec, type: 'composite', address: 0n, tree };
      const { id } = isBreakpoint ? await each.machine.breakpoints.set(set) : { id: 0 };
      await run(each, { ...(!isBreakpoint && { condition: asked }), frames: 2, back });
      if (isBreakpoint) await each.machine.breakpoints.delete(id);
      const { cause } = each.machine.control.stop ?? {};
      results.push({ condition, cause, cycles: each.machine.control.board.cycles, pc: each.machine.control.pc });
    }
    expect(results[0]).toEqual(results[1]);
    if (results[0]?.cause !== 'limit') stops++;
  }
  expect(stops).toBeGreaterThan(30);
});

test('lines are told of within a run as they are where a run ends at each', { timeout: 120_000 }, async () => {
  const random = generator(31);
  const parts = ['A > 200', '(X & 3) == 1', 'Y < 20', '[$02] == 7', 'SP < $f2', 'raster > 100', 'sprite_x[1] > 60'];
  let stops = 0;
  let hits = 0;
  for (let round = 0; round < 40; round++) {
    const [within, ending] = [await start(false), await start(false)];
    const lines = { type: 'raster', address: BigInt(random(200)), length: 1 + random(112), each: random(4) > 0 };
    const condition = parts[random(parts.length)];
    const logOnly = random(2) === 0;
    const limits = random(2) === 0 ? { frames: 2 } : { cycles: 10_000 + random(30_000) };
    const other = random(3) === 0 ? { ...randomBreakpoint(random), condition: 'A == $1ff' } : undefined;
    const results = [];
    const states: Uint8Array[] = [];
    // A condition of the present cycle can be asked only where a run has ended.
    for (const [each, asked] of [
      [within, condition],
      [ending, `${condition} && cycle >= 0`],
    ] as const) {
      await run(each, { cycles: 40_000 });
      await each.machine.breakpoints.set({ ...spec, ...lines, condition: asked, logOnly });
      if (other) await each.machine.breakpoints.set(other);
      const { seq: _, ...stop } = await run(each, limits);
      const met = (await each.machine.breakpoints.list()).map((breakpoint) => breakpoint.hits);
      results.push({ stop, met, events: each.events });
      states.push(each.machine.control.board.snapshot());
    }
    expect(results[0]).toEqual(results[1]);
    expect(Buffer.compare(states[0] as Uint8Array, states[1] as Uint8Array)).toBe(0);
    if (results[0]?.stop.cause === 'breakpoint') stops++;
    hits += results[0]?.met[0] ?? 0;
  }
  expect(stops).toBeGreaterThan(8);
  expect(hits).toBeGreaterThan(100);
});

test('a breakpoint in a tight loop that only logs is told of a few times a frame, and counted', async () => {
  const each = await start(false);
  const loop = each.machine.addresses.symbols.address('loop') ?? 0n;
  await each.machine.breakpoints.set({ ...spec, type: 'exec', address: loop, logOnly: true });
  await run(each, { frames: 3 });
  const [breakpoint] = await each.machine.breakpoints.list();
  const single = each.events.filter(({ text }) => text.endsWith('INC $02'));
  const counted = each.events.filter(({ text }) => /^breakpoint 1 hit \d+ more times in frame \d+$/.test(text));
  const sum = counted.reduce((hits, { data }) => hits + Number(data?.hits), single.length);
  expect(breakpoint?.hits).toBeGreaterThan(500);
  expect(sum).toBe(breakpoint?.hits);
  expect(single.length).toBeLessThanOrEqual(100);
  expect(single[0]?.data).toMatchObject({ id: 1, type: 'exec', event: { pc: loop, instruction: 'INC $02' } });
});
