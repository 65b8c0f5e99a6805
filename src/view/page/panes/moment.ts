import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PageOutcome, PageRead, Seen } from '../../channel.ts';
import { look } from '../requests.ts';
import { calls, isOpen, watched, watchedHandle } from '../store.ts';

/** What all open panes show: reads of one and the same moment, made in one go. */

/** Of what is not there yet. */
const nothing: readonly (PageOutcome | undefined)[] = [];
const wanted = signal<ReadonlyMap<string, readonly PageRead[]>>(new Map());
const answers = signal<ReadonlyMap<string, readonly PageOutcome[]>>(new Map());
/** `look` counts how often it was looked: a machine that is stopped can be changed as well. */
export const moment = signal<(Omit<Seen, 'outcomes'> & { readonly look: number }) | undefined>(undefined);
let looks = 0;

let isLooking = false;
let isStale = false;

/** The answers to a pane's reads, in their order; undefined for those that are not there yet. */
export function useReads(pane: string, reads: readonly PageRead[]): readonly (PageOutcome | undefined)[] {
  const text = JSON.stringify(reads);
  useEffect(() => {
    wanted.value = new Map(wanted.value).set(pane, JSON.parse(text));
    return () => {
      const rest = new Map(wanted.value);
      rest.delete(pane);
      wanted.value = rest;
    };
  }, [pane, text]);
  return answers.value.get(`${pane} ${text}`) ?? previous(pane);
}

/** While a pane waits for what it asks for now, it shows what it had. */
function previous(pane: string): readonly (PageOutcome | undefined)[] {
  for (const [key, outcomes] of answers.value) if (key.startsWith(`${pane} `)) return outcomes;
  return nothing;
}

/** Looks again although nothing seems to have changed. */
export async function refresh(): Promise<void> {
  const handle = watchedHandle.value;
  const asked = [...wanted.value];
  const reads = asked.flatMap(([, each]) => each);
  if (handle === undefined || reads.length === 0 || !isOpen.value) return;
  if (isLooking) {
    isStale = true;
    return;
  }
  isLooking = true;
  isStale = false;
  const seen = await look(handle, reads);
  isLooking = false;
  if (seen && handle === watchedHandle.value) {
    const rest = [...seen.outcomes];
    answers.value = new Map(
      asked.map(([pane, each]) => [`${pane} ${JSON.stringify(each)}`, rest.splice(0, each.length)]),
    );
    moment.value = { ...seen, look: ++looks };
  }
  if (isStale) void refresh();
  // A machine that is stopped gives no other reason to look again at what a busy computer could not show.
  else if (seen?.isCutShort) refreshLater();
}

/** Whether a machine that runs is looked at again and again: not where that would hold it up. */
export function followsRunning(): boolean {
  return watched.value?.canRewind === true;
}

effect(() => {
  void watchedHandle.value;
  answers.value = new Map();
  moment.value = undefined;
});

/** Looking holds the machine still: one that runs has to get on. */
const runningMs = 1000;
let later: ReturnType<typeof setTimeout> | undefined;

function refreshLater(): void {
  if (later !== undefined) return;
  later = setTimeout(() => {
    later = undefined;
    void refresh();
  }, runningMs);
}

let isDue = false;

/** Panes that are opened together, or that one piece of news concerns, look together. */
function refreshSoon(): void {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    void refresh();
  });
}

effect(() => {
  const machine = watched.value;
  // Each of these is a reason to look again.
  void [wanted.value, machine?.line, calls.value[0]?.seq, isOpen.value];
  if (!machine) return;
  const isFirst = moment.peek() === undefined;
  if (machine.state !== 'RUNNING' || isFirst) refreshSoon();
  else if (followsRunning()) refreshLater();
});
