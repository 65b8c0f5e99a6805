import type { Mos6560Model } from '../../../chips/mos6560/models.ts';
import { vicPalette } from '../../../chips/mos6560/palette.ts';

/** Facts about the VIC-20 that its chips and its board do not say. */
export const vic20Model = {
  title: 'Commodore VIC-20',
  video: { pal: '6561', ntsc: '6560' } as const satisfies Readonly<Record<string, Mos6560Model>>,
  palette: vicPalette,
  /** Files of the original ROMs as they are usually called; the first KERNAL is for PAL, the second for NTSC. */
  roms: {
    basic: { names: ['basic-901486-01.bin'], bytes: 0x2000 },
    kernal: { names: ['kernal.901486-07.bin', 'kernal.901486-06.bin'], bytes: 0x2000 },
    chargen: { names: ['chargen-901460-03.bin'], bytes: 0x1000 },
  },
  /** Where BASIC programs begin: on the bare machine, with 3 KiB more, with 8 KiB and more. */
  basicStart: { none: 0x1001, '3k': 0x0401, large: 0x1201 },
  /** The screen: its page is in this cell, and color RAM follows its lowest bits. */
  screen: { columns: 22, rows: 23, pageCell: 0x288, colorPage: 0x94 },
  /** The KERNAL's keyboard buffer and the cell with the number of characters in it. */
  keyboardBuffer: { start: 0x277, count: 0xc6, room: 10 },
  /** Where VICE's test programs leave their exit code. */
  exitRegister: 0x910f,
  /** Keys by column (bit of VIA 2's port B) and row (bit of port A). RESTORE is not among them. */
  keys: [
    ['1', '3', '5', '7', '9', '+', '£', 'del'],
    ['←', 'w', 'r', 'y', 'i', 'p', '*', 'return'],
    ['ctrl', 'a', 'd', 'g', 'j', 'l', ';', 'right'],
    ['stop', 'lshift', 'x', 'v', 'n', ',', '/', 'down'],
    ['space', 'z', 'c', 'b', 'm', '.', 'rshift', 'f1'],
    ['cbm', 's', 'f', 'h', 'k', ':', '=', 'f3'],
    ['q', 'e', 't', 'u', 'o', '@', '↑', 'f5'],
    ['2', '4', '6', '8', '0', '-', 'home', 'f7'],
  ],
} as const;
