import type { AddressCapability } from '../../machine/addresses.ts';
import type { Profile, ProfileNode, RoutineEntry } from '../../machine/profile.ts';

interface ProfileRow {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const mostRows = 2000;

/** `irq irq_handler`, `$C000`. */
export function routineName({ address, kind }: RoutineEntry, addresses: AddressCapability): string {
  if (kind === 'main') return 'main';
  const symbol = addresses.symbols.describe(address)?.replace(/ ?\(.*$/, '');
  return `${kind === 'call' ? '' : `${kind} `}${symbol || addresses.format(address)}`;
}

/** Each routine once, wherever it was called from, the most expensive first. */
export function routines({ root, cycles, frames }: Profile, addresses: AddressCapability): readonly ProfileRow[] {
  const all = new Map<string, { node: ProfileNode; calls: number; self: number; total: number }>();
  const above = new Set<string>();
  const visit = (node: ProfileNode) => {
    const key = `${node.kind} ${node.address}`;
    const known = all.get(key) ?? { node, calls: 0, self: 0, total: 0 };
    known.calls += node.calls;
    known.self += node.self;
    // A routine that calls itself has its time already.
    const isInside = above.has(key);
    if (!isInside) known.total += node.total;
    all.set(key, known);
    above.add(key);
    for (const child of node.children) visit(child);
    if (!isInside) above.delete(key);
  };
  visit(root);
  return [...all.values()]
    .sort((one, other) => other.self - one.self)
    .map(({ node, calls, self, total }) => {
      const name = routineName(node, addresses);
      const average = Math.round(total / Math.max(1, frames));
      const most = node.mostOfRoutine;
      return {
        text: `${percent(self, cycles)} ${name}: ${self} cycles itself, ${total} with calls (${average} a frame, at most ${most}), ${calls} ${calls === 1 ? 'call' : 'calls'}`,
        data: {
          routine: name,
          address: addresses.format(node.address),
          kind: node.kind,
          calls,
          self,
          total,
          per_frame: average,
          most_in_a_frame: most,
        },
      };
    });
}

/** As calls were made, indented. */
export function callTree({ root, cycles }: Profile, addresses: AddressCapability): readonly ProfileRow[] {
  const rows: ProfileRow[] = [];
  const visit = (node: ProfileNode, depth: number) => {
    if (rows.length >= mostRows) return;
    const { calls, self, total } = node;
    const name = routineName(node, addresses);
    rows.push({
      text: `${'  '.repeat(depth)}${name}: ${total} cycles (${percent(total, cycles)}), ${self} itself, ${calls} ${calls === 1 ? 'call' : 'calls'}`,
      data: { depth, routine: name, address: addresses.format(node.address), calls, self, total },
    });
    for (const child of node.children) visit(child, depth + 1);
  };
  visit(root, 0);
  return rows;
}

/** By the symbol before an instruction, or by the source line that it was made from. */
export function spentBy(
  { instructions, cycles }: Profile,
  addresses: AddressCapability,
  by: 'symbol' | 'line',
): readonly ProfileRow[] {
  const sums = new Map<string, number>();
  for (const { address, cycles: spent } of instructions) {
    const known = addresses.symbols.describe(address) ?? '';
    const line = /\(([^()]+)\)$/.exec(known)?.[1];
    const symbol = known.replace(/ ?\(.*$/, '').replace(/\+\d+$/, '');
    const key = (by === 'line' ? line : symbol) || symbol || addresses.format(address & ~0xffn);
    sums.set(key, (sums.get(key) ?? 0) + spent);
  }
  return [...sums]
    .sort(([, one], [, other]) => other - one)
    .map(([name, spent]) => ({
      text: `${percent(spent, cycles)} ${name}: ${spent} cycles`,
      data: { [by]: name, cycles: spent, percent: Number(((100 * spent) / Math.max(1, cycles)).toFixed(2)) },
    }));
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}
