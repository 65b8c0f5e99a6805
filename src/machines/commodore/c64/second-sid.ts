import type { Sid } from '../../../chips/sid/sid.ts';
import type { SoundClock } from '../board/sound-clock.ts';

/** Where a second SID is put, by the name of the option. */
export const secondSidAddresses = {
  D420: 0xd420,
  D440: 0xd440,
  D500: 0xd500,
  D600: 0xd600,
  D700: 0xd700,
  DE00: 0xde00,
  DF00: 0xdf00,
} as const;

export const usualSecondSid = secondSidAddresses.D420;

const registers = 0x20;

export interface FittedSid {
  readonly isIn: boolean;
  readonly address: number;
}

/** The SID on its socket, and a second one that may be plugged in: it answers at 32 addresses, where the first is then silent. */
export class SidPair implements SoundClock {
  readonly first: Sid;
  readonly second: Sid;
  #fitted: FittedSid;

  constructor(first: Sid, second: Sid, fitted: FittedSid) {
    this.first = first;
    this.second = second;
    this.#fitted = fitted;
  }

  get fitted(): FittedSid {
    return this.#fitted;
  }

  /** A chip that is new comes up as after power-on. */
  fit(fitted: FittedSid): void {
    if (fitted.isIn !== this.#fitted.isIn) this.second.powerOn();
    this.#fitted = fitted;
  }

  /** The second one is selected by this address. */
  isSecond(address: number): boolean {
    const { isIn, address: first } = this.#fitted;
    return isIn && (address & -registers) === first;
  }

  /** The one that an address of the first one's area selects. */
  at(address: number): Sid {
    return this.isSecond(address) ? this.second : this.first;
  }

  catchUp(cycles: number): void {
    this.first.catchUp(cycles);
    if (this.#fitted.isIn) this.second.catchUp(cycles);
  }
}
