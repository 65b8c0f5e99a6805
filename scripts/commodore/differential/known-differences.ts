/** Why programs differ from VICE 3.7.1, by program. */
export const knownDifferences: Readonly<Record<string, string>> = {
  'VIC20/joystick/joycheck.prg':
    'reads port A of VIA 1 with all pins as outputs: here it shows the levels of the pins, as the data sheet has it, and the serial ' +
    'clock is held low by the computer itself; xvic gives back what was written',
  'VIC20/split-tests/lightpen/lightpen.prg':
    'reads a free-running timer in the cycle after its zero: here it shows $FFFF; xvic shows its latch plus one, which was ' +
    'corrected in later versions',
  'VIC20/via_wrap/via_wrap2.prg':
    'reads a free-running timer in the cycle after its zero: what is measured here is equal to the reference in the program, what ' +
    'xvic measures is not',
  'VIC20/via_defaults/defaults.prg':
    "shows counters that nobody has set: xvic's timer 1 counts with $FFFF while its latch reads as $DFFF",
  'Plus4/openbus/carttest.prg':
    'reads where no cartridge answers: here the byte that is left on the bus, garbage as its authors saw on their machine; xplus4 ' +
    'gives $FF',
  'crtemulation/plus4/color_test.prg':
    'no pixel differs once it is drawn; it then goes round in a BASIC loop, and its working cells are those of another place in it',
};
