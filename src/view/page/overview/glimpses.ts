import { signal } from '@preact/signals';
import type { PageGlimpse } from '../../channel.ts';

/** What each machine shows, in small. */
export const glimpses = signal<ReadonlyMap<string, PageGlimpse>>(new Map());

export function showGlimpse(machine: string, glimpse: PageGlimpse): void {
  glimpses.value = new Map(glimpses.value).set(machine, glimpse);
}
