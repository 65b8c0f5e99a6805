import { hex } from '../../../../formats/hex.ts';
import type { CallKind } from '../call-kind.ts';
import type { Guest, Service, ServiceOutcome } from '../guest.ts';

/** A service behind a callback, and how a log names a call of it. */
export interface ServiceRow {
  readonly name: string;
  readonly serve: Service;
  /** From registers alone, but for calls of the kind `live`. */
  describe(guest: Guest): string;
  /** What came of it, from the registers before and after; empty where they speak for themselves. */
  result?(before: Guest, after: Guest): string;
  /** What a log keeps of a call; `registers` where nothing is said. */
  kind?(guest: Guest): CallKind;
}

/** One function of an interrupt: nothing returned means `done`. */
export interface FunctionRow<Context> {
  readonly name: string;
  run(context: Context, guest: Guest): ServiceOutcome | undefined;
  /** The parameters that matter, decoded. */
  details?(guest: Guest): string;
  /** What it gave, decoded. */
  result?(guest: Guest): string;
  /** Programs ask this again and again while they wait. */
  readonly poll?: boolean;
  /** `details` looks into memory. */
  readonly readsMemory?: boolean;
}

/** Rows with the number in AH (or AX) that calls them. */
export type FunctionTable<Context> = readonly (FunctionRow<Context> & { readonly number: number })[];

/** The rows by their numbers. */
export const byNumber = <Context>(functions: FunctionTable<Context>): ReadonlyMap<number, FunctionRow<Context>> =>
  new Map(functions.map((row) => [row.number, row]));

export function kindOf(row: Pick<FunctionRow<never>, 'poll' | 'readsMemory'> | undefined): CallKind {
  if (row?.readsMemory) return 'live';
  return row?.poll ? 'poll' : 'registers';
}

/** An interrupt whose function number is in AH. Functions it does not have go to `otherwise`. */
export function rowByAh<Context>(
  interrupt: number,
  name: string,
  context: Context,
  functions: FunctionTable<Context>,
  otherwise: (guest: Guest) => void,
): ServiceRow {
  const known = byNumber(functions);
  // Programs call these more often than anything: tables of all 256, not maps.
  const rows = Array.from({ length: 256 }, (_, ah) => known.get(ah));
  const kinds = rows.map(kindOf);
  // Rows differ in what they have: a call through one of them would look for its function each time.
  const runs = rows.map((row) => row?.run);
  const heads = Array.from({ length: 256 }, (_, ah) => {
    const head = `int ${hex(interrupt, 2)}h ah=${hex(ah, 2)}`;
    return `${head} ${rows[ah]?.name ?? 'unknown'}`;
  });
  return {
    name,
    serve(guest) {
      const run = runs[guest.ah];
      if (run !== undefined) return run(context, guest) ?? 'done';
      otherwise(guest);
      return 'done';
    },
    describe(guest) {
      const { ah } = guest;
      const head = heads[ah] as string;
      const details = rows[ah]?.details?.(guest) ?? '';
      return details === '' ? head : `${head} ${details}`;
    },
    result: ({ ah }, after) => rows[ah]?.result?.(after) ?? '',
    kind: ({ ah }) => kinds[ah] as CallKind,
  };
}

/** An interrupt without functions. */
export function plainRow(interrupt: number, name: string, serve: Service): ServiceRow {
  return { name, serve, describe: () => `int ${hex(interrupt, 2)}h ${name}` };
}

/** A byte as a character for a log. */
export const quoted = (byte: number) =>
  byte >= 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : `${hex(byte, 2)}h`;
