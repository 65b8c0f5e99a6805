import { due, fields as f, type TedState } from './fields.ts';
import { mostRows, type TedTiming } from './models.ts';

const CONTROL1 = f.registers + 6;

const displayOn = 0x10;
const rows25 = 8;
const attributeFetch = 1;
const characterFetch = 2;
const fetchesPossible = 0x80;
/** The last line with badlines, the line after the picture, and the one in which all counters are back. */
const lastDmaLine = 203;
const endLine = 204;
const restLine = 205;
const noReload = 0x3ff;

/** The line counter moves, and whatever begins and ends with a line. */
export function countLine(s: TedState, timing: TedTiming): void {
  if (s[f.lineKnown] === timing.lines - 1) startPicture(s);
  if (s[f.rowLineCounts] !== 0) s[f.dueEven] |= due.rowLine;
  s[f.dma] &= fetchesPossible;
  // Characters come in the line after their attributes.
  if (isBadLine(s)) s[f.dma] |= characterFetch;
  else if (s[f.dmaStep] !== 0) s[f.dueEven] |= due.stopDma;
  const line = (s[f.line] + 1) & 0x1ff;
  s[f.renderWindow] |= s[f.dmaEnabled];
  s[f.line] = line;
  s[f.rowLineBefore] = s[f.rowLine];
  s[f.row] += 1;
  if (line === timing.syncLine || s[f.row] >= mostRows) {
    s[f.row] = 0;
    s[f.frameCount] += 1;
  }
  if (line === timing.blankFrom) s[f.blank] |= 2;
  else if (line === timing.blankTo) s[f.blank] &= ~2;
  if (line <= 8) openWindow(s, line);
  else if (line >= 200 && line <= endLine) closeWindow(s, line);
}

function startPicture(s: TedState): void {
  s[f.line] = 0x1ff;
  s[f.position] = 0;
  s[f.positionNow] = 0;
  s[f.positionReload] = 0;
  s[f.refreshRow] = 0;
}

function openWindow(s: TedState, line: number): void {
  if ((s[CONTROL1] & displayOn) === 0) return;
  if (line === 0) s[f.dueEven] |= due.initialize;
  if (line === (s[CONTROL1] & rows25 ? 4 : 8)) s[f.displayWindow] = 1;
}

function closeWindow(s: TedState, line: number): void {
  if (line === (s[CONTROL1] & rows25 ? endLine : 200)) s[f.displayWindow] = 0;
  if (line !== endLine) return;
  s[f.renderWindow] = 0;
  s[f.rowLineCounts] &= s[f.dmaEnabled];
}

/** One cycle later the rest of the chip knows of the new line. */
export function noticeLine(s: TedState): void {
  const line = s[f.line];
  s[f.lineKnown] = line;
  if (line === lastDmaLine) s[f.dmaEnabled] = 0;
  if (line === endLine) {
    s[f.noGraphics] |= 2;
    s[f.single] &= ~1;
  } else if (s[f.renderWindow] !== 0) {
    if (((line ^ s[CONTROL1]) & 7) === 0 && s[f.dmaEnabled] !== 0) s[f.rowLineCounts] = 1;
    if ((s[f.dma] & characterFetch) !== 0) s[f.noGraphics] &= 1;
  }
}

/** Display is enabled in line 0: badlines may come. */
export function initializeDisplay(s: TedState): void {
  s[f.dmaEnabled] = 1;
  if (s[f.renderWindow] !== 0) return;
  s[f.renderWindow] = 1;
  s[f.dueOdd] |= due.resetRowLine;
  if (s[f.isFetchTime] !== 0) s[f.dueEven] |= due.single;
}

export function isBadLine(s: TedState): boolean {
  return s[f.dmaEnabled] !== 0 && (s[f.lineKnown] & 7) === s[f.scrollY];
}

/** Below the picture addresses begin anew. */
export function restDma(s: TedState): void {
  if (s[f.line] === restLine && s[f.dmaCounts] === 0) s[f.dmaReload] = noReload;
}

/** It is time to take the bus from the processor, if this line wants it. */
export function beginDma(s: TedState): void {
  s[f.dma] |= fetchesPossible;
  if (s[f.slot] === 40) s[f.slot] = 60;
  if (isBadLine(s)) {
    s[f.dma] |= attributeFetch;
    s[f.dmaBase] = 0;
  } else if ((s[f.dma] & characterFetch) !== 0) s[f.dmaBase] = 0x400;
  else return;
  s[f.dmaStep] = 1;
  s[f.single] |= s[f.renderWindow];
}

/** Vertical scrolling has changed: the line may become bad, or good again. */
export function changeScrollY(s: TedState, isAtLineStart: boolean): void {
  s[f.scrollY] = s[CONTROL1] & 7;
  if (s[f.renderWindow] === 0) return;
  if ((s[f.lineKnown] & 7) !== s[f.scrollY]) {
    s[f.dma] &= fetchesPossible | characterFetch;
    if ((s[f.dma] & characterFetch) !== 0) s[f.dmaBase] = 0x400;
    else if (s[f.dmaStep] !== 0) s[f.dueEven] |= due.stopDma;
    return;
  }
  if (s[f.dmaEnabled] === 0) return;
  s[f.rowLineCounts] = 1;
  if (isAtLineStart) s[f.dueEven] |= due.rowLine;
  if ((s[f.dma] & fetchesPossible) === 0) return;
  if (s[f.dmaStep] === 0) {
    s[f.dmaStep] = 1;
    s[f.single] |= 1;
  }
  s[f.dma] |= attributeFetch;
  s[f.dmaBase] = 0;
}

/** Whoever switches the display on or changes the number of rows in the right line is heard at once. */
export function changeWindow(s: TedState): void {
  const value = s[CONTROL1];
  const is25 = (value & rows25) !== 0;
  const isOn = (value & displayOn) !== 0;
  switch (s[f.line]) {
    case 0:
      if (isOn) s[f.dueEven] |= due.initialize | due.scrollY;
      break;
    case 4:
    case 8:
      if (isOn && is25 === (s[f.line] === 4)) s[f.displayWindow] = 1;
      break;
    case 200:
    case endLine:
      if (is25 === (s[f.line] === endLine)) s[f.displayWindow] = 0;
  }
}
