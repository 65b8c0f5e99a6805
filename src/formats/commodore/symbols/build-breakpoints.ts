import type { FileBreakpoint } from './symbol-file.ts';

const longestRange = 0x10000;
/** Registers as VICE's monitor calls them. */
const registers: Readonly<Record<string, string>> = { RL: 'raster_line', CY: 'raster_cycle', FL: 'P' };
const commandForm =
  /^[\t ]*(break|bk|watch|w|trace|tr)[\t ]+((?:(?:load|store|exec)[\t ]+)*)\$?(?:[a-z]:)?([\da-f]{1,4}|\.[\w:.@]+)(?:[\t ]+\$?([\da-f]{1,4})\b)?(?:[\t ]+if[\t ]+(.+))?/gim;

/** Breakpoints among commands for VICE's monitor, as KickAssembler and others write them beside labels. */
export function viceBreakpoints(text: string, addressOf: (label: string) => number | undefined): FileBreakpoint[] {
  const found: FileBreakpoint[] = [];
  for (const [, command = '', operations = '', place = '', last, condition] of text.matchAll(commandForm)) {
    const first = place.startsWith('.') ? addressOf(place.slice(1)) : Number.parseInt(place, 16);
    if (first === undefined) continue;
    const end = last === undefined ? first : Number.parseInt(last, 16);
    const isWatch = /^w/i.test(command);
    const types = typesOf(operations, isWatch ? ['read', 'write'] : ['exec']);
    // A trace point tells and does not stop.
    const logOnly = /^t/i.test(command);
    found.push(...breakpointsOf(types, first, end, condition).map((each) => (logOnly ? { ...each, logOnly } : each)));
  }
  return found;
}

/** `argument` as KickAssembler passes it on: `if a == 5`, `store`. */
export function breakpointsOf(
  types: readonly FileBreakpoint['type'][],
  first: number,
  last: number,
  argument = '',
): readonly FileBreakpoint[] {
  const length = Math.max(1, Math.min(longestRange, last - first + 1));
  const condition = argument.trim().replace(/^if\s+/i, '');
  return types.map((type) => ({
    type,
    address: first,
    length,
    ...(condition !== '' && { condition: translated(condition) }),
  }));
}

export function typesOf(
  operations: string,
  fallback: readonly FileBreakpoint['type'][],
): readonly FileBreakpoint['type'][] {
  const words = operations.toLowerCase().split(/\s+/);
  const named = { load: 'read', store: 'write', exec: 'exec' } as const;
  const types = (['load', 'store', 'exec'] as const).filter((word) => words.includes(word)).map((word) => named[word]);
  return types.length > 0 ? types : fallback;
}

/** What VICE's monitor and our conditions write differently: memory, and some registers. */
function translated(condition: string): string {
  return condition
    .slice(0, 500)
    .replace(/@(?:cpu:|ram:)?(\$?[\da-f]{1,4})/gi, (_, address: string) => `[${dollar(address)}]`)
    .replace(/\b(RL|CY|FL)\b/g, (name) => registers[name] ?? name);
}

function dollar(address: string): string {
  return address.startsWith('$') ? address : `$${address}`;
}
