/* The chip's accesses: which address in which half of a cycle, and what comes back when the bus is not its own yet. */
import { cycleFlag } from './cycle-table.ts';
import { fields, type Vic2State } from './fields.ts';
import type { Vic2Timing } from './models.ts';

const D011 = fields.d011;
const D018 = fields.d018;
const BEFORE = fields.d011Before;
const VC = fields.vc;
const RC = fields.rc;
const VMLI = fields.vmli;
const IDLE = fields.idle;
const BAD_LINES_ALLOWED = fields.badLinesAllowed;
const RASTER_LINE = fields.rasterLine;
const G_BYTE = fields.gByte;
const MATRIX_LINE = fields.matrixLine;
const COLOR_LINE = fields.colorLine;
const BUS_DELAY = fields.busDelay;
const DMA = fields.spriteDma;
const MC = fields.mc;
const POINTER = fields.spritePointer;
const DATA = fields.spriteData;
const REFRESH_COUNTER = fields.refreshCounter;
const LAST_PHI2 = fields.lastPhi2Byte;

const ECM = 0x40;
const BMM = 0x20;
const IDLE_ADDRESS = 0x3fff;

/** What the chip is wired to. */
export interface Vic2Wires {
  /** What the chip can see, and where in it each 4K of its bank begin: what `fetch` reads from. */
  readonly memory: Uint8Array;
  readonly pages: Int32Array;
  /** The same in phi2, for c-accesses and two of the three s-accesses: a cartridge may drive its lines in one half only. */
  readonly pagesPhi2: Int32Array;
  /** Reads what the VIC sees in its 16K bank, character ROM and cartridge included. */
  fetch(address14: number): number;
  fetchPhi2(address14: number): number;
  /** Whether the VIC sees the character ROM at this address; if not given, it never does (matters for one quirk only). */
  isCharacterRom?(address14: number): boolean;
  /** Colour RAM: 1024 nibbles. */
  readonly color: Uint8Array;
  /** The byte the CPU has on the bus while BA is low and the VIC has not got the bus yet. */
  cpuBusByte(): number;
  /** Palette indexes of the whole raster, one a byte, all cycles of all lines. */
  readonly frame: Uint8Array;
}

/** The access in phi1. */
export function accessPhi1(s: Vic2State, wires: Vic2Wires, flags: number, timing: Vic2Timing): number {
  if ((flags & cycleFlag.graphics) !== 0) {
    const byte = wires.fetch(s[IDLE] !== 0 ? idleGraphicsAddress(s, timing.nmos) : graphicsAddress(s, wires, timing));
    s[G_BYTE] = byte;
    if (s[IDLE] === 0) {
      s[VMLI] += 1;
      s[VC] = (s[VC] + 1) & 0x3ff;
    }
    return byte;
  }
  if ((flags & (cycleFlag.pointer | cycleFlag.spriteData)) !== 0) return accessSpritePhi1(s, wires, flags);
  if ((flags & cycleFlag.refresh) !== 0) {
    const counter = s[REFRESH_COUNTER];
    s[REFRESH_COUNTER] = (counter - 1) & 0xff;
    return wires.fetch(0x3f00 | counter);
  }
  return wires.fetch(IDLE_ADDRESS);
}

/** The p-access, or the second s-access. */
export function accessSpritePhi1(s: Vic2State, wires: Vic2Wires, flags: number): number {
  const sprite = (flags >> cycleFlag.spriteShift) & 7;
  if ((flags & cycleFlag.pointer) !== 0) {
    const byte = wires.fetch(((s[D018] & 0xf0) << 6) | 0x3f8 | sprite);
    s[POINTER + sprite] = byte;
    return byte;
  }
  const byte = wires.fetch((s[DMA] & (1 << sprite)) !== 0 ? nextSpriteAddress(s, sprite) : IDLE_ADDRESS);
  s[DATA + sprite] = (s[DATA + sprite] & 0xff00ff) | (byte << 8);
  return byte;
}

/** The s-access in phi2 of a cycle with sprite accesses, once the CPU had its half. `isOwn`: the bus is the chip's. */
export function accessSpritePhi2(s: Vic2State, wires: Vic2Wires, flags: number, isOwn: boolean): void {
  const sprite = (flags >> cycleFlag.spriteShift) & 7;
  let byte = s[LAST_PHI2];
  if ((s[DMA] & (1 << sprite)) !== 0) {
    const address = nextSpriteAddress(s, sprite);
    if (isOwn) byte = wires.fetchPhi2(address);
  }
  const data = s[DATA + sprite];
  s[DATA + sprite] = (flags & cycleFlag.pointer) !== 0 ? (data & 0x00ffff) | (byte << 16) : (data & 0xffff00) | byte;
}

function nextSpriteAddress(s: Vic2State, sprite: number): number {
  const mc = s[MC + sprite];
  s[MC + sprite] = (mc + 1) & 0x3f;
  return (s[POINTER + sprite] << 6) | mc;
}

/** The c-access: before the bus is the VIC's own, it sees $FF and the low nibble of the CPU's byte. */
export function accessMatrix(s: Vic2State, wires: Vic2Wires): void {
  const index = s[VMLI];
  if (s[BUS_DELAY] !== 0) {
    s[MATRIX_LINE + index] = 0xff;
    s[COLOR_LINE + index] = wires.cpuBusByte() & 0x0f;
    return;
  }
  const vc = s[VC];
  s[MATRIX_LINE + index] = wires.fetchPhi2(((s[D018] & 0xf0) << 6) | vc);
  s[COLOR_LINE + index] = wires.color[vc] & 0x0f;
}

/**
 * $3FFF, or $39FF with ECM. In the cycle in which a bad line ends the idle state the address is torn (test vsp-tester,
 * late in the line); in the first columns it is not (test colorfetchbug). Where the limit lies is not known.
 */
function idleGraphicsAddress(s: Vic2State, nmos: boolean): number {
  if (s[fields.cycle] > 17 && s[BAD_LINES_ALLOWED] !== 0 && ((s[RASTER_LINE] ^ s[D011]) & 7) === 0)
    return nmos ? 0x38ff : 0x3807;
  return ((nmos ? s[D011] : s[BEFORE]) & ECM) !== 0 ? 0x39ff : IDLE_ADDRESS;
}

/** On NMOS chips BMM rises at once and falls a cycle late, and going over to ROM (from RAM to RAM as well on a 6567R8) the low byte is that of the old mode. */
function graphicsAddress(s: Vic2State, wires: Vic2Wires, { nmos, tornBitmap }: Vic2Timing): number {
  const now = s[D011];
  const before = s[BEFORE];
  if (!nmos) return addressFor(s, before);
  if (((now ^ before) & BMM) !== 0) {
    const from = addressFor(s, before);
    const to = addressFor(s, now);
    const isTorn = isRom(wires, to) || (tornBitmap && (now & BMM) !== 0);
    if (isTorn && !isRom(wires, from)) return (from & 0xff) | (to & 0x3f00);
  }
  return addressFor(s, now | (before & BMM));
}

function isRom(wires: Vic2Wires, address: number): boolean {
  return wires.isCharacterRom?.(address) ?? false;
}

/** Address of a g-access in idle state while $D011 has not changed. */
export function idleAddressNow(s: Vic2State): number {
  return (s[D011] & ECM) !== 0 ? 0x39ff : IDLE_ADDRESS;
}

function addressFor(s: Vic2State, mode: number): number {
  const base =
    (mode & BMM) !== 0
      ? (s[VC] << 3) | s[RC] | ((s[D018] & 8) << 10)
      : (s[MATRIX_LINE + s[VMLI]] << 3) | s[RC] | ((s[D018] & 0x0e) << 10);
  return (mode & ECM) !== 0 ? base & 0x39ff : base & 0x3fff;
}

/** Marks the pages of 256 bytes in the bank (64 of them) that accesses of quiet cycles may read. */
export function markPagesSeen(s: Vic2State, seen: Uint8Array): void {
  seen.fill(0);
  // Idle accesses and refresh.
  seen[0x3f] = 1;
  seen[0x39] = 1;
  const matrix = (s[D018] & 0xf0) >> 2;
  for (let page = matrix; page < matrix + 4; page++) seen[page] = 1;
  const isBitmap = (s[D011] & BMM) !== 0;
  const first = isBitmap ? (s[D018] & 8) << 2 : (s[D018] & 0x0e) << 2;
  const ecmMask = (s[D011] & ECM) !== 0 ? 0x39 : 0x3f;
  for (let page = first; page < first + (isBitmap ? 32 : 8); page++) seen[page & ecmMask] = 1;
}
