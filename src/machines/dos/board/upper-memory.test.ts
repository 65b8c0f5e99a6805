import { expect, test } from 'vitest';
import { Disk } from '../drives/fat/disk.ts';
import { SystemBench } from './system-testing.ts';

const sectors = 2880;

/** A floppy whose boot sector writes to C800:0000, reads it back into BL, and halts. */
function bootFloppy(): Disk {
  const image = new Uint8Array(sectors * 512);
  // mov ax,c800; mov ds,ax; mov byte [0],12; mov bl,[0]; hlt; jmp back to it
  image.set([0xb8, 0x00, 0xc8, 0x8e, 0xd8, 0xc6, 0x06, 0, 0, 0x12, 0x8a, 0x1e, 0, 0, 0xf4, 0xeb, 0xfd]);
  image.set([0x55, 0xaa], 510);
  return new Disk(image);
}

test('another system finds no memory between the video memory and the ROM', () => {
  const bench = new SystemBench({}, [], { disks: new Map([[0, bootFloppy()]]), bootFrom: 0 }).run(300_000);
  const { cpu } = bench.system.board;
  expect([cpu.get('cs'), cpu.get('bl')]).toEqual([0, 0xff]);
  bench.system.powerOn();
  expect(bench.run(300_000).system.board.cpu.get('bl')).toBe(0xff);
});

test('our own DOS has RAM there, after a snapshot too', () => {
  const { system } = new SystemBench({}, ['ver']).run(300_000);
  system.board.memory.write8(0xd8000, 0x34);
  const saved = { board: system.board.snapshot(), services: system.save() };
  system.powerOn();
  system.board.restore(saved.board);
  system.restore(saved.services);
  system.board.memory.write8(0xd8001, 0x56);
  expect([system.board.memory.peek8(0xd8000), system.board.memory.peek8(0xd8001)]).toEqual([0x34, 0x56]);
});
