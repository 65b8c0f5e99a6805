import { batch, computed, signal } from '@preact/signals';
import type { CallLine, MachineInput, MachineLine, ViewerRole } from '../channel.ts';
import { lossesBetween } from './losses.ts';

/** Everything that the page knows. Components read it; `session.ts` and what a person does write it. */

export const noInput: MachineInput = { joysticks: [] };
const keptCalls = 500;
/** As many as somebody wanted to see beyond that. */
let keptEarlier = 0;

export const isOpen = signal(false);
/** Why nothing can be done, while the server cannot be reached. */
export const lostBecause = signal<string | undefined>('Connecting …');
export const me = signal<{ readonly client: string; readonly role: ViewerRole }>({ client: '', role: 'observe' });
export const mayAct = computed(() => me.value.role !== 'observe');
export const isSignedIn = signal(false);
/** Why a token is asked for; undefined while none is. */
export const tokenWanted = signal<string | undefined>(undefined);

export const machines = signal<readonly MachineLine[]>([]);
/** What the person chose: all machines, or one of them. Undefined: they have not chosen, or what they chose is gone. */
export const place = signal<{ readonly handle: string | undefined } | undefined>(undefined);
const wantedConsole = signal<string | undefined>(undefined);

/** The machine that is looked at. A machine that is alone needs no choosing. */
export const watched = computed<MachineLine | undefined>(() => {
  const chosen = place.value;
  const found = machines.value.find(({ handle }) => handle === chosen?.handle);
  if (found || (chosen && chosen.handle === undefined)) return found;
  return machines.value.length === 1 ? machines.value[0] : undefined;
});

/** The console that is looked at; undefined for the screen. */
export const consoleName = computed<string | undefined>(() => {
  const machine = watched.value;
  if (!machine) return undefined;
  const { hasScreen, consoles } = machine;
  if (wantedConsole.value !== undefined && consoles.includes(wantedConsole.value)) return wantedConsole.value;
  return hasScreen ? undefined : consoles[0];
});

export const watchedHandle = computed(() => watched.value?.handle);

/** All machines, one of them, or one of its consoles. */
export function choose(handle: string | undefined, console?: string): void {
  batch(() => {
    place.value = { handle };
    timeline.value = undefined;
    wantedConsole.value = console;
  });
}

/** A machine that was chosen and is gone is not waited for. */
export function showMachines(list: readonly MachineLine[]): void {
  const lost = lossesBetween(machines.value, list, watchedHandle.value);
  batch(() => {
    if (lost.length > 0) showTrouble(lost.join(' '));
    machines.value = list;
    const handle = place.value?.handle;
    if (handle !== undefined && !list.some((each) => each.handle === handle)) place.value = undefined;
  });
}

export const input = signal<MachineInput>(noInput);
export const isByPlace = signal(false);
export const joystickPort = signal<number | undefined>(undefined);
export const isListening = signal(false);
/** Samples of sound that have arrived, for whoever wants to know. */
export const heard = signal(0);

export const calls = signal<readonly CallLine[]>([]);

/** Nothing older is to be had. */
export const isWhole = signal(false);

export function addCalls(added: readonly CallLine[]): void {
  const known = new Set(calls.value.map(({ seq }) => seq));
  const all = [...added.toReversed().filter(({ seq }) => !known.has(seq)), ...calls.value];
  calls.value = all.slice(0, Math.max(keptCalls, keptEarlier));
}

export function addEarlier(older: readonly CallLine[], isAll: boolean): void {
  batch(() => {
    calls.value = [...calls.value, ...older.toReversed()];
    keptEarlier = calls.value.length;
    isWhole.value = isAll;
  });
}

/** The list of calls and what people did in full, in place of machines; `seq`: the one that is looked at. */
export const timeline = signal<{ readonly seq?: number } | undefined>(undefined);

export const typing = signal<{ readonly typed: number; readonly total: number } | undefined>(undefined);
export const trouble = signal('');
const troubleMs = 8000;
let troubleTimer: ReturnType<typeof setTimeout> | undefined;

export function showTrouble(text: string): void {
  trouble.value = text;
  clearTimeout(troubleTimer);
  troubleTimer = setTimeout(() => {
    trouble.value = '';
  }, troubleMs);
}

/** How things are, in a line. */
export const stateLine = computed(() => {
  if (lostBecause.value !== undefined) return lostBecause.value;
  if (watched.value) return watched.value.line;
  const count = machines.value.length;
  if (count === 0) return 'No machine is running.';
  return count === 1 ? '1 machine' : `${count} machines`;
});

/** What is read aloud of it: the line counts on and on. */
export const announcement = computed(() => {
  const machine = watched.value;
  return lostBecause.value === undefined && machine ? `${machine.handle} ${machine.state}` : stateLine.value;
});
