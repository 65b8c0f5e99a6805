import { expect, test } from 'vitest';
import { disassemble } from './disassemble.ts';
import { Mos6510 } from './mos6510.ts';
import { opcodes } from './opcodes.ts';
import { fields, stateWords } from './registers.ts';

/** A processor on 64 KiB of RAM with `program` at $1000, handlers at $2000 (IRQ, BRK) and $3000 (NMI), and a bus log. */
function machine(...program: number[]) {
  const memory = new Uint8Array(0x10000).fill(0xea);
  memory.set(program, 0x1000);
  memory.set([0x00, 0x30, 0x00, 0x10, 0x00, 0x20], 0xfffa);
  const log: string[] = [];
  const hex = (value: number) => value.toString(16);
  const cpu = new Mos6510(new Int32Array(stateWords), {
    read(address) {
      log.push(`r${hex(address)}`);
      return memory[address] ?? 0;
    },
    write(address, value) {
      log.push(`w${hex(address)}=${hex(value)}`);
      memory[address] = value;
    },
  });
  cpu.powerUp();
  for (let i = 0; i < 7; i += 1) cpu.tick();
  cpu.state[fields.i] = 0;
  cpu.state[fields.s] = 0xfd;
  log.length = 0;
  const tick = (times = 1) => {
    for (let i = 0; i < times; i += 1) cpu.tick();
  };
  return {
    cpu,
    memory,
    log,
    tick,
    line: (name: 'irqLine' | 'nmiLine' | 'rdy', level: number) => (cpu.state[fields[name]] = level),
  };
}

/** The address of each opcode fetched in `cycles`, with the input line raised before cycle `at`. */
function fetches(program: number[], line: 'irqLine' | 'nmiLine', at: number, cycles: number): string[] {
  const m = machine(...program);
  const seen: string[] = [];
  for (let i = 0; i < cycles; i += 1) {
    if (i === at) m.line(line, 1);
    if (m.cpu.atInstruction) seen.push(m.cpu.state[fields.pc].toString(16));
    m.tick();
  }
  return seen;
}

test('reset reads the stack three times, then the vector', () => {
  const m = machine();
  m.cpu.reset();
  m.tick(7);
  expect(m.log.slice(1)).toEqual(['r1000', 'r1fd', 'r1fc', 'r1fb', 'rfffc', 'rfffd']);
  expect(m.cpu.state[fields.pc]).toBe(0x1000);
});

test('an interrupt is seen before the last cycle of an instruction, not in it', () => {
  // NOP NOP: asserted in the first cycle of the first it comes after it, in the second cycle one instruction later.
  expect(fetches([0xea, 0xea], 'irqLine', 0, 10)).toEqual(['1000', '1001', '2000']);
  expect(fetches([0xea, 0xea], 'irqLine', 1, 12)).toEqual(['1000', '1001', '1002', '2000']);
});

test('a taken branch within its page looks at the lines one cycle earlier', () => {
  const taken = [0x90, 0x00, 0xea, 0xea]; // BCC *+2
  expect(fetches(taken, 'irqLine', 0, 11)).toEqual(['1000', '1002', '2000']);
  expect(fetches(taken, 'irqLine', 1, 13)).toEqual(['1000', '1002', '1003', '2000']);
  expect(fetches(taken, 'nmiLine', 1, 13)).toEqual(['1000', '1002', '1003', '3000']);
});

test('CLI lets one more instruction run, SEI lets a pending interrupt through', () => {
  const cli = machine(0x58, 0xea, 0xea);
  cli.cpu.state[fields.i] = 1;
  cli.line('irqLine', 1);
  cli.tick(4);
  expect(cli.cpu.state[fields.pc]).toBe(0x1002);
  cli.tick(7);
  expect(cli.cpu.state[fields.pc]).toBe(0x2000);
  expect(fetches([0x78, 0xea], 'irqLine', 0, 10)).toEqual(['1000', '1001', '2000']);
  expect(fetches([0x78, 0xea], 'irqLine', 1, 8)).toEqual(['1000', '1001', '1002', '1003']);
});

test('an NMI takes a BRK over, and the pushed flags still say BRK', () => {
  const m = machine(0x00);
  m.tick(2);
  m.line('nmiLine', 1);
  m.tick(5);
  expect(m.cpu.state[fields.pc]).toBe(0x3000);
  expect((m.memory[0x1fb] ?? 0) & 0x10).toBe(0x10);
});

test('one instruction of a handler always runs before a late NMI', () => {
  const m = machine(0x00);
  m.tick(5);
  m.line('nmiLine', 1);
  m.tick(2);
  expect(m.cpu.state[fields.pc]).toBe(0x2000);
  m.tick(2);
  expect(m.cpu.state[fields.pc]).toBe(0x2001);
  m.tick(7);
  expect(m.cpu.state[fields.pc]).toBe(0x3000);
});

test('NMI is an edge: a line that stays low interrupts once', () => {
  const m = machine();
  m.line('nmiLine', 1);
  m.tick(100);
  expect(m.cpu.state[fields.nmiCount]).toBe(1);
  m.line('nmiLine', 0);
  m.tick();
  m.line('nmiLine', 1);
  m.tick(20);
  expect(m.cpu.state[fields.nmiCount]).toBe(2);
});

test('RDY holds reads up and lets writes pass', () => {
  const m = machine(0xee, 0x00, 0x40); // INC $4000
  m.tick(4);
  m.line('rdy', 0);
  m.tick(2);
  expect(m.log.slice(4)).toEqual(['w4000=ea', 'w4000=eb']);
  m.tick(5);
  expect(m.log.length).toBe(6);
  m.line('rdy', 1);
  m.tick();
  expect(m.log.at(-1)).toBe('r1003');
});

test('SHX drops its AND when RDY falls in the cycle before the write', () => {
  const run = (stall: boolean) => {
    const m = machine(0x9e, 0x00, 0x40); // SHX $4000,Y
    m.cpu.state[fields.x] = 0xff;
    m.cpu.state[fields.y] = 0x10;
    m.tick(3);
    if (stall) {
      m.line('rdy', 0);
      m.tick(3);
      m.line('rdy', 1);
    }
    m.tick(2);
    return m.memory[0x4010];
  };
  expect(run(false)).toBe(0x41);
  expect(run(true)).toBe(0xff);
});

test('ANE uses its other constant after a stall', () => {
  const run = (stall: boolean) => {
    const m = machine(0x8b, 0xff); // ANE #$FF
    m.cpu.state[fields.a] = 0;
    m.cpu.state[fields.x] = 0xff;
    m.tick();
    m.line('rdy', stall ? 0 : 1);
    m.tick(stall ? 2 : 0);
    m.line('rdy', 1);
    m.tick();
    return m.cpu.state[fields.a];
  };
  expect(run(false)).toBe(0xef);
  expect(run(true)).toBe(0xee);
});

test.for([0x02, 0x12, 0x22, 0x32, 0x42, 0x52, 0x62, 0x72, 0x92, 0xb2, 0xd2, 0xf2])(
  'opcode %i jams until reset',
  (opcode) => {
    const m = machine(opcode);
    m.line('nmiLine', 1);
    m.tick(50);
    expect(m.cpu.state[fields.jammed]).toBe(1);
    expect(m.cpu.state[fields.pc]).toBe(0x1000);
    m.cpu.reset();
    m.tick(7);
    expect(m.cpu.state[fields.jammed]).toBe(0);
  },
);

test('decimal ADC takes Z from the binary sum', () => {
  const m = machine(0xf8, 0xa9, 0x99, 0x69, 0x01); // SED, LDA #$99, ADC #$01
  m.tick(6);
  expect(m.cpu.state[fields.a]).toBe(0x00);
  expect(m.cpu.state[fields.c]).toBe(1);
  expect(m.cpu.status & 2).toBe(0);
});

test('a copy of the state continues in another instance, from every cycle', () => {
  const program = [0xa2, 0x05, 0xfe, 0x00, 0x40, 0x20, 0x10, 0x10, 0xca, 0xd0, 0xf7, 0x00];
  const one = machine(...program);
  one.memory.set([0x48, 0x68, 0x91, 0x20, 0x60], 0x1010);
  const moments: { state: Int32Array; memory: Uint8Array }[] = [];
  const step = (m: typeof one, cycle: number) => {
    m.line('irqLine', cycle % 37 === 0 ? 1 : 0);
    m.tick();
  };
  for (let cycle = 0; cycle < 300; cycle += 1) {
    moments.push({ state: one.cpu.state.slice(), memory: one.memory.slice() });
    step(one, cycle);
  }
  for (let start = 0; start < 260; start += 1) {
    const two = machine();
    two.memory.set(moments[start]?.memory ?? []);
    two.cpu.state.set(moments[start]?.state ?? []);
    for (let cycle = start; cycle < start + 40; cycle += 1) step(two, cycle);
    expect(two.cpu.state).toEqual(moments[start + 40]?.state ?? one.cpu.state);
    expect(Buffer.compare(two.memory, moments[start + 40]?.memory ?? one.memory)).toBe(0);
  }
});

test('the opcode table says how long each instruction takes', () => {
  for (const { opcode, cycles, length, pattern, mnemonic } of opcodes) {
    if (cycles === 0) continue;
    const m = machine(opcode, 0x10, 0x40);
    if (pattern === 'branch') m.cpu.status = ['BPL', 'BVC', 'BCC', 'BNE'].includes(mnemonic) ? 0xff : 0;
    let taken = 0;
    do {
      m.tick();
      taken += 1;
    } while (!m.cpu.atInstruction);
    expect([opcode, taken]).toEqual([opcode, cycles]);
    if (pattern !== 'own') expect(m.cpu.state[fields.pc]).toBe(0x1000 + length);
  }
});

test.for([
  [[0xa9, 0x05], 'LDA #$05'],
  [[0x0a], 'ASL A'],
  [[0x6c, 0x34, 0x12], 'JMP ($1234)'],
  [[0xb1, 0xfb], 'LDA ($FB),Y'],
  [[0xa1, 0xfb], 'LDA ($FB,X)'],
  [[0xd0, 0xfe], 'BNE $1000'],
  [[0x9f, 0x34, 0x12], 'SHA $1234,Y'],
  [[0x02], 'JAM'],
] as const)('disassembles %j', ([bytes, text]) => {
  expect(disassemble(bytes, 0x1000)).toMatchObject({ text, length: bytes.length });
});

test('a disassembly shows names for addresses', () => {
  const nameOf = (address: number) => (address === 0xffd2 ? 'CHROUT' : undefined);
  expect(disassemble([0x20, 0xd2, 0xff], 0x1000, nameOf)).toMatchObject({ text: 'JSR CHROUT', target: 0xffd2 });
});
