import { expect, test } from 'vitest';
import { generalNames } from './registers.ts';
import { dependsOn } from './touches.ts';
import { type Bench, codeSegment, describe, makeBench, setVector, start } from './x86-testing.ts';

/** Instructions without jumps; `disp` is filled with an address of data, or now and then of code. */
const plain = [
  '40',
  '4b',
  '41',
  '01d8',
  '29d1',
  '11c2',
  '19d3',
  '31c8',
  '0d3412',
  '83e37f',
  '3b0edddd',
  '8907',
  '8b0edddd',
  'a3dddd',
  'a1dddd',
  '88066666',
  'fe06dddd',
  '8006dddd11',
  '8136dddd0ff0',
  'd1e0',
  'd3c2',
  'd0f8',
  'f7e3',
  'f6e1',
  '99',
  '98',
  '50',
  '58',
  '9c',
  '9d',
  '91',
  '87da',
  'f8',
  'f9',
  'f5',
  'fd',
  'fc',
  'fb',
  '8ed8',
  '90',
  'f7db',
  'f6d4',
  'ac',
  'aa',
  'a5',
  'f2ae',
  '6601c8',
  '660faf c3',
  '0fb6c8',
  '0fa3c3',
  '27',
  'd40a',
  '9e',
  '9f',
  'e410',
  'e620',
  'f6f1',
  'f7f9',
  'c606dddd40',
  'c706ddddeb01',
]; // prettier-ignore

function randomFrom(seed: number): (below: number) => number {
  let value = seed;
  return (below) => {
    value = (Math.imul(value, 1103515245) + 12345) >>> 0;
    return (value >>> 8) % below;
  };
}

/** Code of `length` bytes with jumps and calls that stay inside it; it ends by jumping to its start. */
function randomProgram(seed: number, length: number): string {
  const random = randomFrom(seed);
  const word = (value: number) =>
    (value & 0xff).toString(16).padStart(2, '0') + ((value >> 8) & 0xff).toString(16).padStart(2, '0');
  let text = '';
  const at = () => text.replace(/ /g, '').length / 2;
  while (at() < length) {
    const kind = random(20);
    const target = random(length);
    if (kind === 0) text += (0x70 + random(16)).toString(16) + random(20).toString(16).padStart(2, '0');
    else if (kind === 1) text += `e2${(256 - 2 - random(Math.min(at() + 1, 40))).toString(16).padStart(2, '0')}`;
    else if (kind === 2) text += `e8${word(target - at() - 3)}`;
    else if (kind === 3 && random(2) === 0) text += 'c3';
    else if (kind === 4 && random(3) === 0) text += `b8${word(start + target)}ffe0`;
    else if (kind === 5 && random(3) === 0) text += 'cd21';
    else {
      const data = random(25) === 0 ? start + target : 0x4000 + random(0x1000);
      text += (plain[random(plain.length)] as string).replace('dddd', word(data)).replace('6666', word(data));
    }
  }
  return `${text} e9${word(-at() - 3)}`;
}

const restartEvery = 60;

interface Outcome {
  readonly state: number[];
  readonly ram: Uint8Array;
  readonly graph: string[];
  readonly ends: string;
  /** Instructions that the graph knows nothing of. */
  readonly missing: number;
}

/** Runs a program to a count, in pieces of a length, with interrupts at fixed counts. */
function play(
  seed: number,
  total: number,
  piece: (random: (below: number) => number) => number,
  { saveAt = -1, compileAfter = Number.POSITIVE_INFINITY } = {},
): Outcome {
  const bench = makeBench(randomProgram(seed, 240), { compileAfter });
  let saves = saveAt > 0;
  const { cpu, ram, state } = bench;
  for (let vector = 0; vector < 0x22; vector += 1) setVector(bench, vector, 0x2000);
  bench.put(0x2000, '43 cf');
  for (let offset = 0x4000; offset < 0x5000; offset += 1) ram[(codeSegment << 4) + offset] = (offset * seed) & 0xff;
  const [interrupts, slices] = [randomFrom(seed + 1), randomFrom(seed + 2)];
  const restarts = randomFrom(seed + 3);
  let ends = '';
  let nextInterrupt = interrupts(200);
  let lineOff = -1;
  while (cpu.instructions < total) {
    // Programs get lost sooner or later.
    if (cpu.instructions % restartEvery === 0) {
      for (const name of ['cs', 'ds', 'es', 'ss']) cpu.set(name, codeSegment);
      for (const [name, value] of [
        ['eip', start + restarts(200)],
        ['esp', 0x8000],
        ['ecx', 5],
        ['esi', 0x4100],
        ['edi', 0x4200],
      ] as const) {
        cpu.set(name, value);
      }
    }
    const restart = (Math.floor(cpu.instructions / restartEvery) + 1) * restartEvery;
    const event = Math.min(lineOff > 0 ? lineOff : nextInterrupt, restart);
    if (saves && cpu.instructions >= saveAt) {
      saves = false;
      const graph = structuredClone(cpu.saveGraph());
      cpu.forgetGraph();
      cpu.restoreGraph(graph);
    }
    const { reason } = cpu.run(Math.min(event, total, cpu.instructions + piece(slices)));
    if (reason !== 'count') {
      ends = reason;
      break;
    }
    if (cpu.instructions !== (lineOff > 0 ? lineOff : nextInterrupt)) continue;
    cpu.setInterruptLine(lineOff < 0);
    if (lineOff < 0) lineOff = event + 3;
    else {
      lineOff = -1;
      nextInterrupt = event + 1 + interrupts(300);
    }
  }
  let executions = 0;
  for (const { nodes } of cpu.graph.blocks) for (const node of nodes) executions += cpu.graph.executions(node);
  return {
    state: [...state],
    ram,
    graph: describe(cpu.graph),
    ends,
    missing: cpu.instructions - executions - cpu.extraRounds,
  };
}

test.for(Array.from({ length: 10 }, (_, index) => index + 1))(
  'program %i runs the same in one piece, in many, and compiled',
  (seed) => {
    const whole = play(seed, 2000, () => 2000);
    const steps = play(seed, 2000, () => 1);
    const pieces = play(seed, 2000, (random) => 1 + random(50));
    expect(steps.state).toEqual(whole.state);
    expect(Buffer.compare(steps.ram, whole.ram)).toBe(0);
    expect(steps.graph).toEqual(whole.graph);
    expect(steps.ends).toBe(whole.ends);
    if (whole.ends === '') expect(whole.missing).toBe(0);
    expect(pieces.state).toEqual(whole.state);
    expect(pieces.graph).toEqual(whole.graph);
    const compiled = play(seed, 2000, (random) => 1 + random(500), { compileAfter: 2 });
    expect(compiled.state).toEqual(whole.state);
    expect(Buffer.compare(compiled.ram, whole.ram)).toBe(0);
    expect(compiled.graph).toEqual(whole.graph);
  },
);

// A: call F; nop; call F; nop; inc cx; jmp A. F: inc ax; every 16th time it returns after the nop.
test.for([
  ['near', 'e80900 90 e80500 90 41 ebf5 90', '40 a80f 7503 5a4252 c3'],
  // With LES DX,[4000] before the INC.
  ['far', `9a20010010 90 9a20010010 90 c4160040 41 ebed${'90'.repeat(13)}`, '40 a80f 7503 5a4252 cb'],
] as const)('compiled %s returns to several calls, and now and then elsewhere, are as interpreted ones', ([, a, f]) => {
  const [interpreted, compiled] = [Number.POSITIVE_INFINITY, 2].map((compileAfter) => {
    const { cpu, state, ram, put } = makeBench(`${a} ${f}`, { compileAfter });
    put(0x4000, '3412 7856');
    cpu.run(5000);
    const calls = [...cpu.graph.blocks].flatMap(({ out }) => out.filter(({ type }) => type === 'call'));
    const counts = calls.map(({ returns, misaligned }) => [returns, misaligned]).sort();
    return { graph: describe(cpu.graph), calls: counts, state: [...state], stack: [...ram.subarray(0x1ff00, 0x20000)] };
  });
  expect(interpreted?.calls).toHaveLength(2);
  expect(compiled).toEqual(interpreted);
});

test('a saved graph goes on as if nothing had happened', () => {
  const whole = play(18, 2000, () => 2000);
  const saved = play(18, 2000, () => 2000, { saveAt: 1000 });
  expect(saved.state).toEqual(whole.state);
  expect(saved.graph.sort()).toEqual(whole.graph.sort());
});

test('a run stops before the instruction at which a condition holds, as steps would find it', () => {
  const bench = (seed: number) => {
    const made = makeBench(randomProgram(seed, 240), { compileAfter: 3 });
    for (let vector = 0; vector < 0x22; vector += 1) setVector(made, vector, 0x2000);
    made.put(0x2000, '43 cf');
    return made;
  };

  const questions: readonly [(bench: Bench) => boolean, number | undefined][] = [
    [({ cpu }) => (cpu.get('bx') & 3) === 1 && (cpu.get('flags') & 1) === 0, undefined],
    [({ cpu }) => (cpu.get('bx') & 3) === 1 && (cpu.get('flags') & 1) === 0, (1 << 3) | dependsOn.flags],
    ...[0, 1, 2, 5, 6, 7].map((register): [(bench: Bench) => boolean, number] => [
      ({ cpu }) => (cpu.get(generalNames[16][register] as string) & 7) === 5,
      1 << register,
    ]),
    [({ cpu }) => (cpu.get('sp') & 6) === 4 && (cpu.get('flags') & 0x40) !== 0, (1 << 4) | dependsOn.flags],
    [({ cpu, memory }) => (memory.peek8(0x10000 + cpu.get('sp')) & 3) === 1, (1 << 4) | dependsOn.memory],
    [({ cpu }) => (cpu.get('es') & 1) === 1, dependsOn.segments],
  ];
  let stops = 0;
  for (let seed = 1; seed <= 33; seed += 1) {
    const [stepped, run] = [bench(seed), bench(seed)];
    const [wanted, depends] = questions[seed % questions.length] as (typeof questions)[number];
    run.cpu.stopWhen(() => Number(wanted(run)), depends);
    for (let round = 0; round < 40; round += 1) {
      const { reason } = run.cpu.run(1500);
      let end = stepped.cpu.step().reason;
      const goesOn = () => stepped.cpu.isRepeating || !wanted(stepped);
      while (end === 'count' && stepped.cpu.instructions < 1500 && goesOn()) end = stepped.cpu.step().reason;
      expect(run.cpu.instructions).toBe(stepped.cpu.instructions);
      expect([...run.state]).toEqual([...stepped.state]);
      if (reason !== 'condition') break;
      stops += 1;
    }
  }
  expect(stops).toBeGreaterThan(100);
});

test('a condition keeps the instruction after MOV SS from being interrupted', () => {
  // sti; nop; mov ss,ax; nop; nop; hlt
  const bench = makeBench('fb 90 8ed0 90 90 f4');
  setVector(bench, 8, 0x200);
  bench.put(0x200, 'f4');
  const { cpu, memory } = bench;
  cpu.set('ax', 0x1000);
  cpu.run(2);
  cpu.stopWhen(() => Number(cpu.get('ip') === 0x104));
  cpu.setInterruptLine(false);
  expect(cpu.run(10).reason).toBe('condition');
  cpu.stopWhen(null);
  cpu.setInterruptLine(true);
  cpu.run(cpu.instructions + 1);
  expect(cpu.get('ip')).toBe(0x200);
  const returnsTo = memory.peek8(0x10000 + cpu.get('sp')) | (memory.peek8(0x10001 + cpu.get('sp')) << 8);
  expect(returnsTo).toBe(0x105);
});

test.each([
  // inc word [2000]; nop; nop; jmp 100
  ['memory', 'ff060020 90 90 ebf8', dependsOn.memory, 0x104, ({ ram }: Bench) => ram[0x12000] === 50],
  // push ax; inc ax; pop bx; nop; jmp 100
  ['the stack', '50 40 5b 90 ebfa', dependsOn.memory, 0x101, ({ ram }: Bench) => ram[0x1fffc] === 50],
  // inc al; mov [2000],al; mov si,2000; mov di,3000; movsb; nop; jmp 100
  [
    'moved bytes',
    'fec0 a20020 be0020 bf0030 a4 90 ebf1',
    dependsOn.memory,
    0x10c,
    ({ ram }: Bench) => ram[0x13000] === 50,
  ],
  // inc ax; nop; mov es,ax; nop; jmp 100
  ['segments', '40 90 8ec0 90 ebf9', dependsOn.segments, 0x104, ({ cpu }: Bench) => cpu.get('es') === 50],
  // inc ax; nop; nop; jmp 100
  ['a register', '40 90 90 ebfb', 1, 0x101, ({ cpu }: Bench) => cpu.get('ax') === 50],
])('a condition on %s is asked in a loop where that changes', (_what, code, depends, ip, holds) => {
  const bench = makeBench(code);
  for (const segment of ['ds', 'es', 'ss']) bench.cpu.set(segment, codeSegment);
  bench.cpu.set('sp', 0xfffe);
  bench.cpu.stopWhen(() => Number(holds(bench)), depends);
  expect([bench.cpu.run(5000).reason, bench.cpu.get('ip')]).toEqual(['condition', ip]);
});
