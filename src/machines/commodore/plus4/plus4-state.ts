import { aciaFields, aciaWords } from '../../../chips/acia6551/fields.ts';
import { fields as cpuFields, stateWords as cpuWords } from '../../../chips/mos6510/registers.ts';
import { layOutState } from '../../../chips/state-layout.ts';
import { fields as tedFields, fieldLengths as tedLengths, stateWords as tedWords } from '../../../chips/ted/fields.ts';
import { soundFields, soundWords } from '../../../chips/ted/sound.ts';
import { datasettePart } from '../drive/datasette-state.ts';
import { drivesPart } from '../drive/drive-state.ts';

/** Words that belong to no chip: what is plugged in, pressed or switched from outside, and latches. */
export const boardFields = {
  /** One word per column of the keyboard (the latch at $FD30), a bit set per row whose key is down. */
  keys: 0,
  /** Pressed directions and fire as bits 0-4, of both ports. */
  joysticks: 8,
  /** The latches of the keyboard ($FD30) and of the user port ($FD10). */
  columns: 10,
  userPort: 11,
  /** What the outside does to the pins of the user port: 0 where something pulls one low. */
  userPins: 12,
  /** 1 while a key of the datasette is down. */
  tapeSense: 13,
  /** The level of the datasette's READ, and and half cycles until it rises again. */
  tapeRead: 14,
  tapeRise: 15,
  /** IEC bus as the outside drives it: 0 = pulled low. */
  iecClock: 16,
  iecData: 17,
  /** The processor's port: direction, data, and what its pins were last driven to. */
  direction: 18,
  data: 19,
  driven: 20,
  /** Which ROMs are seen: bits 0, 1 from $8000 on, bits 2, 3 from $C000 on. */
  romBank: 21,
  /** What the test programs left at $FDCF, plus $100 when they have. */
  exitCode: 22,
  /** How many half cycles the parts with a time of their own may be left alone, and what is left of it. */
  timedSpan: 23,
  timedLeft: 24,
} as const;

const boardWords = 26;

/** Everything in a Plus/4 that changes, in one buffer; ROMs and the picture lie outside. */
export const plus4Layout = layOutState({
  ram: { bytes: 0x10000 },
  clock: { doubles: ['cycles', 'soundCycles'] },
  cpu: { words: cpuWords, fields: cpuFields },
  ted: { words: tedWords, fields: tedFields, lengths: tedLengths },
  sound: { words: soundWords, fields: soundFields },
  acia: { words: aciaWords, fields: aciaFields },
  drives: drivesPart,
  tape: datasettePart,
  board: { words: boardWords, fields: boardFields, lengths: { keys: 8, joysticks: 2 } },
});

export type BoardState = Int32Array & Record<(typeof boardFields)[keyof typeof boardFields], number>;
