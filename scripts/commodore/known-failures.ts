/** What is known of tests that fail, by program. */
export const knownFailures: Readonly<Record<string, string>> = {
  'general/fuxxortest/test-fuxxored.prg': 'needs a 1541: its ROM, in DRIVES beside the folder of the others',
  'general/fuxxortest/ef2-inst1.prg': 'needs a 1541: its ROM, in DRIVES beside the folder of the others',
  'interrupts/irqnoack/ackraster.prg':
    "passes at 11 of 12 other moments of starting it: it wants a tick of the KERNAL's timer while it clears the screen",
  'CIA/shiftregister/cia-sp-test-oneshot-old.prg':
    'passes at 19 of 24 other moments of starting it: no bad line may fall between starting the timer and reading the ICR',
  'VICII/split-tests/fetchsplit/fetchsplit.prg':
    'shows the contents of memory at power-up, which differ from those of the machine in the reference picture',
  'VICII/split-tests/modesplit/modesplit.prg':
    'the reference picture was taken with an older build of the program, and shows its code in bitmap mode, 11 bytes off',
  'REU/reutiming2/c.prg': 'no emulator in the published tables matches this picture',
  'VICII/spritefetchbug/test-136-2a.prg':
    'the picture is from an 8565 whose byte at $3FFF woke up as $FF; with both, no pixel differs',
};
