import { hex } from '../../../../formats/hex.ts';
import type { Guest, Service, ServiceOutcome } from '../guest.ts';

/** A service behind a callback, and how a log names a call of it. */
export interface ServiceRow {
  readonly name: string;
  readonly serve: Service;
  /** From registers alone, but for what `readsMemory` says. */
  describe(guest: Guest): string;
  /** What came of it, from the registers before and after; empty where they speak for themselves. */
  result?(before: Guest, after: Guest): string;
  /** True for a question that programs ask again and again while they wait. */
  isPoll?(guest: Guest): boolean;
  /** True where `describe` looks into memory, which is another one later. */
  readsMemory?(guest: Guest): boolean;
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

/** An interrupt whose function number is in AH. Functions it does not have go to `otherwise`. */
export function rowByAh<Context>(
  interrupt: number,
  name: string,
  context: Context,
  functions: FunctionTable<Context>,
  otherwise: (guest: Guest) => void,
): ServiceRow {
  const rows = byNumber(functions);
  const heads = Array.from({ length: 256 }, (_, ah) => {
    const head = `int ${hex(interrupt, 2)}h ah=${hex(ah, 2)}`;
    return `${head} ${rows.get(ah)?.name ?? 'unknown'}`;
  });
  return {
    name,
    serve(guest) {
      const row = rows.get(guest.ah);
      if (row !== undefined) return row.run(context, guest) ?? 'done';
      otherwise(guest);
      return 'done';
    },
    describe(guest) {
      const { ah } = guest;
      const head = heads[ah] as string;
      const details = rows.get(ah)?.details?.(guest) ?? '';
      return details === '' ? head : `${head} ${details}`;
    },
    result: ({ ah }, after) => rows.get(ah)?.result?.(after) ?? '',
    isPoll: ({ ah }) => rows.get(ah)?.poll ?? false,
    readsMemory: ({ ah }) => rows.get(ah)?.readsMemory ?? false,
  };
}

/** An interrupt without functions. */
export function plainRow(interrupt: number, name: string, serve: Service): ServiceRow {
  return { name, serve, describe: () => `int ${hex(interrupt, 2)}h ${name}` };
}

/** A byte as a character for a log. */
export const quoted = (byte: number) =>
  byte >= 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : `${hex(byte, 2)}h`;
