import type { PageOutcome, PageRead, Seen, StartableKind, TimelineEntry } from '../channel.ts';
import { tell } from './link.ts';
import { isOpen, showTrouble } from './store.ts';

/** Questions to the server that have an answer each. */

const lost = {
  type: 'error',
  message: 'The connection to the server is lost.',
  fix: 'Wait until the page has reconnected.',
} as const;

let next = 1;
const calls = new Map<number, (outcome: PageOutcome) => void>();
const entries = new Map<number, (entry: TimelineEntry | undefined) => void>();
const looks = new Map<number, (seen: Seen | undefined) => void>();

/** Calls a tool as this person. `isConfirmed`: they have just agreed to it. */
export function call(tool: string, args: Readonly<Record<string, unknown>>, isConfirmed = false): Promise<PageOutcome> {
  const id = next++;
  if (!isOpen.peek()) return Promise.resolve(lost);
  return new Promise((resolve) => {
    calls.set(id, resolve);
    tell({ type: 'call', id, tool, arguments: args, isConfirmed });
  });
}

/** The same, for buttons: what goes wrong is said below the screen. True if it was done. */
export async function perform(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  isConfirmed = true,
): Promise<boolean> {
  const outcome = await call(tool, args, isConfirmed);
  if (outcome.type === 'error') showTrouble(`${outcome.message} ${outcome.fix}`);
  if (outcome.type === 'confirm') showTrouble(outcome.question);
  return outcome.type === 'answer';
}

/** Several reads of one moment of a machine; nothing if it is gone. */
export function look(machine: string, reads: readonly PageRead[]): Promise<Seen | undefined> {
  const id = next++;
  if (!isOpen.peek()) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    looks.set(id, resolve);
    tell({ type: 'inspect', id, machine, reads });
  });
}

export function answered(id: number, outcome: PageOutcome): void {
  calls.get(id)?.(outcome);
  calls.delete(id);
}

export function seen(id: number, moment: Seen | undefined): void {
  looks.get(id)?.(moment);
  looks.delete(id);
}

/** One call as a whole; nothing if it is not kept any more. */
export function readEntry(seq: number): Promise<TimelineEntry | undefined> {
  const id = next++;
  if (!isOpen.peek()) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    entries.set(id, resolve);
    tell({ type: 'entry', id, seq });
  });
}

export function entryCame(id: number, entry: TimelineEntry | undefined): void {
  entries.get(id)?.(entry);
  entries.delete(id);
}

/** Nothing that was asked for will be answered any more. */
export function forgetRequests(): void {
  for (const id of [...calls.keys()]) answered(id, lost);
  for (const id of [...looks.keys()]) seen(id, undefined);
  for (const id of [...entries.keys()]) entryCame(id, undefined);
}

const kindsWaiting: ((kinds: readonly StartableKind[]) => void)[] = [];

/** What can be started, with the options of each. */
export function listKinds(): Promise<readonly StartableKind[]> {
  return new Promise((resolve) => {
    kindsWaiting.push(resolve);
    tell({ type: 'kinds' });
  });
}

export function showKinds(kinds: readonly StartableKind[]): void {
  for (const resolve of kindsWaiting.splice(0)) resolve(kinds);
}

/** As much of a file as one message carries. */
const partBytes = 24 * 1024;
const mostFileBytes = 32 * 1024 * 1024;

/** Brings a file to the server; answers the path under which tools find it there. */
export async function upload(file: File): Promise<string | undefined> {
  if (file.size > mostFileBytes) {
    showTrouble(`${file.name} is too large to drop here; put it in a folder that the server may read.`);
    return undefined;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!isOpen.peek()) {
    showTrouble(`${lost.message} ${lost.fix}`);
    return undefined;
  }
  const id = next++;
  const outcome = new Promise<PageOutcome>((resolve) => calls.set(id, resolve));
  for (let at = 0; at === 0 || at < bytes.length; at += partBytes) {
    const part = String.fromCharCode(...bytes.subarray(at, at + partBytes));
    tell({ type: 'upload', id, name: file.name.slice(-64), part: btoa(part), isLast: at + partBytes >= bytes.length });
  }
  const done = await outcome;
  if (done.type === 'answer') return done.text;
  showTrouble(done.type === 'error' ? done.message : done.question);
  return undefined;
}
