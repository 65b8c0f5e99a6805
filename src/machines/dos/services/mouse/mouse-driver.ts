import { bda } from '../bios/data-area.ts';
import { romCode } from '../bios/rom-layout.ts';
import { plainRow, type ServiceRow } from '../bios/service-row.ts';
import type { VideoBios } from '../bios/video/video-bios.ts';
import type { Guest, ServiceOutcome } from '../guest.ts';
import { type MouseState, resetMouse } from './mouse-state.ts';
import { Pointer } from './pointer.ts';

export interface MouseWires {
  readonly video: VideoBios;
  /** IRQ 11, as a bus mouse's: the driver's own way to the program's handler. */
  irq(level: number): void;
}

const EVENTS_MAX = 64;
const MOVED = 1;

/** The mouse driver behind INT 33h. The machine tells it where the pointer is; programs ask, or are called. */
export class MouseDriver {
  readonly #wires: MouseWires;
  readonly #pointer: Pointer;
  state: MouseState = resetMouse(640, 200);

  constructor(wires: MouseWires) {
    this.#wires = wires;
    this.#pointer = new Pointer(wires.video);
  }

  save(): MouseState {
    return structuredClone(this.state);
  }

  restore(saved: MouseState): void {
    this.state = structuredClone(saved);
  }

  /** The driver's screen: 640 wide, eight by eight for a character in text modes. */
  get size(): { readonly width: number; readonly height: number } {
    const { mode, rows } = this.#wires.video;
    if (mode.layout === 'text') return { width: 640, height: rows * 8 };
    if (mode.characterHeight === 14) return { width: 640, height: 350 };
    return { width: 640, height: mode.characterHeight === 16 ? 480 : 200 };
  }

  /** Functions 0 and 21h. */
  reset(): void {
    this.#pointer.hide(this.state);
    const { width, height } = this.size;
    const { buttons } = this.state;
    this.state = { ...resetMouse(width, height), buttons };
    this.#wires.irq(0);
  }

  /**
   * To a pixel of a picture this large. Where the driver draws the pointer, its own screen is the picture, and a range
   * only keeps it inside; else a program's range of coordinates is taken for the whole picture.
   */
  moveTo(x: number, y: number, pictureWidth: number, pictureHeight: number): void {
    const { state, size } = this;
    const isText = this.#wires.video.mode.layout === 'text';
    const isSize = size.width % pictureWidth === 0 && size.height === pictureHeight;
    const isDrivers = isText || (state.shown >= 0 && isSize);
    const width = isDrivers ? size.width : state.maxX + 1;
    const height = isDrivers ? size.height : state.maxY + 1;
    this.#place(Math.floor((x * width) / pictureWidth), Math.floor((y * height) / pictureHeight), 0, 0);
  }

  /** By so many mickeys. */
  moveBy(dx: number, dy: number): void {
    const { state } = this;
    this.#place(state.x + (dx * 8) / state.ratioX, state.y + (dy * 8) / state.ratioY, dx, dy);
  }

  /** Buttons that are down: 1 left, 2 right, 4 middle. */
  setButtons(buttons: number): void {
    const { state } = this;
    const changed = buttons ^ state.buttons;
    state.buttons = buttons;
    let mask = 0;
    for (let button = 0; button < 3; button++) {
      if ((changed & (1 << button)) === 0) continue;
      const down = (buttons & (1 << button)) !== 0;
      const counted = (down ? state.presses : state.releases)[button];
      if (counted !== undefined) {
        counted.count++;
        counted.x = this.column;
        counted.y = this.line;
      }
      mask |= (down ? 2 : 4) << (button * 2);
    }
    if (mask !== 0) this.#tell(mask);
  }

  /** As programs see it: whole pixels, in text modes whole characters. */
  get column(): number {
    const x = Math.floor(this.state.x);
    return this.#wires.video.mode.layout === 'text' ? x & ~7 : this.#step(x);
  }

  get line(): number {
    const y = Math.floor(this.state.y);
    return this.#wires.video.mode.layout === 'text' ? y & ~7 : y;
  }

  /** In modes of 320 pixels only every other column exists, unless the program has narrowed the range. */
  #step(x: number): number {
    return this.#wires.video.mode.columns === 40 && this.state.maxX >= 639 ? x & ~1 : x;
  }

  show(): void {
    this.state.shown = Math.min(0, this.state.shown + 1);
    this.#pointer.show(this.state);
  }

  hide(): void {
    this.state.shown--;
    this.#pointer.hide(this.state);
  }

  setPosition(x: number, y: number): void {
    const { state } = this;
    state.x = clamp(x, state.minX, state.maxX);
    state.y = clamp(y, state.minY, state.maxY);
    this.#pointer.show(state);
  }

  setRangeX(from: number, to: number): void {
    this.state.minX = Math.min(from, to);
    this.state.maxX = Math.max(from, to);
    this.setPosition(this.state.x, this.state.y);
  }

  setRangeY(from: number, to: number): void {
    this.state.minY = Math.min(from, to);
    this.state.maxY = Math.max(from, to);
    this.setPosition(this.state.x, this.state.y);
  }

  redraw(): void {
    this.#pointer.show(this.state);
  }

  #place(x: number, y: number, mickeysX: number, mickeysY: number): void {
    const { state } = this;
    if (!state.enabled) return;
    const before = { x: this.column, y: this.line };
    const oldX = state.x;
    const oldY = state.y;
    state.x = clamp(x, state.minX, state.maxX);
    state.y = clamp(y, state.minY, state.maxY);
    // A pointer that is put somewhere has travelled as far as its ratio says.
    state.mickeysX = wrap(state.mickeysX + (mickeysX || Math.round(((state.x - oldX) * state.ratioX) / 8)));
    state.mickeysY = wrap(state.mickeysY + (mickeysY || Math.round(((state.y - oldY) * state.ratioY) / 8)));
    if (before.x !== this.column || before.y !== this.line || mickeysX !== 0 || mickeysY !== 0) this.#tell(MOVED);
  }

  /** An event: the pointer is drawn, and the handler called, at the interrupt. */
  #tell(mask: number): void {
    const { state } = this;
    const wanted = (state.handlerMask & mask) !== 0;
    if (wanted) {
      const last = state.events.at(-1);
      const event = { mask, buttons: state.buttons, x: this.column, y: this.line };
      // Movements that nobody has seen yet become one.
      if (last?.mask === MOVED && mask === MOVED) state.events[state.events.length - 1] = event;
      else if (state.events.length < EVENTS_MAX) state.events.push(event);
    }
    if (wanted || state.shown >= 0) this.#wires.irq(1);
  }

  /** INT 73h: the next event goes to the handler, which comes back here. */
  readonly interrupt: ServiceRow = plainRow(0x73, 'mouse driver interrupt', (guest) => this.#interrupt(guest));

  #interrupt(guest: Guest): ServiceOutcome {
    const { state } = this;
    this.#wires.irq(0);
    if (guest.memory.read8(bda.videoMode) !== state.under?.mode) state.under = undefined;
    if (state.shown >= 0) this.#pointer.show(state);
    const event = state.events.shift();
    if (event === undefined || state.handlerMask === 0) return 'done';
    guest.ax = event.mask & state.handlerMask;
    guest.bx = event.buttons;
    guest.cx = event.x;
    guest.dx = event.y;
    guest.si = state.mickeysX & 0xffff;
    guest.di = state.mickeysY & 0xffff;
    for (const word of [0xf000, romCode.mouseReturn]) {
      guest.sp = (guest.sp - 2) & 0xffff;
      guest.memory.write16((guest.ss << 4) + guest.sp, word);
    }
    guest.cs = state.handlerSegment;
    guest.ip = state.handlerOffset;
    return 'jump';
  }
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));
const wrap = (value: number) => (value << 16) >> 16;
