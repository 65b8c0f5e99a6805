import { expect, test } from 'vitest';
import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import { C64Board } from '../c64/c64-board.ts';
import { C64Machine } from '../c64/machine/c64-machine.ts';
import { bareHost } from '../machine/host-testing.ts';
import { c64Roms } from '../roms/c64-roms.generated.ts';

/** In place of a DOS: switches motor and light on and waits. */
const { bytes: driveRom } = assemble(`* = $c000
start   lda #$0c
        sta $1c02
        sta $1c00
        ldx #$41
        ldy #$42
wait    jmp wait
        * = $fffa
        .word start, start, start
`);

test('a 1541 under debug shows its processor, its head and its VIAs, and changes by nothing of it', async () => {
  const board = new C64Board({ roms: c64Roms, driveRoms: { 1541: driveRom } });
  const machine = new C64Machine(board, bareHost(), []);
  expect(machine.chips.chips.map(({ name }) => name)).not.toContain('drive8');
  board.drives.connect(8);
  await machine.control.run({ frames: 2, wallMs: 20_000 }, new AbortController().signal);
  const before = board.snapshot();
  const drive = machine.chips.chips.find(({ name }) => name === 'drive8');
  const { values } = (await drive?.read('registers', 0)) ?? {};
  expect(values).toMatchObject({ pc: '$C00C', instruction: 'JMP $C00C', x: '$41', y: '$42', motor: true, light: true });
  expect(values?.track).toBe(17);
  const mechanics = await drive?.read('via', 1);
  expect(mechanics?.lines.join('\n')).toMatch(/port_b \(stepper.*drives \$FF, direction \$0C/);
  expect(Buffer.compare(board.snapshot(), before)).toBe(0);
});
