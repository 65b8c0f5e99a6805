/* Sprite DMA and display: Y compares, MC and MCBASE, the expansion flip-flops, and the crunch. */
import { fields, type Vic2State } from './fields.ts';

const REGS = fields.regs;
const ENABLE = fields.d015;
const EXPAND = fields.d017;
const RASTER_LINE = fields.rasterLine;
const DMA = fields.spriteDma;
const DISPLAY = fields.spriteDisplay;
const EXPANSION = fields.spriteExpansion;
const MC = fields.mc;
const MC_BASE = fields.mcBase;
const CYCLE = fields.cycle;
const ZERO_START = fields.spriteZeroStart;

/** Sprites that are enabled and whose Y is this line's. */
export function matchingSprites(s: Vic2State): number {
  const line = s[RASTER_LINE] & 0xff;
  let bits = s[ENABLE];
  for (let sprite = 0; sprite < 8; sprite++) {
    if (s[REGS + 2 * sprite + 1] !== line) bits &= ~(1 << sprite);
  }
  return bits;
}

/** Two cycles near the end of the line: DMA begins for sprites whose Y is this line's. */
export function startSpriteDma(s: Vic2State): void {
  if (s[ENABLE] === 0) return;
  const begin = matchingSprites(s) & ~s[DMA];
  if (begin === 0) return;
  s[DMA] |= begin;
  if ((begin & 1) !== 0) s[ZERO_START] = (s[RASTER_LINE] << 7) | s[CYCLE];
  s[EXPANSION] |= begin;
  for (let sprite = 0; sprite < 8; sprite++) {
    if ((begin & (1 << sprite)) !== 0) s[MC_BASE + sprite] = 0;
  }
}

/** Y-expanded sprites repeat each line: their flip-flop says whether MCBASE may advance. */
export function toggleSpriteExpansion(s: Vic2State): void {
  s[EXPANSION] ^= s[DMA] & s[EXPAND];
}

/** MC is loaded, and display begins or ends. */
export function startSpriteDisplay(s: Vic2State): void {
  for (let sprite = 0; sprite < 8; sprite++) s[MC + sprite] = s[MC_BASE + sprite];
  s[DISPLAY] = (s[DISPLAY] & s[DMA]) | (matchingSprites(s) & s[DMA]);
}

/** MCBASE follows MC; at 63 the sprite is through. */
export function advanceSpriteBase(s: Vic2State): void {
  for (let sprite = 0; sprite < 8; sprite++) {
    if ((s[EXPANSION] & (1 << sprite)) === 0) continue;
    const mc = s[MC + sprite];
    s[MC_BASE + sprite] = mc;
    if (mc === 63) s[DMA] &= ~(1 << sprite);
  }
}

/** $D017 is written: clearing a bit sets the flip-flop; in cycle 15 MC gets a mixture of itself and MCBASE. */
export function writeSpriteExpand(s: Vic2State, value: number, crunch: boolean): void {
  if (value !== s[EXPAND]) {
    const forced = ~value & ~s[EXPANSION] & 0xff;
    for (let sprite = 0; crunch && sprite < 8; sprite++) {
      if ((forced & (1 << sprite)) === 0) continue;
      const mc = s[MC + sprite];
      const base = s[MC_BASE + sprite];
      s[MC + sprite] = (0x2a & base & mc) | (0x15 & (base | mc));
    }
    s[EXPANSION] |= forced;
  }
  s[EXPAND] = value;
}
