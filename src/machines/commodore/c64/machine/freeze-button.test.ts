import { expect, test } from 'vitest';
import { crtFile } from '../../../../formats/commodore/media/crt-testing.ts';
import { bareHost } from '../../machine/host-testing.ts';
import { c64Roms } from '../../roms/c64-roms.generated.ts';
import { C64Board } from '../c64-board.ts';
import { C64Machine } from './c64-machine.ts';

const never = new AbortController().signal;

/** An Action Replay whose ROM counts at $02 when it is frozen into, and does nothing else. */
function freezer(): Uint8Array {
  const file = crtFile(
    1,
    0,
    1,
    [0, 1, 2, 3].map((bank) => ({ bank, address: 0x8000, fill: 0xea })),
  );
  const rom = 0x40 + 16;
  file.set([0xe6, 0x02, 0x4c, 0x02, 0xe0], rom);
  file.set([0x00, 0xe0], rom + 0x1ffa);
  return file;
}

test('the key freeze presses the button of the cartridge, which takes over when the registers are saved', async () => {
  const board = new C64Board({ roms: c64Roms });
  const machine = new C64Machine(board, bareHost(), []);
  await expect(machine.keyboard?.press(['freeze'], 3, never)).rejects.toThrow('no cartridge with a freeze button');
  await machine.media?.attach('cartridge', { name: 'ar.crt', bytes: freezer(), readOnly: false });
  await machine.control.run({ frames: 150, wallMs: 60_000 }, never);
  const { pc } = machine.cpu;
  expect(pc).not.toBe(0xe002n);
  const before = board.ram[2] ?? 0;
  await machine.keyboard?.press(['freeze'], 3, never);
  expect(machine.cpu.pc).toBe(0xe002n);
  expect(board.ram[2]).toBe(before + 1);
  const stack = 0x100 + (board.cpu.state[3] ?? 0);
  const saved = (board.ram[stack + 2] ?? 0) | ((board.ram[stack + 3] ?? 0) << 8);
  expect(saved).toBeGreaterThan(0x200);
});
