/** What DOS calls its errors, by the number it returns in AX. */
export const errorNames: Readonly<Record<number, string>> = {
  1: 'invalid function',
  2: 'file not found',
  3: 'path not found',
  4: 'too many open files',
  5: 'access denied',
  6: 'invalid handle',
  7: 'memory control block destroyed',
  8: 'insufficient memory',
  9: 'invalid memory block',
  10: 'invalid environment',
  11: 'invalid format',
  12: 'invalid access code',
  13: 'invalid data',
  15: 'invalid drive',
  16: 'attempt to remove current directory',
  17: 'not the same device',
  18: 'no more files',
  19: 'disk is write-protected',
  20: 'unknown unit',
  21: 'drive not ready',
  23: 'data error',
  26: 'unknown media type',
  27: 'sector not found',
  28: 'printer out of paper',
  29: 'write fault',
  30: 'read fault',
  31: 'general failure',
  32: 'sharing violation',
  33: 'lock violation',
  36: 'sharing buffer overflow',
  38: 'end of file',
  39: 'disk full',
  80: 'file exists',
  82: 'cannot make directory entry',
  83: 'fail on INT 24h',
  87: 'invalid parameter',
};

export const dosErrors = {
  invalidFunction: 1,
  fileNotFound: 2,
  pathNotFound: 3,
  tooManyOpenFiles: 4,
  accessDenied: 5,
  invalidHandle: 6,
  blocksDestroyed: 7,
  insufficientMemory: 8,
  invalidBlock: 9,
  invalidEnvironment: 10,
  invalidFormat: 11,
  invalidAccess: 12,
  invalidData: 13,
  invalidDrive: 15,
  currentDirectory: 16,
  notSameDevice: 17,
  noMoreFiles: 18,
  writeProtected: 19,
  notReady: 21,
  unknownMedia: 26,
  sectorNotFound: 27,
  writeFault: 29,
  readFault: 30,
  generalFailure: 31,
  sharingViolation: 32,
  lockViolation: 33,
  diskFull: 39,
  fileExists: 80,
  cannotMakeEntry: 82,
  failOnCritical: 83,
  invalidParameter: 87,
} as const;

export type DosErrorName = keyof typeof dosErrors;

/** A failure that the program in the machine is told about. */
export class DosError extends Error {
  override readonly name = 'DosError';
  readonly code: number;
  /** INT 24h decides what becomes of it: errors of the hardware, and those of sharing that nobody expected. */
  readonly critical: boolean;

  constructor(error: DosErrorName | number, detail?: string, critical?: boolean) {
    const code = typeof error === 'number' ? error : dosErrors[error];
    super(detail ?? errorNames[code] ?? `DOS error ${code}`);
    this.code = code;
    this.critical = critical ?? (code >= dosErrors.writeProtected && code <= dosErrors.generalFailure);
  }
}
