import { describe, expect, it } from 'vitest';
import { I8259Pair, stateWords } from './i8259-pair.ts';

/** As a BIOS leaves it: vectors 08h and 70h, slave on IR2, everything unmasked. */
function initialised(icw4 = 1) {
  const state = new Int32Array(stateWords);
  const edges: number[] = [];
  const pair = new I8259Pair(state, { int: (level) => edges.push(level) });
  pair.powerOn();
  for (const [port, value] of [
    [0x20, 0x11],
    [0x21, 0x08],
    [0x21, 0x04],
    [0x21, icw4],
    [0xa0, 0x11],
    [0xa1, 0x70],
    [0xa1, 0x02],
    [0xa1, icw4],
  ] as const)
    pair.write(port, value);
  return { pair, state, edges };
}

const register =
  (command: number) =>
  (pair: I8259Pair, port = 0x20) => {
    pair.write(port, command);
    return pair.read(port);
  };
const irr = register(0x0a);
const isr = register(0x0b);

describe('8259A pair', () => {
  it('gives vectors by priority and holds lower ones back until the end of interrupt', () => {
    const { pair } = initialised();
    pair.setIrq(3, 1);
    pair.setIrq(1, 1);
    expect(pair.int).toBe(true);
    expect(irr(pair)).toBe(0b1010);
    expect(pair.acknowledge()).toBe(9);
    expect([irr(pair), isr(pair), pair.int]).toEqual([0b1000, 0b0010, false]);
    pair.setIrq(0, 1);
    expect(pair.acknowledge()).toBe(8);
    pair.write(0x20, 0x20);
    expect(isr(pair)).toBe(0b0010);
    expect(pair.int).toBe(false);
    pair.write(0x20, 0x20);
    expect(pair.acknowledge()).toBe(11);
  });

  it('does not ask while masked, and keeps the request', () => {
    const { pair, edges } = initialised();
    pair.write(0x21, 0xff);
    pair.setIrq(4, 1);
    expect(pair.int).toBe(false);
    expect(pair.read(0x21)).toBe(0xff);
    pair.write(0x21, 0xef);
    expect(edges).toEqual([1]);
    expect(pair.acknowledge()).toBe(12);
  });

  it('passes the slave through IR2; both need an end of interrupt', () => {
    const { pair } = initialised();
    pair.setIrq(12, 1);
    pair.setIrq(8, 1);
    expect(pair.acknowledge()).toBe(0x70);
    expect([isr(pair), isr(pair, 0xa0)]).toEqual([4, 1]);
    pair.write(0xa0, 0x20);
    expect(pair.int).toBe(false);
    pair.write(0x20, 0x20);
    expect(pair.acknowledge()).toBe(0x74);
  });

  it('answers spuriously with IR7 when the request went away, without putting it in service', () => {
    const { pair, state } = initialised();
    pair.setIrq(5, 1);
    const before = state.slice();
    pair.setIrq(5, 0);
    expect(pair.int).toBe(false);
    expect(pair.acknowledge()).toBe(15);
    expect(isr(pair)).toBe(0);
    expect(before).not.toEqual(state);
    pair.setIrq(9, 1);
    pair.slave.setLine(1, 0);
    expect(pair.acknowledge()).toBe(15);
  });

  it('needs a new edge in edge mode, none in level mode', () => {
    const { pair } = initialised();
    pair.setIrq(6, 1);
    pair.acknowledge();
    pair.write(0x20, 0x66);
    expect(pair.int).toBe(false);
    pair.setIrq(6, 0);
    pair.setIrq(6, 1);
    expect(pair.int).toBe(true);
    pair.write(0x20, 0x19);
    pair.write(0x21, 8);
    pair.write(0x21, 4);
    pair.write(0x21, 1);
    expect(pair.acknowledge()).toBe(14);
    pair.write(0x20, 0x20);
    expect(pair.int).toBe(true);
  });

  it('ends interrupts on its own with auto EOI, and rotates when told so', () => {
    const { pair } = initialised(3);
    pair.setIrq(1, 1);
    expect(pair.acknowledge()).toBe(9);
    expect(isr(pair)).toBe(0);
    pair.write(0x20, 0x80);
    pair.setIrq(3, 1);
    pair.acknowledge();
    pair.setIrq(0, 1);
    pair.setIrq(4, 1);
    expect(pair.acknowledge()).toBe(12);
  });

  it('rotates, polls and unmasks by special mask', () => {
    const { pair } = initialised();
    pair.write(0x20, 0xc3);
    pair.setIrq(0, 1);
    pair.setIrq(5, 1);
    expect(pair.acknowledge()).toBe(13);
    pair.write(0x20, 0x68);
    pair.write(0x21, 0x20);
    expect(pair.int).toBe(true);
    pair.write(0x20, 0x0c);
    expect(pair.read(0x20)).toBe(0x80);
    pair.write(0x20, 0x0c);
    expect(pair.read(0x20)).toBe(0);
  });
});
