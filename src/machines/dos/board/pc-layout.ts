import * as ata from '../../../chips/ata/fields.ts';
import * as atapi from '../../../chips/atapi/fields.ts';
import * as cd from '../../../chips/cd-drive/fields.ts';
import * as gameport from '../../../chips/gameport/fields.ts';
import * as synth from '../../../chips/gm-synth/fields.ts';
import * as keyboard from '../../../chips/i8042/fields.ts';
import * as dma from '../../../chips/i8237/fields.ts';
import * as timer from '../../../chips/i8254/fields.ts';
import { stateWords as interruptWords } from '../../../chips/i8259/i8259-pair.ts';
import * as floppy from '../../../chips/i8272/fields.ts';
import * as clock from '../../../chips/mc146818/fields.ts';
import * as midi from '../../../chips/mpu401/fields.ts';
import * as serial from '../../../chips/ns16550/fields.ts';
import { serialMouseFields, serialMouseWords } from '../../../chips/ns16550/serial-mouse.ts';
import * as opl from '../../../chips/opl2/fields.ts';
import * as speaker from '../../../chips/pc-speaker/fields.ts';
import * as tandy from '../../../chips/sn76496/fields.ts';
import * as blaster from '../../../chips/sound-blaster/fields.ts';
import { layOutState } from '../../../chips/state-layout.ts';
import * as vga from '../../../chips/vga/fields.ts';
import { smallestMemory } from '../../../chips/x86/memory.ts';
import * as cpu from '../../../chips/x86/registers.ts';
import * as fpu from '../../../chips/x87/fields.ts';

/** Expanded memory, 64 pages of 16 KiB. */
const expandedBytes = 0x100000;

/** Words of the board itself. */
export const boardFields = { lptData: 0, lptControl: 1, port999: 2 } as const;

export type PcLayout = ReturnType<typeof pcLayout>;

/** All state of a PC with so much memory above the first megabyte, in one buffer. */
export function pcLayout(extendedKilobytes: number) {
  const words = (stateWords: number, fields: Readonly<Record<string, number>> = {}) => ({ words: stateWords, fields });
  const oplSet = { ...words(opl.stateWords, opl.fields), lengths: opl.lengths };
  const cdDrive = { ...words(cd.stateWords, cd.fields), lengths: cd.lengths };
  const cdDrives = { cd1: cdDrive, cd2: cdDrive, cd3: cdDrive, cd4: cdDrive };
  return layOutState({
    cpu: words(cpu.stateWords, cpu.fields),
    fpu: { ...words(fpu.stateWords, fpu.fields), lengths: fpu.lengths },
    pic: words(interruptWords),
    pit: words(timer.stateWords, timer.fields),
    kbc: words(keyboard.stateWords, keyboard.fields),
    rtc: { ...words(clock.stateWords, clock.fields), lengths: clock.lengths },
    dma: words(dma.stateWords, dma.fields),
    com1: words(serial.stateWords, serial.fields),
    com2: words(serial.stateWords, serial.fields),
    mouse: words(serialMouseWords, serialMouseFields),
    speaker: words(speaker.stateWords, speaker.fields),
    opl: oplSet,
    opl3: oplSet,
    tandy: { ...words(tandy.stateWords, tandy.fields), lengths: tandy.lengths },
    synth: { ...words(synth.stateWords, synth.fields), lengths: synth.lengths },
    sb: { ...words(blaster.stateWords, blaster.fields), lengths: blaster.lengths },
    mpu: words(midi.stateWords, midi.fields),
    gameport: { ...words(gameport.stateWords, gameport.fields), lengths: gameport.lengths },
    ...cdDrives,
    fdc: { ...words(floppy.stateWords, floppy.fields), lengths: floppy.lengths },
    ata: { ...words(ata.stateWords, ata.fields), lengths: ata.lengths },
    atapi: { ...words(atapi.stateWords, atapi.fields), lengths: atapi.lengths },
    board: words(4, boardFields),
    vga: { ...words(vga.stateWords, vga.fields), lengths: vga.lengths },
    ems: { bytes: expandedBytes },
    ram: { bytes: Math.max(smallestMemory, 0x100000 + extendedKilobytes * 1024 + 8) },
    // At the end, because most of it is hardly ever used: see snapshot.
    vram: { bytes: vga.memoryBytes },
  });
}
