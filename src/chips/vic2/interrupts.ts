/* $D019 latches whatever the mask says; $D01A only gates the pin. */
import { fields, type Vic2State } from './fields.ts';

const STATUS = fields.irqStatus;
const IRQ = fields.irq;
const MASK = fields.d01a;

export const interrupt = { raster: 1, spriteBackground: 2, spriteSprite: 4, lightPen: 8 } as const;

export function raiseInterrupt(s: Vic2State, source: number): void {
  s[STATUS] |= source;
  updateIrqPin(s);
}

export function clearInterrupts(s: Vic2State, sources: number): void {
  s[STATUS] &= ~sources & 0x0f;
  updateIrqPin(s);
}

export function updateIrqPin(s: Vic2State): void {
  s[STATUS] &= 0x0f;
  s[IRQ] = (s[STATUS] & s[MASK]) !== 0 ? 1 : 0;
  if (s[IRQ] !== 0) s[STATUS] |= 0x80;
}
