import { batch, effect } from '@preact/signals';
import {
  longestMessage,
  longestPaste,
  type PageCommand,
  type PageEvent,
  type PageOutcome,
  type PagePicture,
} from '../channel.ts';
import { applyBand, type PictureBand } from '../frames.ts';
import { Connection } from './connection.ts';
import { feeds } from './feeds.ts';
import { act, connectTo, tell } from './link.ts';
import { showGlimpse } from './overview/glimpses.ts';
import { answered, entryCame, forgetRequests, seen, showKinds } from './requests.ts';
import {
  addCalls,
  addEarlier,
  calls,
  consoleName,
  input,
  isListening,
  isOpen,
  isSignedIn,
  isWhole,
  lostBecause,
  me,
  noInput,
  showMachines,
  showTrouble,
  tokenWanted,
  typing,
  watchedHandle,
} from './store.ts';

let connection: Connection | undefined;
let picture: PagePicture | undefined;
/** Rows that have changed since the picture was whole. */
let dirty = { row: 0, rows: 0 };

/** Opens the way to the server, and keeps the store in step with what it says. */
export function openSession(): void {
  connection = new Connection({
    opened: greet,
    event: hear,
    band: takeBand,
    sound: (sound) => feeds.sound?.(sound),
    tooLong,
    lost: (why, wanted) => {
      forgetRequests();
      batch(() => {
        isOpen.value = false;
        lostBecause.value = why;
        typing.value = undefined;
        tokenWanted.value = wanted;
      });
    },
  });
  connectTo((command) => connection?.send(command));
  effect(() => {
    if (isOpen.value) tell({ type: 'listen', isListening: isListening.value });
  });
  effect(watch);
  document.addEventListener('visibilitychange', look);
}

/** Nothing of it was done, and whoever waits for an answer gets one. */
function tooLong(command: PageCommand): void {
  const message = `That is more than ${longestMessage / 1024} KB, the limit for one message; nothing was sent.`;
  const outcome: PageOutcome = { type: 'error', message, fix: 'Send less at a time.' };
  if (command.type === 'call') answered(command.id, outcome);
  else showTrouble(message);
  if (command.type === 'inspect') seen(command.id, undefined);
}

export function signIn(token: string): void {
  connection?.signIn(token);
}

/** Types text on the machine whose screen is shown. */
export function pasteOnScreen(text: string): void {
  if (isShortEnough(text, longestPaste)) act({ type: 'paste', text: text.replaceAll('\r\n', '\n') });
}

export function isShortEnough(text: string, most: number): boolean {
  if (text.length <= most) return true;
  const [length, limit] = [text.length, most].map((count) => count.toLocaleString());
  showTrouble(`${length} characters are more than the limit of ${limit}; nothing was typed. Paste it in parts.`);
  return false;
}

/** To a server that knows nothing of us, or not any more. */
function greet(): void {
  look();
  batch(() => {
    calls.value = [];
    isWhole.value = false;
    lostBecause.value = undefined;
    tokenWanted.value = undefined;
    isSignedIn.value = true;
    isOpen.value = true;
  });
}

function look(): void {
  tell({ type: 'look', isLooking: !document.hidden });
}

/** Looks at what was chosen: one machine's screen, one of its consoles, or nothing. */
function watch(): void {
  const [machine, console] = [watchedHandle.value, consoleName.value];
  input.value = noInput;
  picture = undefined;
  if (!isOpen.value) return;
  if (machine === undefined) tell({ type: 'leave' });
  else tell({ type: 'watch', machine, ...(console !== undefined && { console }) });
}

function hear(event: PageEvent): void {
  switch (event.type) {
    case 'you':
      me.value = event;
      break;
    case 'machines':
      showMachines(event.machines);
      break;
    case 'calls':
      addCalls(event.calls);
      break;
    case 'input':
      if (event.machine === watchedHandle.value) input.value = event.input;
      break;
    case 'terminal':
      if (event.machine === watchedHandle.value && event.console === consoleName.value)
        feeds.terminal?.(event.terminal);
      break;
    case 'typing':
      typing.value = event.isOver ? undefined : event;
      break;
    case 'trouble':
      showTrouble(event.text);
      break;
    case 'answer':
      answered(event.id, event.outcome);
      break;
    case 'seen':
      seen(event.id, event.seen);
      break;
    case 'entry':
      entryCame(event.id, event.entry);
      break;
    case 'earlier':
      addEarlier(event.calls, event.isAll);
      break;
    case 'kinds':
      showKinds(event.kinds);
      break;
    case 'glimpse':
      showGlimpse(event.machine, event.glimpse);
  }
}

/** For a screen that has just come up: what it would show, if anything. */
export function repaint(): void {
  if (picture) feeds.picture?.(picture, { row: 0, rows: picture.height });
}

function takeBand(band: PictureBand, difference: Uint8Array): void {
  picture = applyBand(picture, band, difference);
  const { width, height, depth, row, isFirst, isLast, palette } = band;
  const isAll = isFirst || palette.length > 0;
  const end = isAll ? height : Math.max(dirty.row + dirty.rows, row + Math.ceil(difference.length / (width * depth)));
  const start = isAll ? 0 : dirty.rows === 0 ? row : Math.min(dirty.row, row);
  dirty = { row: start, rows: end - start };
  if (!isLast) return;
  feeds.picture?.(picture, dirty);
  dirty = { row: 0, rows: 0 };
}
