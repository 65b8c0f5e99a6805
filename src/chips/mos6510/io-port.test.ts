import { expect, test } from 'vitest';
import { IoPort, portFields, portStateWords } from './io-port.ts';

function port() {
  const state = new Int32Array(portStateWords);
  return { state, port: new IoPort(state) };
}

test('pins that are inputs are pulled up, except the motor', () => {
  const { port: io } = port();
  expect(io.banking).toBe(7);
  expect(io.read(1, 0)).toBe(0x17);
  io.write(0, 0x2f, 0);
  io.write(1, 0x37, 0);
  expect(io.read(1, 0)).toBe(0x37);
  io.write(1, 0x34, 0);
  expect(io.banking).toBe(4);
});

test('the datasette pulls its sense line low', () => {
  const { state, port: io } = port();
  io.write(0, 0x2f, 0);
  io.write(1, 0x37, 0);
  state[portFields.tapeSense] = 1;
  expect(io.read(1, 0)).toBe(0x27);
});

test('bits 6 and 7 keep their charge for a while when they become inputs', () => {
  const { port: io } = port();
  io.write(0, 0xff, 0);
  io.write(1, 0xc0, 0);
  io.write(0, 0x3f, 1000);
  expect(io.read(1, 1001) & 0xc0).toBe(0xc0);
  expect(io.read(1, 351_000) & 0xc0).toBe(0xc0);
  expect(io.read(1, 351_001) & 0xc0).toBe(0);
});

test('a charge outlives 2^31 cycles of uptime', () => {
  const { port: io } = port();
  const late = 2 ** 31 * 3 - 10;
  io.write(0, 0xff, late);
  io.write(1, 0x40, late);
  io.write(0, 0x3f, late);
  expect(io.read(1, late + 100) & 0xc0).toBe(0x40);
  expect(io.read(1, late + 400_000) & 0xc0).toBe(0);
});
