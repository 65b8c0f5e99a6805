import { MachineError } from '../../../machine/errors.ts';
import type { FrameTraceQuery } from '../../../machine/frame-trace.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';
import type { BoardProbe } from './board-probe.ts';
import { ChipPlaces } from './chip-places.ts';
import type { EventRow } from './event-columns.ts';
import { chipNames, eventTypes } from './frame-recorder.ts';

export type EventFilters = Pick<FrameTraceQuery, 'frame' | 'chips' | 'registers' | 'types' | 'firstLine' | 'lastLine'>;

/** Whether an event passes all filters. Unknown names are refused. */
export function eventFilter(
  board: CommodoreBoard,
  probe: BoardProbe,
  filters: EventFilters,
): (row: EventRow) => boolean {
  const { frame, firstLine = 0, lastLine = Number.POSITIVE_INFINITY } = filters;
  const types = filters.types && typeFilter(probe, filters.types);
  const chips = filters.chips && indexesOf(chipNames(probe), filters.chips);
  const registers =
    filters.registers && new Set(filters.registers.flatMap((name) => registersNamed(board, probe, name)));
  return (row) =>
    (frame === undefined || row.frame === frame) &&
    row.line >= firstLine &&
    row.line <= lastLine &&
    (types?.(row) ?? true) &&
    (chips?.has(row.chip) ?? true) &&
    (registers?.has((row.chip << 8) | row.register) ?? true);
}

/** What a filter takes beside the types of events: all but accesses to registers, and accesses to those of sprites. */
export function eventGroups(probe: BoardProbe): readonly string[] {
  return spritePlaces(probe).size > 0 ? ['events', ...Object.keys(spriteAccesses)] : ['events'];
}

const spriteAccesses: Readonly<Record<string, string>> = { sprite_write: 'write', sprite_read: 'read' };
const spriteRegister = /^(SP\d(X|Y|COL)|MSIGX|SPENA|YXPAND|XXPAND|SPBGPR|SPMC[01]?|SPSPCL|SPBGCL)$/;

function spritePlaces({ chips }: BoardProbe): ReadonlySet<number> {
  const places = chips.flatMap(({ registers }, chip) =>
    registers.flatMap(({ name }, index) => (spriteRegister.test(name) ? [(chip << 8) | index] : [])),
  );
  return new Set(places);
}

function typeFilter(probe: BoardProbe, wanted: readonly string[]): (row: EventRow) => boolean {
  const all = eventTypes(probe);
  const groups = eventGroups(probe);
  const events = all.filter((type) => type !== 'write' && type !== 'read');
  const plain = wanted.flatMap((type) => (type === 'events' ? events : groups.includes(type) ? [] : [type]));
  const types = indexesOf(all, plain, groups);
  const ofSprites = wanted.flatMap((type) => (groups.includes(type) ? [all.indexOf(spriteAccesses[type] ?? '')] : []));
  if (!ofSprites.some((type) => type >= 0)) return (row) => types.has(row.type);
  const places = spritePlaces(probe);
  const isOfSprite = (row: EventRow) => ofSprites.includes(row.type) && places.has((row.chip << 8) | row.register);
  return (row) => types.has(row.type) || isOfSprite(row);
}

function indexesOf(names: readonly string[], wanted: readonly string[], groups: readonly string[] = []): Set<number> {
  const known = [...new Set([...names, ...groups])];
  for (const name of wanted) {
    if (known.includes(name)) continue;
    const message = `The trace has nothing named ${JSON.stringify(name.slice(0, 30))}.`;
    throw new MachineError('INVALID_ARGUMENT', message, `Use one of: ${known.join(', ')}.`);
  }
  return new Set(names.flatMap((name, index) => (wanted.includes(name) ? [index] : [])));
}

/** By name, in every chip that has one, or by address: `EXTCOL`, `$D020`, `0xD020`. */
function registersNamed(board: CommodoreBoard, probe: BoardProbe, text: string): readonly number[] {
  const digits = /^(?:\$|0x)([0-9a-f]{1,4})$/i.exec(text.trim())?.[1];
  if (digits !== undefined) {
    const places = new ChipPlaces(probe);
    const found = board.registersAt(Number.parseInt(digits, 16)).map((register) => places.of(register));
    if (found.some((place) => place >= 0)) return found;
  }
  const name = text.trim().toUpperCase();
  const found = probe.chips.flatMap(({ registers }, chip) =>
    registers.flatMap((register, index) => (register.name === name ? [(chip << 8) | index] : [])),
  );
  if (found.length > 0) return found;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `No chip has a register ${JSON.stringify(text.slice(0, 30))}.`,
    'Use an address such as "$D020" or a name such as "EXTCOL".',
  );
}
