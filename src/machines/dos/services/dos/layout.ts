/** Where the kernel keeps what programs may look at, as segments and offsets of guest memory. */
export const commandSegment = 0x60;
/** Paragraphs of the command interpreter's PSP block. */
export const commandParagraphs = 0x10;
export const firstBlockSegment = commandSegment - 1;
/** Segment of the kernel's own data, in the block after the command interpreter's. */
export const dosSegment = 0x80;
/** Tables that need no place in conventional memory, in the upper memory area. */
export const tablesSegment = 0xc800;

export const drivesMax = 26;
export const openFilesMax = 100;

/** Offsets in dosSegment. */
export const at = {
  listOfLists: 0x26,
  /** Bit 0: upper memory is linked after conventional memory; the first control block of upper memory. As in DOS 5. */
  upperLink: 0x89,
  upperHead: 0x8c,
  /** Where handlers that services call return to: see writeReturnPoints. */
  returnPoints: 0x00a0,
  code: 0x0100,
  swappableArea: 0x0200,
  devices: 0x0800,
  drives: 0x0a00,
  directories: 0x0d80,
  files: 0x1680,
  moreFiles: 0x17c0,
  fcbFiles: 0x2db0,
  commandStack: 0x2e00,
  commandStackTop: 0x3400,
  transfer: 0x3400,
  /** What drivers of the guest are asked, and bytes for them where the caller has no buffer. */
  request: 0x3600,
  driverBuffer: 0x3620,
  end: 0x3a20,
} as const;

export const sizes = {
  drive: 33,
  directory: 88,
  file: 59,
  device: 18,
  firstFiles: 5,
  swappableArea: 0x73c - 0x13c,
} as const;

/** Offsets in tablesSegment. */
export const tables = {
  doubleByte: 0x00,
  upperCase: 0x10,
  fileUpperCase: 0xa0,
  fileCharacters: 0x130,
  collating: 0x160,
  country: 0x270,
  codePage: 0x272,
  caseMap: 0x2a0,
  end: 0x300,
} as const;

export const firstFreeBlock = dosSegment + (at.end >> 4);
