import type { AddressCapability } from '../../machine/addresses.ts';
import type { CoverageRun, CoveredPiece, MemoryUse } from '../../machine/coverage.ts';
import type { CodePlace } from '../../machine/functions.ts';
import type { TimeSlice } from '../../machines/shared/time-slice.ts';
import { count, counted, showPlace, showWithin } from './code-place.ts';

/** What ran, put together by function, or by range where no function is known. */
export interface CoveredPart extends CodePlace {
  readonly name: string;
  readonly pieces: number;
  readonly newPieces: number;
  readonly bytes: number;
  /** Of the whole function, where it is known. */
  readonly ofBytes?: number | undefined;
  /** Absent where runs are not counted. */
  readonly executions?: number | undefined;
}

/** The function that an instruction belongs to. */
export interface CodeOwner extends CodePlace {
  readonly name?: string | undefined;
  readonly size?: number | undefined;
}

export function showRun({ name, active, from, to, unit, notes = [] }: CoverageRun): string {
  const times = `${count(from)} to ${count(to)}${unit === undefined ? '' : ` ${unit}`}`;
  return [`${name}: ${active ? 'going on, ' : ''}${times}`, ...notes].join('; ');
}

export function showPart({ name, pieces, newPieces, bytes, ofBytes, executions }: CoveredPart): string {
  const fresh = newPieces > 0 ? `, ${count(newPieces)} new` : '';
  const size = `${count(bytes)} ${ofBytes === undefined ? '' : `of ${count(ofBytes)} `}bytes`;
  const runs = executions === undefined ? '' : `, ${counted(executions, 'run')}`;
  return `${name}: ${counted(pieces, 'instruction')}${fresh}, ${size}${runs}`;
}

/** `$0801 start to $0A3F: code, written over` */
export function showUse({ first, last, ...use }: MemoryUse, addresses: AddressCapability): string {
  const data = [use.isRead && 'read', use.isWritten && 'written'].filter(Boolean).join(' and ');
  const isChanged = use.isCode && use.isWritten;
  const what = [
    use.isCode && (isChanged ? 'code that is changed' : 'code'),
    data !== '' && !isChanged && `data, ${data}`,
  ].filter(Boolean);
  const end = first.address === last.address ? '' : ` to ${last.where}`;
  return `${showPlace(first, addresses)}${end}: ${what.join('; ')}${use.isOverRam ? ' (ROM or chips)' : ''}`;
}

/** By function, those that ran most first; where runs are not counted, functions before other code, the largest first. */
export async function byFunction(
  pieces: readonly CoveredPiece[],
  ownerOf: (place: CodePlace) => CodeOwner | undefined,
  addresses: AddressCapability,
  slice: TimeSlice,
): Promise<readonly CoveredPart[]> {
  const owned = new Map<CodeOwner, Sum>();
  const others: CoveredPiece[] = [];
  for (const piece of pieces) {
    const owner = ownerOf(piece);
    if (!owner) others.push(piece);
    else {
      const sum = owned.get(owner) ?? new Sum();
      owned.set(owner, sum);
      sum.add(piece);
    }
    if (slice.isOver) await slice.next();
  }
  const functions = Array.from(owned, ([owner, sum]): CoveredPart => {
    const { address, where, name, size } = owner;
    const shown = name === undefined ? showPlace(owner, addresses) : `${where} ${name}`;
    return { address, where, name: shown, ...sum.all, ofBytes: size };
  });
  const all = [...functions, ...(await byRange(others, addresses, slice))];
  if (all.some(({ executions }) => executions !== undefined)) {
    return all.sort((a, b) => (b.executions ?? 0) - (a.executions ?? 0));
  }
  const most = (a: CoveredPart, b: CoveredPart) => b.pieces - a.pieces;
  return [...functions.sort(most), ...all.slice(functions.length).sort(most)];
}

/** Pieces that touch each other as one, in the order of their addresses. A range lies in one segment. */
export async function byRange(
  pieces: readonly CoveredPiece[],
  addresses: AddressCapability,
  slice: TimeSlice,
): Promise<readonly CoveredPart[]> {
  const ranges: { readonly first: CoveredPiece; readonly sum: Sum; end: bigint }[] = [];
  const open = new Map<number | undefined, (typeof ranges)[number]>();
  for (const piece of await rising(pieces, slice)) {
    const end = piece.address + BigInt(piece.bytes);
    let range = open.get(piece.segment);
    if (!range || piece.address > range.end) {
      range = { first: piece, sum: new Sum(), end };
      ranges.push(range);
      open.set(piece.segment, range);
    }
    range.sum.add(piece);
    if (end > range.end) range.end = end;
    if (slice.isOver) await slice.next();
  }
  const parts: CoveredPart[] = [];
  for (const { first, sum, end } of ranges) {
    const { address, where } = first;
    const name = `${showPlace(first, addresses)} to ${showWithin(end - 1n, first, addresses)}`;
    parts.push({ address, where, name, ...sum.all, bytes: Number(end - address) });
    if (slice.isOver) await slice.next();
  }
  return parts;
}

/** Machines that have very many give them in order. */
async function rising(pieces: readonly CoveredPiece[], slice: TimeSlice): Promise<readonly CoveredPiece[]> {
  let last = 0n;
  for (const { address } of pieces) {
    if (address < last) return [...pieces].sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0));
    last = address;
    if (slice.isOver) await slice.next();
  }
  return pieces;
}

class Sum {
  #pieces = 0;
  #newPieces = 0;
  #bytes = 0;
  #executions: number | undefined;

  add({ isNew, bytes, executions }: CoveredPiece): void {
    this.#pieces++;
    if (isNew) this.#newPieces++;
    this.#bytes += bytes;
    if (executions !== undefined) this.#executions = (this.#executions ?? 0) + executions;
  }

  get all() {
    return {
      pieces: this.#pieces,
      newPieces: this.#newPieces,
      bytes: this.#bytes,
      executions: this.#executions,
    };
  }
}
