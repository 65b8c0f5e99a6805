import { portFields, portStateWords } from '../../../chips/mos6510/io-port.ts';
import { fields as cpuFields, stateWords as cpuWords } from '../../../chips/mos6510/registers.ts';
import { fields as ciaFields, stateWords as ciaWords } from '../../../chips/mos6526/fields.ts';
import { fields as recFields, stateWords as recWords } from '../../../chips/mos8726/fields.ts';
import { fields as sidFields, fieldLengths as sidLengths, stateWords as sidWords } from '../../../chips/sid/fields.ts';
import { layOutState } from '../../../chips/state-layout.ts';
import { fields as vicFields, fieldLengths as vicLengths, stateWords as vicWords } from '../../../chips/vic2/fields.ts';
import { datasettePart } from '../drive/datasette-state.ts';
import { drivesPart } from '../drive/drive-state.ts';

/** Words that belong to no chip: what is plugged in, pressed or switched from outside. */
export const boardFields = {
  /** One word per column of the keyboard (port A), a bit set per row (port B) whose key is down. */
  keys: 0,
  /** Pressed directions and fire as bits 0-4. */
  joystick1: 8,
  joystick2: 9,
  /** 1 while RESTORE is held. */
  restore: 10,
  /** Cartridge lines as levels, 1 = high. */
  game: 11,
  exrom: 12,
  /** IEC bus as the outside drives it: 0 = pulled low. */
  iecClock: 13,
  iecData: 14,
  /** The four lines of the VIC's bank, as 0-3. */
  vicBank: 15,
  /** What the test programs left at $D7FF, plus $100 when they have. */
  exitCode: 16,
  /** The CIAs are ticked only when they do more than count: how many cycles they may be left alone, and what is left of it. */
  ciaSpan: 17,
  ciaLeft: 18,
  /** Paddles: a bit for each port that has them, and their four positions as bytes (1 X, 1 Y, 2 X, 2 Y). */
  potPorts: 19,
  pots: 20,
  /** The light pen: where in the frame it pulls its line (cycle 0: nowhere), and whether it does so now. */
  penLine: 21,
  penCycle: 22,
  penOffset: 23,
  penLow: 24,
  /** Where a GeoRAM shows its page. */
  geoRamPage: 25,
  geoRamBlock: 26,
  /** The names of what is in the RAM of the REU and the GeoRAM. */
  reuLow: 27,
  reuHigh: 28,
  geoRamLow: 29,
  geoRamHigh: 30,
  /** 1 while a freeze button is down and its NMI has not been taken. */
  freezing: 31,
  /** 1 while the cartridge pulls NMI. */
  cartridgeNmi: 32,
  /** The register of added banks of RAM, and the name of what is in them. */
  ramBank: 33,
  ramBanksLow: 34,
  ramBanksHigh: 35,
  /** The register of a DQBB, and the name of what is in it. */
  dqbb: 36,
  dqbbLow: 37,
  dqbbHigh: 38,
  /** The two registers of a RAMCart, and the name of what is in it. */
  ramCartPage: 39,
  ramCartBank: 40,
  ramCartLow: 41,
  ramCartHigh: 42,
  /** The page of an ISEPIC, its switch (1 = towards the computer), and the name of what is in it. */
  isepicPage: 43,
  isepicSwitch: 44,
  isepicLow: 45,
  isepicHigh: 46,
} as const;

const boardWords = 48;

/** Registers of a cartridge, and up to 32 KiB of its RAM. */
const cartridgeFields = { bank: 0, exrom: 1, game: 2, control: 3, ram: 4 } as const;
const cartridgeRamWords = 0x2000;

/** Everything in a C64 that changes, in one buffer; ROMs and the picture lie outside. */
export const c64Layout = layOutState({
  ram: { bytes: 0x10000 },
  color: { bytes: 0x400 },
  clock: { doubles: ['cycles', 'sidCycles'] },
  cpu: { words: cpuWords, fields: cpuFields },
  port: { words: portStateWords, fields: portFields },
  vic: { words: vicWords, fields: vicFields, lengths: vicLengths },
  cia1: { words: ciaWords, fields: ciaFields },
  cia2: { words: ciaWords, fields: ciaFields },
  sid: { words: sidWords, fields: sidFields, lengths: sidLengths },
  rec: { words: recWords, fields: recFields },
  cartridge: {
    words: cartridgeFields.ram + cartridgeRamWords,
    fields: cartridgeFields,
    lengths: { ram: cartridgeRamWords },
  },
  drives: drivesPart,
  tape: datasettePart,
  board: { words: boardWords, fields: boardFields, lengths: { keys: 8 } },
  sid2: { words: sidWords, fields: sidFields, lengths: sidLengths },
});

export type BoardState = Int32Array & Record<(typeof boardFields)[keyof typeof boardFields], number>;
