import {
  type ChannelState,
  CONTROLLER_WORDS,
  type ControllerState,
  channelFields,
  channelOf,
  EXTRA_PAGES,
  fields,
  stateWords,
} from './fields.ts';

export interface I8237Wires {
  /** Physical memory, as DMA sees it. */
  readMemory(address: number): number;
  writeMemory(address: number, value: number): void;
}

const MODE_VERIFY = 0;
const MODE_WRITE = 1;
const MODE_READ = 2;
const AUTO_INIT = 0x10;
const DECREMENT = 0x20;

/** Page registers 80h-8Fh: the channel each belongs to. */
const pageChannels: ReadonlyMap<number, number> = new Map([
  [0x7, 0],
  [0x3, 1],
  [0x1, 2],
  [0x2, 3],
  [0xf, 4],
  [0xb, 5],
  [0x9, 6],
  [0xa, 7],
]);

/**
 * The two Intel 8237A of an AT: channels 0 to 3 move bytes (ports 00h-0Fh), 4 to 7 words (C0h-DEh); 74LS612 page registers
 * (80h-8Fh) hold the upper address bits.
 *
 *              +-------+
 *   DREQ  ---> |       | ---> DACK, TC
 *   ports <--> | 8237A | <--> memory
 *              +-------+
 *
 * A device that moves data calls `transfer`, which takes no emulated time.
 *
 * Source: Intel 8237A data sheet (1993), IBM AT Technical Reference. Not emulated: memory to memory transfers, cascading
 * other masters, priorities and the cycles a transfer takes from the processor.
 */
export class I8237 {
  readonly #s: Int32Array;
  readonly #wires: I8237Wires;
  readonly #controllers: readonly [ControllerState, ControllerState];
  readonly #channels: readonly ChannelState[];

  constructor(state: Int32Array, wires: I8237Wires) {
    this.#s = state;
    this.#wires = wires;
    const controller = (index: number) =>
      state.subarray(index * CONTROLLER_WORDS, (index + 1) * CONTROLLER_WORDS) as ControllerState;
    this.#controllers = [controller(0), controller(1)];
    this.#channels = this.#controllers.flatMap((c) => [0, 1, 2, 3].map((channel) => channelOf(c, channel)));
  }

  powerOn(): void {
    this.#s.fill(0, 0, stateWords);
    for (const c of this.#controllers) this.#clear(c);
  }

  /** Ports 00h-0Fh, 80h-8Fh, C0h-DFh. */
  read(port: number): number {
    if ((port & 0xf0) === 0x80) return this.#pageWord(port);
    const { controller, register } = this.#decode(port);
    if (register === 8) {
      const status = controller[fields.status];
      controller[fields.status] &= 0xf0;
      return status;
    }
    if (register > 8) return register === 15 ? controller[fields.mask] | 0xf0 : 0xff;
    const channel = channelOf(controller, register >> 1);
    const word = channel[(register & 1) !== 0 ? channelFields.count : channelFields.address];
    return this.#flip(controller) !== 0 ? (word >> 8) & 0xff : word & 0xff;
  }

  write(port: number, value: number): void {
    if ((port & 0xf0) === 0x80) {
      const channel = pageChannels.get(port & 15);
      if (channel === undefined) this.#s[EXTRA_PAGES + (port & 15)] = value;
      else this.#channel(channel)[channelFields.page] = value;
      return;
    }
    const { controller, register } = this.#decode(port);
    if (register < 8) {
      this.#writeWord(controller, register, value);
      return;
    }
    switch (register) {
      case 8:
        controller[fields.command] = value;
        break;
      case 9:
        if ((value & 4) !== 0) controller[fields.requests] |= 1 << (value & 3);
        else controller[fields.requests] &= ~(1 << (value & 3));
        break;
      case 10:
        if ((value & 4) !== 0) controller[fields.mask] |= 1 << (value & 3);
        else controller[fields.mask] &= ~(1 << (value & 3));
        break;
      case 11:
        channelOf(controller, value & 3)[channelFields.mode] = value & 0xfc;
        break;
      case 12:
        controller[fields.flipFlop] = 0;
        break;
      case 13:
        this.#clear(controller);
        break;
      case 14:
        controller[fields.mask] = 0;
        break;
      default:
        controller[fields.mask] = value & 15;
    }
  }

  /** Whether a device's request on this channel would be served. */
  isReady(channel: number): boolean {
    const controller = this.#controllers[channel >> 2] ?? this.#controllers[0];
    return (controller[fields.mask] & (1 << (channel & 3))) === 0 && (controller[fields.command] & 4) === 0;
  }

  /**
   * Moves one unit (a byte on channels 0-3, a word on 4-7): `value` goes to memory, or what memory holds comes back. Undefined
   * where the channel is masked or set the other way. `terminal` tells whether this was the last one. A channel set to verify
   * counts in either direction and leaves memory alone: a device that asks for data finds what an idle bus shows.
   */
  transfer(channel: number, value?: number): { readonly value: number; readonly terminal: boolean } | undefined {
    if (!this.isReady(channel)) return undefined;
    const c = this.#channel(channel);
    const direction = (c[channelFields.mode] >> 2) & 3;
    const isVerify = direction === MODE_VERIFY;
    if (!isVerify && direction !== (value === undefined ? MODE_READ : MODE_WRITE)) return undefined;
    const moved = isVerify ? (value ?? idleBus(channel)) : this.#move(channel, c, value);
    c[channelFields.address] =
      (c[channelFields.address] + ((c[channelFields.mode] & DECREMENT) !== 0 ? -1 : 1)) & 0xffff;
    c[channelFields.count] = (c[channelFields.count] - 1) & 0xffff;
    const terminal = c[channelFields.count] === 0xffff;
    if (terminal) this.#terminate(channel, c);
    return { value: moved, terminal };
  }

  #move(channel: number, c: ChannelState, value: number | undefined): number {
    const wide = channel >= 4;
    const address = c[channelFields.address];
    // The second controller's addresses count words; its page's lowest bit is not used.
    const at = wide ? ((c[channelFields.page] & 0xfe) << 16) + (address << 1) : (c[channelFields.page] << 16) + address;
    if (value === undefined) return this.#wires.readMemory(at) | (wide ? this.#wires.readMemory(at + 1) << 8 : 0);
    this.#wires.writeMemory(at, value & 0xff);
    if (wide) this.#wires.writeMemory(at + 1, (value >> 8) & 0xff);
    return value;
  }

  #terminate(channel: number, c: ChannelState): void {
    const controller = this.#controllers[channel >> 2] ?? this.#controllers[0];
    const bit = 1 << (channel & 3);
    controller[fields.status] |= bit;
    if ((c[channelFields.mode] & AUTO_INIT) !== 0) {
      c[channelFields.address] = c[channelFields.baseAddress];
      c[channelFields.count] = c[channelFields.baseCount];
    } else controller[fields.mask] |= bit;
  }

  #writeWord(controller: ControllerState, register: number, value: number): void {
    const channel = channelOf(controller, register >> 1);
    const current = (register & 1) !== 0 ? channelFields.count : channelFields.address;
    const base = (register & 1) !== 0 ? channelFields.baseCount : channelFields.baseAddress;
    const high = this.#flip(controller) !== 0;
    const word = high ? (channel[base] & 0xff) | (value << 8) : (channel[base] & 0xff00) | value;
    channel[base] = word;
    channel[current] = word;
  }

  /** Which byte of a word is next; then the other one. */
  #flip(controller: ControllerState): number {
    const high = controller[fields.flipFlop];
    controller[fields.flipFlop] = high ^ 1;
    return high;
  }

  #clear(controller: ControllerState): void {
    controller[fields.flipFlop] = 0;
    controller[fields.command] = 0;
    controller[fields.status] = 0;
    controller[fields.requests] = 0;
    controller[fields.mask] = 15;
  }

  #pageWord(port: number): number {
    const channel = pageChannels.get(port & 15);
    if (channel === undefined) return this.#s[EXTRA_PAGES + (port & 15)];
    return this.#channel(channel)[channelFields.page];
  }

  #channel(channel: number): ChannelState {
    return this.#channels[channel & 7] as ChannelState;
  }

  #decode(port: number) {
    const second = port >= 0xc0;
    const controller = second ? this.#controllers[1] : this.#controllers[0];
    return { controller, register: second ? (port - 0xc0) >> 1 : port & 15 };
  }
}

function idleBus(channel: number): number {
  return channel < 4 ? 0xff : 0xffff;
}
