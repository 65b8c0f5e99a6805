import { computed, effect, signal } from '@preact/signals';
import type { PageOutcome } from '../../channel.ts';
import { fieldOf, listOf, plain } from '../panes/outcome.ts';
import { look } from '../requests.ts';
import { calls, isOpen, watched, watchedHandle } from '../store.ts';
import { EarliestTimer } from './earliest-timer.ts';

/** What is known of the watched machine's past: small pictures of it, and where something happened. */

export interface Reel {
  readonly machine: string;
  readonly first: number;
  readonly now: number;
  readonly unitsPerSecond: number;
  readonly times: readonly number[];
  readonly columns: number;
  readonly cell: { readonly width: number; readonly height: number };
  /** All of them on one sheet, as an address. */
  readonly sheet: string;
  readonly happened: readonly Happening[];
}

export interface Happening {
  readonly time: number;
  readonly type: 'stop' | 'snapshot' | 'call' | 'person';
  readonly text: string;
}

export interface PastMoment {
  readonly machine: string;
  readonly time: number;
  /** As an address; none until it has come. */
  readonly picture?: string;
}

const shownPictures = 24;
/** A machine that runs has a new past all the time. */
const runningMs = 5000;
const settleMs = 300;
/** What a busy computer could not show is asked for again. */
const againMs = 2000;
const mostHappenings = 150;

export const reel = signal<Reel | undefined>(undefined);
/** What is looked at instead of the present. */
export const past = signal<PastMoment | undefined>(undefined);
export const filmTrouble = signal('');

let users = 0;
let isLooking = false;
let isStale = false;
/** A stop is shown at once, though the next look at a running machine is a while off. */
const nextLook = new EarliestTimer(() => void refresh());

/** From now on the film is kept up to date; the answer ends that. */
export function openFilm(): () => void {
  users++;
  void refresh();
  return () => {
    users--;
    past.value = undefined;
  };
}

/** Where calls began and what people did, as far as that past is still this machine's. */
export const happenings = computed<readonly Happening[]>(() => {
  const shown = reel.value;
  if (!shown) return [];
  const own = calls.value.filter(({ machine, time }) => machine === shown.machine && time !== undefined).toReversed();
  let kept: Happening[] = [];
  for (const { time = 0, tool, isPerson = false, answer, client } of own) {
    // It was taken back since: what came after that is not its past any more.
    kept = kept.filter((each) => each.time <= time);
    const text = isPerson && tool.startsWith('page ') ? `${client} ${answer}` : `${client}: ${tool}`;
    kept.push({ time, type: isPerson ? 'person' : 'call', text });
  }
  return [...shown.happened, ...kept]
    .filter(({ time }) => time >= shown.first && time <= shown.now)
    .sort((a, b) => a.time - b.time)
    .slice(-mostHappenings);
});

/** Looks at a moment of the past; of those asked for in a hurry only the last is shown. */
export function showPast(time: number | undefined): void {
  const machine = watchedHandle.value;
  if (time === undefined || machine === undefined) {
    past.value = undefined;
    void refresh();
    return;
  }
  const before = past.peek();
  past.value = { machine, time, ...(before?.picture !== undefined && { picture: before.picture }) };
  void develop();
}

let isDeveloping = false;

async function develop(): Promise<void> {
  if (isDeveloping) return;
  isDeveloping = true;
  for (let wanted = past.peek(); wanted; ) {
    const { machine, time } = wanted;
    const seen = await look(machine, [{ tool: 'film_read', arguments: { at: time } }]);
    const [outcome] = seen?.outcomes ?? [];
    const picture = imageOf(outcome);
    const now = past.peek();
    if (now?.machine === machine && picture !== undefined) {
      // Where only some moments can be shown, it is the one before.
      const shown = Number(fieldOf(outcome, 'time') ?? time);
      past.value = { machine, time: now.time === time ? shown : now.time, picture };
    }
    filmTrouble.value = outcome?.type === 'error' ? outcome.message : '';
    wanted = now && now.time !== time ? now : undefined;
    if (wanted || !seen?.isCutShort || !now) continue;
    filmTrouble.value = `${filmTrouble.value} Retrying.`;
    await new Promise((resolve) => setTimeout(resolve, againMs));
    wanted = past.peek();
  }
  isDeveloping = false;
}

async function refresh(): Promise<void> {
  const machine = watchedHandle.peek();
  // Who looks at a moment has it in front of them until they have done.
  if (users === 0 || machine === undefined || !isOpen.peek() || past.peek()) return;
  if (isLooking) {
    isStale = true;
    return;
  }
  isLooking = true;
  isStale = false;
  const seen = await look(machine, [{ tool: 'film_read', arguments: { count: shownPictures } }]);
  isLooking = false;
  const [outcome] = seen?.outcomes ?? [];
  const found = outcome && reelOf(machine, outcome);
  if (found && machine === watchedHandle.peek() && !past.peek()) reel.value = found;
  filmTrouble.value = outcome?.type === 'error' ? outcome.message : '';
  if (isStale) void refresh();
  // A machine that is stopped gives no other reason to look again at what a busy computer could not show.
  else if (!found) refreshIn(runningMs);
}

function refreshIn(ms: number): void {
  if (watched.peek()?.capabilities.includes('film')) nextLook.within(ms);
}

function reelOf(machine: string, outcome: PageOutcome): Reel | undefined {
  const number = (name: string) => Number(fieldOf(outcome, name));
  const sheet = imageOf(outcome);
  const times = fieldOf(outcome, 'times');
  const cell = Object(fieldOf(outcome, 'cell'));
  if (sheet === undefined || !Array.isArray(times)) return undefined;
  const happened = (name: string, type: Happening['type'], text: string): Happening[] =>
    listOf(outcome, name).map((each) => ({ time: Number(each.time), type, text: plain(each[text]) }));
  return {
    machine,
    first: number('first'),
    now: number('now'),
    unitsPerSecond: number('units_per_second'),
    times: times.map(Number),
    columns: number('columns'),
    cell: { width: Number(Reflect.get(cell, 'width')), height: Number(Reflect.get(cell, 'height')) },
    sheet,
    happened: [...happened('stops', 'stop', 'reason'), ...happened('snapshots', 'snapshot', 'name')],
  };
}

function imageOf(outcome: PageOutcome | undefined): string | undefined {
  const image = outcome?.type === 'answer' ? outcome.images?.[0] : undefined;
  return image && `data:${image.mimeType};base64,${image.base64}`;
}

effect(() => {
  void watchedHandle.value;
  reel.value = undefined;
  past.value = undefined;
});

effect(() => {
  const machine = watched.value;
  // Each of these is a reason to look again.
  void [machine?.line, calls.value[0]?.seq, isOpen.value];
  const isFirst = reel.peek() === undefined;
  refreshIn(isFirst ? 0 : machine?.state === 'RUNNING' ? runningMs : settleMs);
});
