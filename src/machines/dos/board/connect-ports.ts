import type { ParallelPort } from './parallel-port.ts';
import type { PcBoard } from './pc-board.ts';
import type { PortDevice } from './port-map.ts';
import { hasBlaster, hasOpl3 } from './sound-cards.ts';

const serialPorts = [0x3f8, 0x2f8] as const;

/** Which device answers at which port. */
export function connectPorts(board: PcBoard, parallel: ParallelPort): void {
  const add = (first: number, last: number, device: PortDevice) => board.ports.add(first, last, device);
  const timed = (device: PortDevice) => ({
    read: (port: number) => {
      const value = device.read(port);
      board.reschedule();
      return value;
    },
    write: (port: number, value: number) => {
      device.write(port, value);
      board.reschedule();
    },
  });
  const dma = {
    // What the card has taken by now shows in the counters.
    read: (port: number) => {
      board.blaster.catchUp(board.cpu.instructions);
      return board.dma.read(port);
    },
    write: (port: number, value: number) => {
      board.blaster.catchUp(board.cpu.instructions);
      board.dma.write(port, value);
      board.reschedule();
    },
  };
  add(0x00, 0x0f, dma);
  add(0x80, 0x8f, dma);
  // A Tandy's sound is where an AT has its second controller.
  if (board.sound === 'tandy') add(0xc0, 0xc7, { read: () => 0xff, write: (_port, value) => board.tandy.write(value) });
  else add(0xc0, 0xdf, dma);
  add(0x20, 0x21, board.pic);
  add(0xa0, 0xa1, board.pic);
  add(0x40, 0x43, {
    read: (port) => board.pit.read(port),
    write: (port, value) => {
      if (port >= 0x42) board.speaker.catchUp(board.cpu.instructions);
      board.pit.write(port, value);
      board.reschedule();
    },
  });
  const keyboard = timed(board.kbc);
  add(0x60, 0x60, keyboard);
  add(0x64, 0x64, keyboard);
  add(0x61, 0x61, { read: () => board.speaker.read(), write: (_port, value) => board.speaker.write(value) });
  add(0x70, 0x71, timed(board.rtc));
  add(0x92, 0x92, {
    read: () => board.kbc.readPort92(),
    write: (_port, value) => board.kbc.writePort92(value),
  });
  if (board.fpu) add(0xf0, 0xf1, { read: () => 0xff, write: (port) => clearCoprocessor(board, port === 0xf1) });
  add(0x201, 0x201, { read: () => board.gameport.read(), write: () => board.gameport.write() });
  board.serial.forEach((uart, index) => {
    const first = serialPorts[index] ?? 0;
    add(first, first + 7, timed(uart));
  });
  add(0x378, 0x37a, parallel);
  if (hasBlaster(board.sound)) {
    add(0x224, board.sound === 'sb16' ? 0x22f : 0x22e, timed(board.blaster));
    add(0x228, 0x229, board.opl);
  }
  if (hasOpl3(board.sound)) {
    add(0x220, 0x223, board.opl);
    add(0x388, 0x38b, board.opl);
  } else if (board.sound !== 'none' && board.sound !== 'tandy') add(0x388, 0x389, board.opl);
  add(0x330, 0x331, board.mpu);
  const floppy = timed(board.fdc);
  add(0x3f0, 0x3f5, floppy);
  add(0x3f7, 0x3f7, floppy);
  for (const { data, channel } of [
    { data: 0x1f0, channel: board.ata },
    { data: 0x170, channel: board.atapi },
  ]) {
    add(data, data + 7, {
      ...timed(channel),
      readWide: (port, width) => (port === data ? rescheduled(board, channel.readData(width)) : undefined),
      writeWide: (port, width, value) => {
        if (port !== data) return false;
        channel.writeData(width, value);
        board.reschedule();
        return true;
      },
    });
    const write = (_port: number, value: number) => channel.writeControl(value);
    add(data + 0x206, data + 0x206, { read: () => channel.alternateStatus, write });
  }
  add(0x1ce, 0x1cf, board.vga);
  add(0x3b0, 0x3df, board.vga);
}

function rescheduled(board: PcBoard, value: number): number {
  board.reschedule();
  return value;
}

/** Ports F0h and F1h: the latch of the error line, and reset as well. */
function clearCoprocessor({ pic, fpu }: PcBoard, resets: boolean): void {
  pic.setIrq(13, 0);
  if (resets) fpu?.powerOn();
}
