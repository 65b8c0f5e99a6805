/** What BL says of a failure. */
export const xmsErrors = {
  a20: 0x82,
  noHighMemory: 0x91,
  highMemoryFree: 0x93,
  allAllocated: 0xa0,
  noHandles: 0xa1,
  badHandle: 0xa2,
  badSource: 0xa3,
  badSourceOffset: 0xa4,
  badTarget: 0xa5,
  badTargetOffset: 0xa6,
  badLength: 0xa7,
  notLocked: 0xaa,
  locked: 0xab,
  lessUpperMemory: 0xb0,
  noUpperMemory: 0xb1,
  badUpperMemory: 0xb2,
} as const;
