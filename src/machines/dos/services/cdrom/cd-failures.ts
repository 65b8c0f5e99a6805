/** Codes of failures in the status word of a driver. */
export const failures = {
  unknownUnit: 1,
  notReady: 2,
  unknownCommand: 3,
  seek: 6,
  sectorNotFound: 8,
  general: 12,
} as const;

/** Thrown by what a request asks for. */
export class CdFailure extends Error {
  readonly code: number;

  constructor(code: keyof typeof failures) {
    super(code);
    this.code = failures[code];
  }
}
