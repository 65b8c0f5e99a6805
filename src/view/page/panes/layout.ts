import { computed, signal } from '@preact/signals';
import { watched } from '../store.ts';

/** Which panes are open and where, remembered for each kind of machine. */

export const sides = ['right', 'below'] as const;
export type Side = (typeof sides)[number];
export type Layout = Readonly<Record<Side, readonly string[]>>;

const kept = (kind: string) => `frontpanel panes ${kind}`;
const layouts = signal<Readonly<Record<string, Layout>>>({});

export const layout = computed<Layout>(() => {
  const { kind = '', canRewind = false, capabilities = [] } = watched.value ?? {};
  const usual = canRewind && capabilities.includes('cpu') ? ['registers', 'code', 'calls'] : ['calls'];
  const below = capabilities.includes('film') ? ['film'] : [];
  return layouts.value[kind] ?? remembered(kind) ?? { right: usual, below };
});

export function isPaneOpen(pane: string): boolean {
  return sides.some((side) => layout.value[side].includes(pane));
}

export function toggle(pane: string): void {
  if (isPaneOpen(pane)) remove(pane);
  else keep({ ...layout.value, right: [pane, ...layout.value.right] });
}

export function remove(pane: string): void {
  keep(without(pane));
}

/** One place up or down, from the end of one side on to the other. */
export function move(pane: string, by: -1 | 1): void {
  const side = sides.find((each) => layout.value[each].includes(pane)) ?? 'right';
  const list = layout.value[side];
  const at = list.indexOf(pane);
  const to = at + by;
  if (to < 0 || to >= list.length) return;
  const moved = list.filter((each) => each !== pane);
  moved.splice(to, 0, pane);
  keep({ ...layout.value, [side]: moved });
}

export function toOtherSide(pane: string): void {
  const to: Side = layout.value.right.includes(pane) ? 'below' : 'right';
  const rest = without(pane);
  keep({ ...rest, [to]: [...rest[to], pane] });
}

function without(pane: string): Layout {
  const { right, below } = layout.value;
  return { right: right.filter((each) => each !== pane), below: below.filter((each) => each !== pane) };
}

function keep(changed: Layout): void {
  const { kind = '' } = watched.value ?? {};
  layouts.value = { ...layouts.value, [kind]: changed };
  try {
    localStorage.setItem(kept(kind), JSON.stringify(changed));
  } catch {
    // It lasts as long as the page.
  }
}

/** Whatever lies there, only names of panes come out. */
function remembered(kind: string): Layout | undefined {
  try {
    const text = localStorage.getItem(kept(kind));
    if (text === null) return undefined;
    const given: unknown = JSON.parse(text);
    const names = (side: Side): string[] => {
      const list: unknown = Reflect.get(Object(given), side);
      return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : [];
    };
    return { right: names('right'), below: names('below') };
  } catch {
    return undefined;
  }
}
