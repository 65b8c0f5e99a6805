import { fields as cpuFields, stateWords as cpuWords } from '../../../chips/mos6510/registers.ts';
import {
  fields as vicFields,
  fieldLengths as vicLengths,
  stateWords as vicWords,
} from '../../../chips/mos6560/fields.ts';
import { soundFields, soundLengths, soundWords } from '../../../chips/mos6560/sound.ts';
import { layOutState } from '../../../chips/state-layout.ts';
import { fields as viaFields, stateWords as viaWords } from '../../../chips/via6522/fields.ts';
import { datasettePart } from '../drive/datasette-state.ts';
import { drivesPart } from '../drive/drive-state.ts';

/** Words that belong to no chip: what is plugged in, pressed or switched from outside. */
export const boardFields = {
  /** One word per column of the keyboard (port B of VIA 2), a bit set per row (port A) whose key is down. */
  keys: 0,
  /** Pressed directions and fire as bits 0-4. */
  joystick: 8,
  /** 1 while RESTORE is held. */
  restore: 9,
  /** 1 while a key of the datasette is down. */
  tapeSense: 10,
  /** IEC bus as the outside drives it: 0 = pulled low. */
  iecClock: 11,
  iecData: 12,
  /** What the test programs left at $910F, plus $100 when they have. */
  exitCode: 13,
  /** The VIAs are ticked only when they do more than count: how many cycles they may be left alone, and what is left of it. */
  viaSpan: 14,
  viaLeft: 15,
  /** The byte that was last on the processor's bus. */
  busByte: 16,
  /** What the user port does to port B of VIA 1: 0 where something pulls a pin low. */
  userPort: 17,
  /** The light pen: where in the frame it pulls its line (cycle 0: nowhere), and whether it does so now. */
  penLine: 18,
  penCycle: 19,
  penLow: 20,
  /** Where the GeoRAM shows its page. */
  geoRamBlock: 21,
  geoRamPage: 22,
} as const;

const boardWords = 24;

/** Everything in a VIC-20 that changes, in one buffer; ROMs and the picture lie outside, the RAM of a GeoRAM after it. */
export const vic20Layout = layOutState({
  ram: { bytes: 0x10000 },
  color: { bytes: 0x400 },
  clock: { doubles: ['cycles', 'soundCycles'] },
  cpu: { words: cpuWords, fields: cpuFields },
  vic: { words: vicWords, fields: vicFields, lengths: vicLengths },
  via1: { words: viaWords, fields: viaFields },
  via2: { words: viaWords, fields: viaFields },
  sound: { words: soundWords, fields: soundFields, lengths: soundLengths },
  drives: drivesPart,
  tape: datasettePart,
  board: { words: boardWords, fields: boardFields, lengths: { keys: 8 } },
});

export type BoardState = Int32Array & Record<(typeof boardFields)[keyof typeof boardFields], number>;
