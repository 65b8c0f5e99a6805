/* $D000-$D03F as the CPU sees them. */
import { fields, type Vic2State } from './fields.ts';
import { clearInterrupts, updateIrqPin } from './interrupts.ts';
import { writeSpriteExpand } from './sprite-dma.ts';

const REGS = fields.regs;

/** Bits that read as 1 because nothing is behind them. */
const unusedBits = Uint8Array.from({ length: 64 }, (_, register) => {
  if (register >= 0x2f) return 0xff;
  if (register >= 0x20) return 0xf0;
  return { 22: 0xc0, 24: 0x01, 25: 0x70, 26: 0xf0 }[register] ?? 0;
});

/** Value of a register without side effects. */
export function peekRegister(s: Vic2State, register: number): number {
  switch (register) {
    case 0x11:
      return (s[fields.d011] & 0x7f) | ((s[fields.rasterLine] & 0x100) >> 1);
    case 0x12:
      return s[fields.rasterLine] & 0xff;
    case 0x13:
      return s[fields.lightPenX] & 0xff;
    case 0x14:
      return s[fields.lightPenY];
    case 0x19:
      return s[fields.irqStatus] | 0x70;
    case 0x1e:
      return s[fields.spriteSprite];
    case 0x1f:
      return s[fields.spriteBackground];
    default:
      return (s[REGS + register] | unusedBits[register]) & 0xff;
  }
}

/** Reads; the collision registers are cleared in the next cycle. */
export function readRegister(s: Vic2State, register: number): number {
  if (register === 0x1e || register === 0x1f) s[fields.clearCollision] = register;
  return peekRegister(s, register);
}

/** `crunch`: this is the cycle in which a write to $D017 crunches sprites. */
export function writeRegister(s: Vic2State, register: number, value: number, crunch: boolean): void {
  if (register >= 0x20) {
    if (register >= 0x2f) return;
    s[REGS + register] = value & 0x0f;
    s[fields.colorRegister] = register;
    s[fields.colorValue] = value & 0x0f;
    return;
  }
  switch (register) {
    case 0x11:
    case 0x12:
      s[REGS + register] = value;
      s[fields.rasterIrqLine] = s[fields.d012] | ((s[fields.d011] & 0x80) << 1);
      return;
    case 0x13:
    case 0x14:
    case 0x1e:
    case 0x1f:
      return;
    case 0x17:
      writeSpriteExpand(s, value, crunch);
      return;
    case 0x19:
      clearInterrupts(s, value);
      return;
    case 0x1a:
      s[fields.d01a] = value & 0x0f;
      updateIrqPin(s);
      return;
    default:
      s[REGS + register] = value;
      s[fields.spriteChanged] = 1;
      if (register <= 0x10) updateSpriteX(s);
  }
}

/** Writes at once and without what a bus access would disturb. */
export function pokeRegister(s: Vic2State, register: number, value: number): void {
  if (register < 0x20 || register >= 0x2f) {
    writeRegister(s, register, value, false);
    return;
  }
  s[REGS + register] = value & 0x0f;
  s[fields.colors + register] = value & 0x0f;
}

function updateSpriteX(s: Vic2State): void {
  for (let sprite = 0; sprite < 8; sprite++) {
    s[fields.spriteX + sprite] = s[REGS + 2 * sprite] | (((s[fields.d010] >> sprite) & 1) << 8);
  }
}
