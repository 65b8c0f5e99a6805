import { expect, it } from 'vitest';
import { stateWords } from './fields.ts';
import { Ns16550 } from './ns16550.ts';
import { SerialMouse, serialMouseWords } from './serial-mouse.ts';

function mouse() {
  const clock = { now: 0 };
  const device: SerialMouse = new SerialMouse(new Int32Array(serialMouseWords), {
    send: (bytes) => uart.receive(bytes),
  });
  const uart = new Ns16550(new Int32Array(stateWords), {
    now: () => clock.now,
    instructionsPerSecond: 4_000_000,
    irq() {},
    transmit() {},
    control: (lines) => device.control(lines),
  });
  uart.powerOn();
  device.powerOn();
  const bytes = () => {
    const read: number[] = [];
    for (let next = uart.nextEvent(); next < Number.POSITIVE_INFINITY; next = uart.nextEvent()) {
      clock.now = next;
      uart.catchUp(next);
      if ((uart.read(5) & 1) !== 0) read.push(uart.read(0));
    }
    return read;
  };
  return { device, uart, bytes };
}

it('says M when it gets power, nothing before', () => {
  const { device, uart, bytes } = mouse();
  device.move(3, 3, 0);
  uart.write(4, 1);
  expect(bytes()).toEqual([]);
  uart.write(4, 0x0b);
  expect(bytes()).toEqual([0x4d]);
  uart.write(4, 0x01);
  uart.write(4, 0x0b);
  expect(bytes()).toEqual([0x4d]);
});

it('sends movements and buttons, long ways in several packets', () => {
  const { device, uart, bytes } = mouse();
  uart.write(4, 0x0b);
  bytes();
  device.move(5, -2, 1);
  expect(bytes()).toEqual([0x6c, 5, 0x3e]);
  device.move(200, 0, 2);
  expect(bytes()).toEqual([0x51, 0x3f, 0, 0x51, 0x09, 0]);
  device.move(0, 0, 0);
  expect(bytes()).toEqual([0x40, 0, 0]);
});
