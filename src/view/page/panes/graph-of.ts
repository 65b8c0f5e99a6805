import { computed, signal } from '@preact/signals';
import { watchedHandle } from '../store.ts';

/** Of each machine the function whose graph is shown; none: all that has run. */
const functions = signal<ReadonlyMap<string, string>>(new Map());

export const graphAddress = computed(() => functions.value.get(watchedHandle.value ?? '') ?? '');

export function showGraphOf(address: string): void {
  functions.value = new Map(functions.value).set(watchedHandle.value ?? '', address);
}
