import { hex } from '../../../../../formats/hex.ts';
import type { Guest, ServiceOutcome } from '../../guest.ts';
import type { Hardware, PortBus } from '../bios-wires.ts';
import { romCode } from '../rom-layout.ts';
import { type FunctionRow, plainRow, type ServiceRow } from '../service-row.ts';

export interface PointerState {
  handlerSegment: number;
  handlerOffset: number;
  enabled: boolean;
  packet: number[];
  /** Bytes to come that are answers to commands, not packets. */
  answersDue: number;
}

const rates = [10, 20, 40, 60, 80, 100, 200];

/** The PS/2 mouse of INT 15h AH=C2h: packets are gathered at INT 74h and handed to the program's handler. */
export class PointingDevice {
  readonly #ports: PortBus;
  #state: PointerState = { handlerSegment: 0, handlerOffset: 0, enabled: false, packet: [], answersDue: 0 };

  constructor(ports: PortBus) {
    this.#ports = ports;
  }

  save(): PointerState {
    return structuredClone(this.#state);
  }

  restore(saved: PointerState): void {
    this.#state = structuredClone(saved);
  }

  #send(value: number): void {
    this.#ports.write8(0x64, 0xd4);
    this.#ports.write8(0x60, value);
    this.#state.answersDue += value === 0xff ? 3 : 1;
  }

  control(guest: Guest): ServiceOutcome {
    const state = this.#state;
    let status = 0;
    switch (guest.al) {
      case 0:
        if (state.handlerSegment === 0 && guest.bh === 1) status = 5;
        else {
          state.enabled = guest.bh === 1;
          this.#send(state.enabled ? 0xf4 : 0xf5);
        }
        break;
      case 1:
        this.#send(0xff);
        state.enabled = false;
        guest.bx = 0x00aa;
        break;
      case 2:
        status = rates[guest.bh] === undefined ? 2 : 0;
        if (status === 0) for (const byte of [0xf3, rates[guest.bh] ?? 100]) this.#send(byte);
        break;
      case 3:
        status = guest.bh > 3 ? 2 : 0;
        if (status === 0) for (const byte of [0xe8, guest.bh]) this.#send(byte);
        break;
      case 4:
        guest.bh = 0;
        break;
      case 5:
        status = guest.bh === 3 ? 0 : 2;
        break;
      case 6:
        if (guest.bh === 0) {
          guest.bl = state.enabled ? 0x20 : 0;
          guest.cl = 2;
          guest.dl = 100;
        } else if (guest.bh <= 2) this.#send(guest.bh === 1 ? 0xe6 : 0xe7);
        else status = 1;
        break;
      case 7:
        state.handlerSegment = guest.es;
        state.handlerOffset = guest.bx;
        break;
      default:
        status = 1;
    }
    guest.ah = status;
    guest.carry = status !== 0;
    return 'done';
  }

  /** INT 74h: takes a byte from the controller; with the third of a packet the handler is called. */
  interrupt(guest: Guest): ServiceOutcome {
    if ((this.#ports.read8(0x64) & 0x21) !== 0x21) return 'done';
    const byte = this.#ports.read8(0x60);
    const state = this.#state;
    if (state.answersDue > 0) {
      state.answersDue--;
      return 'done';
    }
    state.packet.push(byte);
    if (state.packet.length < 3) return 'done';
    const packet = state.packet;
    state.packet = [];
    return state.enabled && state.handlerSegment !== 0 ? this.#call(guest, [...packet, 0]) : 'done';
  }

  #call(guest: Guest, words: readonly number[]): ServiceOutcome {
    const push = (word: number) => {
      guest.sp = (guest.sp - 2) & 0xffff;
      guest.memory.write16((guest.ss << 4) + guest.sp, word);
    };
    for (const word of words) push(word);
    push(0xf000);
    push(romCode.pointerReturn);
    guest.cs = this.#state.handlerSegment;
    guest.ip = this.#state.handlerOffset;
    return 'jump';
  }
}

/** INT 15h AH=C2h. */
export const pointingDevice: FunctionRow<Hardware & { readonly pointer: PointingDevice }> = {
  name: 'pointing device',
  details: (g) => `al=${hex(g.al, 2)} bh=${hex(g.bh, 2)}`,
  run: ({ pointer }, guest) => pointer.control(guest),
};

/** INT 74h. */
export const pointerInterrupt = (pointer: PointingDevice): ServiceRow =>
  plainRow(0x74, 'mouse interrupt', (guest) => pointer.interrupt(guest));
