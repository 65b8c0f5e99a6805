import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { assemble } from '../../src/formats/commodore/assembler/assemble.ts';
import { writeCrt } from '../../src/formats/commodore/media/crt.ts';
import { Desk } from './desk.ts';

const folder = mkdtempSync(join(tmpdir(), 'fp-banks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Switches through its four banks for ever; each has the same routine at $8100. */
const source = `
* = $8000
        .word start, start
        .byte $c3, $c2, $cd, $38, $30
start   sei
        ldx #0
        ldy #6
copy    lda switch,y
        sta $0400,y
        dey
        bpl copy
        jmp $0400
switch  stx $de00
        jmp work
        nop
* = $8100
work    lda $8200
        sta $0500,x
        inx
        txa
        and #3
        tax
        jmp $0400
`;

test('only in one bank of a cartridge, and with the space that answered', async () => {
  const { bytes, errors } = assemble(source);
  expect(errors).toEqual([]);
  const chips = [0, 1, 2, 3].map((bank) => {
    const rom = new Uint8Array(0x2000).fill(bank, 0x200);
    rom.set(bytes);
    return { type: 'rom' as const, bank, address: 0x8000, size: 0x2000, bytes: rom };
  });
  const crt = writeCrt({ name: 'BANKS', version: 0x100, hardware: 19, hardwareName: '', exrom: 0, game: 1, chips });
  writeFileSync(join(folder, 'banks.crt'), crt);
  const desk = await Desk.withC64();
  try {
    expect(await desk.call('media_attach', { slot: 'cartridge', path: join(folder, 'banks.crt') })).toMatch(/BANKS/);
    await desk.call('breakpoint_set', { address: '$8100', options: { bank: 'cart:2' } });
    await desk.call('breakpoint_set', { type: 'read', address: '$8200', options: { bank: 'cart:3' } });
    await desk.call('breakpoint_set', { address: '$8100', options: { bank: 'ram' } });
    const stops = [];
    for (let count = 0; count < 4; count++) stops.push((await desk.data('run')).stop);
    expect(stops).toMatchObject([
      { breakpoint: { id: 1 } },
      { breakpoint: { id: 2 }, event: { access: { space: 'cart', value: 3 } } },
      { breakpoint: { id: 1 } },
      { breakpoint: { id: 2 } },
    ]);
    const refused = await desk.call('breakpoint_set', { address: '$8100', options: { bank: 'flash' } });
    expect(refused).toMatch(/No bank "flash" here.*ram, rom, io, cart/s);
  } finally {
    await desk.close();
  }
});
