import { fields as f, type TedState } from './fields.ts';

const HORIZONTAL = f.horizontal;
const DUE_EVEN = f.dueEven;
const DUE_ODD = f.dueOdd;
const DMA_STEP = f.dmaStep;
const SINGLE = f.single;
const SCROLL_X = f.scrollX;
const CONTROL1 = f.registers + 6;
const CONTROL2 = f.registers + 7;
const SCREEN = f.registers + 0x14;
/** Of a line, in half cycles. */
export const lastHalf = 113;
/** The bit of register 7 that holds the chip. */
export const frozen = 0x20;
/** Of the sequence in which it takes the bus. */
export const lastStep = 5;
export const timerFlags = [0x08, 0x10, 0x40] as const;

/** Whether so many cycles from here on are all the same. */
export function isPlain(s: TedState, cycles: number): boolean {
  if ((s[DUE_EVEN] | s[DUE_ODD] | s[f.glitch] | s[SCROLL_X] | (s[CONTROL2] & frozen)) !== 0) return false;
  if (s[DMA_STEP] !== 0 && s[DMA_STEP] !== lastStep) return false;
  const run = s[f.timersRun];
  for (let timer = 0; timer < 3; timer += 1) {
    if (((run >> timer) & 1) !== 0 && s[f.timers + timer] <= cycles + 1) return false;
  }
  return true;
}

/** Half cycles after this one in which nothing changes for the processor, as far as the chip itself decides. */
export function quietHalves(s: TedState): number {
  const now = s[HORIZONTAL];
  const isBusy = (s[DUE_EVEN] | s[DUE_ODD] | (s[CONTROL2] & frozen)) !== 0;
  const isTakingBus = s[DMA_STEP] !== 0 && s[DMA_STEP] !== lastStep;
  if (isBusy || isTakingBus || (now >= 97 && now < 104) || now > lastHalf) return 0;
  let end = 97;
  if (now >= 104 || now < 76) end = s[SINGLE] === 0 || s[DMA_STEP] !== 0 ? 75 : 85;
  else if (now < 86) end = 85;
  const halves = end >= now ? end - now : end - now + lastHalf + 1;
  return Math.min(halves, timersQuiet(s));
}

/** Half cycles until a timer may interrupt. */
function timersQuiet(s: TedState): number {
  let quiet = 0x7fff_ffff;
  for (let timer = 0; timer < 3; timer += 1) {
    const isAwaited = ((s[f.timersRun] >> timer) & 1) !== 0 && (s[f.registers + 0x0a] & (timerFlags[timer] ?? 0)) !== 0;
    if (isAwaited) quiet = Math.min(quiet, 2 * s[f.timers + timer] - 4);
  }
  return Math.max(0, quiet);
}

/** Whether the chip may look where there is no memory, which shows what the processor leaves on the bus. */
export function maySeeOpenBus(
  s: TedState,
  { ram, rom }: { readonly ram: Int32Array; readonly rom: Int32Array },
): boolean {
  const isOpen = (table: Int32Array, page: number, count: number) => {
    for (let each = page; each < page + count; each += 1) if (table[each] === -1) return true;
    return false;
  };
  const isRom = (s[f.registers + 0x12] & 4) !== 0;
  const isBitmap = (s[CONTROL1] & 0x20) !== 0;
  const graphics = isBitmap ? (s[f.registers + 0x12] & 0x38) << 2 : s[f.registers + 0x13] & 0xf8;
  return (
    (s[CONTROL1] & 0x80) !== 0 ||
    (isRom && graphics < 0x80) ||
    isOpen(isRom ? rom : ram, graphics, isBitmap ? 0x20 : 8) ||
    isOpen(s[f.romSelected] !== 0 ? rom : ram, s[SCREEN] & 0xf8, 8)
  );
}

/** Marks the pages of RAM, as the chip has its addresses, that it may look at. */
export function markPagesSeen(s: TedState, pages: Uint8Array): void {
  pages.fill(0);
  const matrix = s[SCREEN] & 0xf8;
  pages.fill(1, matrix, matrix + 8);
  if ((s[f.registers + 0x12] & 4) !== 0) return;
  const bitmap = (s[f.registers + 0x12] & 0x38) << 2;
  pages.fill(1, bitmap, bitmap + 0x20);
  const characters = s[f.registers + 0x13] & 0xf8;
  pages.fill(1, characters, characters + 8);
}
