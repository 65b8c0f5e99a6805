/** What is known of tests that fail, by program. */
export const knownFailures: Readonly<Record<string, string>> = {
  'general/fuxxortest/test-fuxxored.prg': 'waits for something that does not come',
  'general/fuxxortest/ef2-inst1.prg': 'needs a disk drive, by its own description',
  'CIA/shiftregister/cia-sp-test-oneshot-old.prg': 'passes on the bare chips; on the board not yet understood',
  'CIA/tod/hzsync6.prg': 'not yet understood',
  'VICII/split-tests/fetchsplit/fetchsplit.prg':
    'shows the contents of memory at power-up, which differ from those of the machine in the reference picture',
  'VICII/split-tests/modesplit/modesplit.prg':
    'depends on memory at power-up too; with the pattern of the reference 513 of the pixels still differ, and we do not know why',
  'VICII/spritefetchbug/test-136-2a.prg':
    'the reference is from an 8565 and shows a sprite fetch bug that is not emulated',
};
