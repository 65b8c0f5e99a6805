import type { AddressCapability } from '../../machine/addresses.ts';
import type { CoverageRun, CoveredPiece, MemoryUse } from '../../machine/coverage.ts';
import type { CodePlace, KnownFunction } from '../../machine/functions.ts';
import { count, showPlace, showWithin } from './code-place.ts';

/** What ran, put together by function, or by range where no function is known. */
export interface CoveredPart extends CodePlace {
  readonly name: string;
  readonly pieces: number;
  readonly newPieces: number;
  readonly bytes: number;
  readonly executions: number;
}

export function showRun({ name, active, from, to }: CoverageRun): string {
  return `${name}: ${active ? 'going on, ' : ''}${count(from)} to ${count(to)}`;
}

export function showPart({ name, pieces, newPieces, bytes, executions }: CoveredPart): string {
  const fresh = newPieces > 0 ? `, ${count(newPieces)} new` : '';
  return `${name}: ${count(pieces)} instructions${fresh}, ${count(bytes)} bytes, ${count(executions)} runs`;
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

/** By function, those that ran most first. */
export function byFunction(
  pieces: readonly CoveredPiece[],
  ownerOf: (place: CodePlace) => KnownFunction | undefined,
  addresses: AddressCapability,
): readonly CoveredPart[] {
  const groups = new Map<KnownFunction | undefined, CoveredPiece[]>();
  for (const piece of pieces) {
    const owner = ownerOf(piece);
    const group = groups.get(owner);
    if (group) group.push(piece);
    else groups.set(owner, [piece]);
  }
  return [...groups]
    .flatMap(([owner, group]) => (owner ? [part(group, owner, addresses)] : byRange(group, addresses)))
    .sort((a, b) => b.executions - a.executions);
}

/** Pieces that touch each other as one, in the order of their addresses. A range lies in one segment. */
export function byRange(pieces: readonly CoveredPiece[], addresses: AddressCapability): readonly CoveredPart[] {
  const sorted = [...pieces].sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0));
  const ranges: { group: CoveredPiece[]; end: bigint }[] = [];
  const open = new Map<number | undefined, (typeof ranges)[number]>();
  for (const piece of sorted) {
    const end = piece.address + BigInt(piece.bytes);
    const last = open.get(piece.segment);
    if (last && piece.address <= last.end) {
      last.group.push(piece);
      if (end > last.end) last.end = end;
    } else {
      const range = { group: [piece], end };
      ranges.push(range);
      open.set(piece.segment, range);
    }
  }
  return ranges.flatMap(({ group, end }) => {
    const [first] = group;
    if (!first) return [];
    const { name, ...rest } = part(group, first, addresses);
    const last = showWithin(end - 1n, first, addresses);
    return [{ ...rest, name: `${name} to ${last}`, bytes: Number(end - first.address) }];
  });
}

function part(
  group: readonly CoveredPiece[],
  place: CodePlace & { readonly name?: string | undefined },
  addresses: AddressCapability,
): CoveredPart {
  const sum = (value: (piece: CoveredPiece) => number) => group.reduce((total, piece) => total + value(piece), 0);
  return {
    address: place.address,
    where: place.where,
    name: place.name === undefined ? showPlace(place, addresses) : `${place.where} ${place.name}`,
    pieces: group.length,
    newPieces: sum(({ isNew }) => Number(isNew)),
    bytes: sum(({ bytes }) => bytes),
    executions: sum(({ executions }) => executions),
  };
}
