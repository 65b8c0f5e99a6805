import { relinked } from '../../../formats/commodore/basic/relinked.ts';
import { hexWord, lowerHex } from '../../../formats/hex.ts';
import { type Advice, advice, call, MachineError } from '../../../machine/errors.ts';

export interface PlacedProgram {
  readonly firstAddress: number;
  readonly body: Uint8Array;
  readonly moved: readonly string[];
}

interface Place {
  readonly basicStart: number;
  /** Where BASIC begins on this kind of machine, by its memory. */
  readonly ownStarts: readonly number[];
  /** Whether it is only loaded: then what is of another machine stays where it says. */
  readonly isOnlyLoaded: boolean;
}

/** Where BASIC begins on the other machines, and how to get one. */
const startOf: ReadonlyMap<number, readonly Advice[]> = new Map([
  [0x0401, [onMachine({ kind: 'vic20', options: { expansion: '3k' } })]],
  [0x0801, [onMachine({ kind: 'c64' })]],
  [0x1001, [onMachine({ kind: 'plus4' }), advice`Or on ${call('machine_start', { kind: 'vic20' })}.`]],
  [0x1201, [onMachine({ kind: 'vic20', options: { expansion: '8k' } })]],
]);
const sysToken = 0x9e;

/**
 * Where a program belongs. BASIC ones that were made for another machine, or with other memory plugged in, are moved, as LOAD does it;
 * one that calls machine code it brings is refused, since that does not run elsewhere.
 */
export function placedProgram(name: string, bytes: Uint8Array, place: Place): PlacedProgram {
  const [low = 0, high = 0] = bytes;
  const firstAddress = low | (high << 8);
  const body = bytes.subarray(2);
  const { basicStart, ownStarts, isOnlyLoaded } = place;
  const stays = { firstAddress, body, moved: [] };
  const remedies = startOf.get(firstAddress);
  if (firstAddress === basicStart || remedies === undefined) return stays;
  const length = textLength(body, firstAddress);
  const isOwn = ownStarts.includes(firstAddress);
  if (!isOwn && (isOnlyLoaded || length === undefined)) return stays;
  const routine = isOnlyLoaded ? undefined : ownRoutine(body, firstAddress, length);
  if (routine !== undefined) {
    const message = `${name} begins at ${hexWord(firstAddress)} and calls machine code of its own at ${hexWord(routine)}, but BASIC begins at ${hexWord(basicStart)} here.`;
    throw new MachineError('INVALID_ARGUMENT', message, remedies);
  }
  const from = `$${lowerHex(firstAddress, 4)}`;
  const note = `moved from ${from} to where BASIC begins on this machine; machine code in it needs the memory it was made for`;
  return { firstAddress: basicStart, body: relinked(body, basicStart), moved: [note] };
}

function onMachine(options: { readonly kind: string; readonly options?: Record<string, string> }): Advice {
  return advice`Run it on a machine it was made for: ${call('machine_start', options)}.`;
}

/** How long the lines of BASIC are that this begins with; undefined where it is no BASIC program. */
function textLength(body: Uint8Array, start: number): number | undefined {
  let at = 0;
  while (at + 4 < body.length && wordAt(body, at) > 0xff) {
    const end = body.indexOf(0, at + 4);
    if (end < 0 || wordAt(body, at) !== start + end + 1) return undefined;
    at = end + 1;
  }
  return at > 0 && wordAt(body, at) <= 0xff ? at + 2 : undefined;
}

/** Machine code in the program that one of its lines calls by its address. */
function ownRoutine(body: Uint8Array, start: number, length = 0): number | undefined {
  for (let at = body.indexOf(sysToken); at >= 0 && at < length; at = body.indexOf(sysToken, at + 1)) {
    const digits = /^[ (]*(\d{1,5})/.exec(String.fromCharCode(...body.subarray(at + 1, at + 16)));
    const address = Number(digits?.[1] ?? -1);
    if (address >= start && address < start + body.length) return address;
  }
  return undefined;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}
