import { fields, type Mos6526State } from './fields.ts';
import { BIT7_1, BIT7_2, BIT7_3, CLEAR1, CLEAR3, RAISE1, RAISE2, RAISE3, READ1, READ2 } from './pipeline.ts';

/**
 * ICR. The 6526 pulls /IRQ a cycle after the source, the 6526A in the same cycle. A read clears the sources at once on the
 * 6526, two cycles later on the 6526A, and takes an interrupt back that is still on its way.
 */
const IRQ = fields.irq;
const FLAGS = fields.flags;
const MASK = fields.mask;
const NEW_FLAGS = fields.newFlags;
const ACKNOWLEDGED = fields.acknowledged;
const PIPELINE = fields.pipeline;

/** Sources set outside a tick; the next one acts on them. */
export function setSources(s: Mos6526State, sources: number): void {
  s[FLAGS] |= sources;
  s[NEW_FLAGS] |= sources;
  s[ACKNOWLEDGED] &= ~sources;
}

export function interruptStep(s: Mos6526State, sources: number, old: boolean): void {
  const p = s[PIPELINE];
  if (sources !== 0) {
    s[FLAGS] |= sources;
    s[ACKNOWLEDGED] &= ~sources;
  }
  if ((p & CLEAR3) !== 0) {
    s[FLAGS] &= ~(s[ACKNOWLEDGED] | (old ? 0x80 : 0));
    s[ACKNOWLEDGED] = 0;
  }
  let next = p;
  const fresh = sources | s[NEW_FLAGS];
  if (fresh !== 0) {
    s[NEW_FLAGS] = 0;
    if ((fresh & s[MASK]) !== 0) next |= old || (p & READ2) !== 0 ? RAISE2 | BIT7_2 : RAISE3 | BIT7_3;
  }
  if ((next & BIT7_3) !== 0) s[FLAGS] |= 0x80;
  if ((next & RAISE3) !== 0) s[IRQ] = 1;
  s[PIPELINE] = next;
}

export function interruptRead(s: Mos6526State, old: boolean): number {
  // Timer B's source that came in the cycle after the last read is lost (6526).
  if ((s[FLAGS] & 0x100) !== 0) s[FLAGS] &= ~0x102;
  let p = s[PIPELINE];
  if (!old && (p & RAISE2) !== 0 && (s[FLAGS] & 0x1f) !== 0) s[FLAGS] |= 0x80;
  const value = s[FLAGS];
  if (old) {
    p &= ~RAISE2;
    s[FLAGS] &= 0x80;
    s[NEW_FLAGS] = 0;
  } else {
    p &= ~(RAISE2 | BIT7_2);
    if (value !== 0) s[ACKNOWLEDGED] |= value | 0x80;
  }
  s[PIPELINE] = p | CLEAR1 | READ1;
  s[IRQ] = 0;
  return value;
}

export function interruptWrite(s: Mos6526State, value: number, old: boolean): void {
  if ((value & 0x80) !== 0) s[MASK] |= value & 0x1f;
  else s[MASK] &= ~value;
  const p = s[PIPELINE];
  if ((s[FLAGS] & s[MASK]) !== 0) {
    if (s[IRQ] !== 0) return;
    if (old) s[PIPELINE] = p | RAISE1 | BIT7_1;
    else if ((p & READ2) === 0) s[PIPELINE] = p | RAISE2 | BIT7_2;
  } else if (old && (p & CLEAR3) !== 0) s[PIPELINE] = p & ~(RAISE2 | BIT7_2);
}
