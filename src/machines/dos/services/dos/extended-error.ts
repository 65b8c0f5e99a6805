import type { SwappableArea } from './swappable-area.ts';

/** Class, suggested action and place of an error, as function 59h gives them. */
interface ErrorTraits {
  readonly kind: number;
  readonly action: number;
  readonly locus: number;
}

const outOfResource = 1;
const authorization = 3;
const hardware = 5;
const application = 7;
const notFound = 8;
const badFormat = 9;
const locked = 10;
const media = 11;
const exists = 12;

const retry = 1;
const userInput = 3;
const abort = 4;
const userAction = 7;

const unknownPlace = 1;
const disk = 2;
const memory = 5;

const traits: Readonly<Record<number, ErrorTraits>> = {
  1: { kind: application, action: abort, locus: unknownPlace },
  2: { kind: notFound, action: userInput, locus: disk },
  3: { kind: notFound, action: userInput, locus: disk },
  4: { kind: outOfResource, action: abort, locus: unknownPlace },
  5: { kind: authorization, action: userInput, locus: unknownPlace },
  6: { kind: application, action: abort, locus: unknownPlace },
  7: { kind: application, action: abort, locus: memory },
  8: { kind: outOfResource, action: abort, locus: memory },
  9: { kind: application, action: abort, locus: memory },
  10: { kind: application, action: abort, locus: memory },
  11: { kind: badFormat, action: userInput, locus: unknownPlace },
  12: { kind: application, action: abort, locus: unknownPlace },
  15: { kind: notFound, action: userInput, locus: disk },
  16: { kind: authorization, action: userInput, locus: disk },
  17: { kind: application, action: userInput, locus: disk },
  18: { kind: notFound, action: userInput, locus: disk },
  19: { kind: media, action: userAction, locus: disk },
  21: { kind: hardware, action: userAction, locus: disk },
  26: { kind: media, action: userAction, locus: disk },
  27: { kind: media, action: abort, locus: disk },
  29: { kind: hardware, action: abort, locus: disk },
  30: { kind: hardware, action: abort, locus: disk },
  31: { kind: hardware, action: abort, locus: unknownPlace },
  32: { kind: locked, action: retry, locus: disk },
  33: { kind: locked, action: retry, locus: disk },
  39: { kind: outOfResource, action: userInput, locus: disk },
  80: { kind: exists, action: userInput, locus: disk },
  82: { kind: outOfResource, action: abort, locus: disk },
};

export function recordError(area: SwappableArea, code: number): void {
  const { kind, action, locus } = traits[code] ?? { kind: 13, action: abort, locus: unknownPlace };
  area.errorCode = code;
  area.errorClass = kind;
  area.errorAction = action;
  area.errorLocus = locus;
}
