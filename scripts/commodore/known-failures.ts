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
  'VICII/vicii_timing/vicii_reg_timing-ff.prg 8565':
    'of the three pictures of this program only this one, with a pattern of solid lines, has BMM fall a pixel late',
  'VICII/vicii_timing/vicii_reg_timing-ff.prg 8565early':
    'of the three pictures of this program only this one, with a pattern of solid lines, has BMM fall a pixel late',
  'VICII/videomode/videomode-x.prg 8565':
    'one pixel, the first of a pair that has the colour of the pair before it; its readme calls the picture hard to tell',
  'VICII/split-tests/fetchsplit/fetchsplit.prg 8565':
    'shows the contents of memory at power-up, which differ from those of the machine in the reference picture',
  'VICII/split-tests/fetchsplit/fetchsplit.prg 8565early':
    'shows the contents of memory at power-up, which differ from those of the machine in the reference picture',
  'VICII/split-tests/modesplit/modesplit.prg 8565':
    'the reference picture was taken with an older build of the program; in its sections without bitmap mode no pixel differs',
  'VICII/split-tests/modesplit/modesplit.prg 8562':
    'the reference picture was taken with an older build of the program; in its sections without bitmap mode no pixel differs',
  'REU/reutiming2/c3.prg 8565': 'its readme calls the picture not verified',
  'REU/reutiming2/d3.prg 8565': 'its readme calls the picture not verified',
  'REU/reutiming2/c.prg 8565': 'no emulator in the published tables matches this picture',
  'REU/reutiming2/c.prg 8565early': 'no emulator in the published tables matches this picture',
  'VICII/spritesplit/ss-mc-hires.prg 8565early': 'three grey dots in the picture of a chip that has none',
  'VICII/spriteenable/spriteenable3_ntsc.prg 8562': 'a grey dot in the left border that the picture does not have',
  'VICII/spriteenable/spriteenable4_ntsc.prg 8562': 'a grey dot in the left border that the picture does not have',
  'VICII/spriteenable/spriteenable5_ntsc.prg 8562': 'a grey dot in the left border that the picture does not have',
  'REU/badoublewrite/badoublewrite.prg 8565': 'one pixel; the picture of the chip without grey dots matches',
  'REU/reutiming2/d2.prg 8565': 'nine pixels; the picture of the chip without grey dots matches',
};
