export const serialMouseFields = {
  /** Whether DTR and RTS feed it. */
  powered: 0,
  buttons: 1,
  /** Counts that have not been sent yet. */
  x: 2,
  y: 3,
} as const;

export const serialMouseWords = 4;

type FieldIndex = (typeof serialMouseFields)[keyof typeof serialMouseFields];

export interface SerialMouseWires {
  /** To the UART; gives how many bytes found room. */
  send(bytes: Uint8Array): number;
}

const LINES = 3;
const X = serialMouseFields.x;
const Y = serialMouseFields.y;

/**
 * A Microsoft serial mouse: fed by DTR and RTS, it says `M` when RTS comes up, then three bytes of seven bits for each change.
 *
 * Source: Microsoft Mouse Programmer's Reference (1991). Not emulated: its own rate of 1200 baud (bytes take the UART's time),
 * a middle button.
 */
export class SerialMouse {
  readonly #s: Int32Array & { [index in FieldIndex]: number };
  readonly #wires: SerialMouseWires;

  constructor(state: Int32Array, wires: SerialMouseWires) {
    this.#s = state as Int32Array & { [index in FieldIndex]: number };
    this.#wires = wires;
  }

  powerOn(): void {
    this.#s.fill(0, 0, serialMouseWords);
  }

  /** The UART's DTR (1) and RTS (2). */
  control(lines: number): void {
    const powered = lines === LINES ? 1 : 0;
    if (powered !== 0 && this.#s[serialMouseFields.powered] === 0) this.#wires.send(Uint8Array.of(0x4d));
    this.#s[serialMouseFields.powered] = powered;
  }

  /** Movement in counts, y downwards; buttons: 1 left, 2 right. */
  move(dx: number, dy: number, buttons: number): void {
    const s = this.#s;
    if (s[serialMouseFields.powered] === 0) return;
    s[X] += dx;
    s[Y] += dy;
    let changed = buttons !== s[serialMouseFields.buttons];
    s[serialMouseFields.buttons] = buttons;
    while (changed || s[X] !== 0 || s[Y] !== 0) {
      changed = false;
      const x = Math.max(-128, Math.min(127, s[X]));
      const y = Math.max(-128, Math.min(127, s[Y]));
      const head = 0x40 | ((buttons & 1) << 5) | ((buttons & 2) << 3) | ((y & 0xc0) >> 4) | ((x & 0xc0) >> 6);
      if (this.#wires.send(Uint8Array.of(head, x & 0x3f, y & 0x3f)) < 3) return;
      s[X] -= x;
      s[Y] -= y;
    }
  }
}
