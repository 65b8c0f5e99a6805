import { expect, test } from 'vitest';
import { Acia6551 } from './acia6551.ts';
import { aciaFields, aciaWords } from './fields.ts';

const clockHz = 1_773_447;

function bench(isConnected = true) {
  const sent: number[] = [];
  const state = new Int32Array(aciaWords);
  const acia = new Acia6551(state, { send: (byte) => sent.push(byte), isConnected }, clockHz);
  acia.reset();
  return { acia, sent, irq: () => state[aciaFields.irq] };
}

test('sends in the time that the bits take, one byte after the other', () => {
  const { acia, sent } = bench();
  acia.write(3, 0x1f); // 19,200 bits a second, 8 data bits, one stop bit
  acia.write(2, 0x0b);
  acia.write(0, 0x41);
  expect(acia.read(1) & 0x10).toBe(0x10);
  acia.write(0, 0x42);
  expect(acia.read(1) & 0x10).toBe(0);
  const byte = Math.round((10 * clockHz) / 19_200);
  expect(acia.quietCycles()).toBe(byte - 1);
  acia.catchUp(byte - 1);
  expect(sent).toEqual([]);
  acia.catchUp(1);
  expect(sent).toEqual([0x41]);
  expect(acia.read(1) & 0x10).toBe(0x10);
  acia.catchUp(byte);
  expect(sent).toEqual([0x41, 0x42]);
});

test('tells of bytes that come, by an interrupt if that is wanted, and of those that are lost', () => {
  const { acia, irq } = bench();
  acia.receive(1);
  expect(acia.read(1) & 0x08).toBe(0);
  acia.write(2, 0x09);
  acia.receive(0x55);
  expect([irq(), acia.peek(1) & 0x88]).toEqual([1, 0x88]);
  expect(acia.read(1) & 0x80).toBe(0x80);
  expect([irq(), acia.peek(1) & 0x88]).toEqual([0, 0x08]);
  acia.receive(0x66);
  expect(acia.peek(1) & 0x04).toBe(0x04);
  expect(acia.read(0)).toBe(0x55);
  expect(acia.peek(1) & 0x0c).toBe(0);
});

test('interrupts when it can take the next byte', () => {
  const { acia, irq } = bench();
  acia.write(3, 0x1e);
  acia.write(2, 0x05);
  acia.write(0, 1);
  expect(irq()).toBe(1);
});

test('a write to its status resets commands, and shows who is not there', () => {
  const { acia } = bench(false);
  acia.write(2, 0xef);
  acia.write(1, 0);
  expect(acia.read(2)).toBe(0xe2);
  expect(acia.read(1)).toBe(0x70);
});
