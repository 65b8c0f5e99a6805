import { risingOrder } from '../../../formats/elf/address-order.ts';
import type { AddressCapability } from '../../../machine/addresses.ts';
import type { CoveredPiece } from '../../../machine/coverage.ts';
import { TimeSlice } from '../../shared/time-slice.ts';
import type { InstructionTable } from './instruction-table.ts';

/** Instructions by their numbers in the table, in the order of their addresses. */
export async function coveredPieces(
  numbers: Iterable<number>,
  table: InstructionTable,
  addresses: AddressCapability,
  about: (number: number) => Pick<CoveredPiece, 'isNew' | 'executions'>,
): Promise<readonly CoveredPiece[]> {
  const slice = new TimeSlice();
  const ids: number[] = [];
  for (const id of numbers) {
    ids.push(id);
    if (slice.isOver) await slice.next();
  }
  const places = new BigUint64Array(ids.length);
  for (const [n, id] of ids.entries()) {
    places[n] = table.addressOf(id);
    if (slice.isOver) await slice.next();
  }
  const sorting = risingOrder(places);
  let step = sorting.next();
  while (!step.done) {
    if (slice.isOver) await slice.next();
    step = sorting.next();
  }
  const pieces: CoveredPiece[] = [];
  for (const n of step.value) {
    const id = ids[n] ?? 0;
    const address = places[n] ?? 0n;
    pieces.push({ id, address, where: addresses.format(address), bytes: table.bytesOf(id), ...about(id) });
    if (slice.isOver) await slice.next();
  }
  return pieces;
}
