import type { Mos6526 } from '../../../chips/mos6526/mos6526.ts';
import { type Vic2State, fields as vicFields } from '../../../chips/vic2/fields.ts';
import type { Vic2 } from '../../../chips/vic2/vic2.ts';
import { c64Model } from './c64-model.ts';
import type { ControlPorts } from './control-ports.ts';
import type { ExpansionPort } from './expansion-port.ts';
import type { MemoryExpansions } from './memory-expansions.ts';
import type { MemoryView } from './memory-view.ts';
import type { SidPair } from './second-sid.ts';

const { exitRegister } = c64Model;
/** $D000-$D3FF, without the ten lower bits. */
const vicArea = 0x34;
/** Port A of CIA 2, and its mirrors. */
const serialPort = 0xdd00;

interface Parts {
  readonly vic: Vic2;
  readonly vicState: Vic2State;
  readonly sids: SidPair;
  readonly cia1: Mos6526;
  readonly cia2: Mos6526;
  readonly color: Uint8Array;
  readonly expansion: ExpansionPort;
  readonly ports: ControlPorts;
  readonly memory: MemoryView;
  readonly memoryExpansions: MemoryExpansions;
  catchUpCias(): void;
  catchUpSid(): void;
  /** Brings drives up to date before their lines are read. */
  catchUpDrives(): void;
  /** Whether the lines of the serial bus are the same in so many cycles as they are now. */
  areLinesSure(cycles: number): boolean;
  /** Port A of CIA 2 may have changed. */
  portAChanged(): void;
  /** $D7FF, where test programs leave their exit codes; undefined without such a register. */
  readonly exit: ((code: number) => void) | undefined;
}

/** What answers the processor where no plain memory does: chips, colour RAM, the cartridge, or nothing. */
export class IoArea {
  readonly #parts: Parts;
  readonly #vic: Vic2;
  readonly #color: Uint8Array;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#vic = parts.vic;
    this.#color = parts.color;
  }

  read(address: number): number {
    // What nobody answers reads as the byte the VIC-II left on the bus in phi1.
    const parts = this.#parts;
    if (address >> 12 !== 0xd) return this.#readElsewhere(address) ?? this.#vic.phi1Byte();
    switch ((address >> 8) & 15) {
      case 0:
      case 1:
      case 2:
      case 3:
        return parts.memoryExpansions.isBankRegister(address) ? 0xff : this.#vic.read(address & 63);
      case 4:
      case 5:
      case 6:
      case 7:
        parts.catchUpSid();
        return parts.sids.at(address).read(address & 31);
      case 8:
      case 9:
      case 10:
      case 11:
        return ((this.#color[address & 0x3ff] as number) & 15) | (this.#vic.phi1Byte() & 0xf0);
      case 12:
        parts.catchUpCias();
        if ((address & 14) === 0) parts.ports.beforeRead(address & 1);
        return parts.cia1.read(address & 15);
      case 13:
        // Port A, which programs that talk to drives ask all the time, has nothing to do with what counts.
        if ((address & 15) === 0) parts.catchUpDrives();
        else parts.catchUpCias();
        return parts.cia2.read(address & 15);
      default:
        return this.#readExpansion(address);
    }
  }

  /** Reads a chip in so many cycles, if the value is known now and the board sees nothing of it; -1 if not. */
  steadyRead(address: number, cycles: number): number {
    if ((address & 0xff0f) === serialPort) return this.#parts.areLinesSure(cycles) ? this.#parts.cia2.peek(0) : -1;
    if (address >> 10 !== vicArea) return -1;
    return this.#parts.memoryExpansions.isBankRegister(address) ? -1 : this.#vic.readAhead(address & 63, cycles);
  }

  #readElsewhere(address: number): number | undefined {
    const { expansion, memory } = this.#parts;
    if (address >> 13 === 4) return expansion.readLow(address);
    return address >> 8 === 0xff ? (expansion.vector(address) ?? memory.beneath(address)) : undefined;
  }

  #readExpansion(address: number): number {
    const openBus = this.#vic.phi1Byte();
    const { expansion, sids } = this.#parts;
    const value = expansion.read(address, openBus);
    if (!sids.isSecond(address)) return value ?? openBus;
    this.#parts.catchUpSid();
    // Where two answer at once, a line that one of them pulls low is low.
    return sids.second.read(address & 31) & (value ?? 0xff);
  }

  write(address: number, value: number): void {
    const parts = this.#parts;
    if (address >> 12 !== 0xd) {
      if (address >> 13 === 4) parts.expansion.writeLow(address, value);
      else if (address >> 13 === 7 || address >> 13 === 5) parts.expansion.writeHigh(address, value);
      return;
    }
    switch ((address >> 8) & 15) {
      case 0:
      case 1:
      case 2:
      case 3:
        if (parts.memoryExpansions.isBankRegister(address)) parts.memoryExpansions.selectBank(value);
        else this.#writeVic(address & 63, value);
        break;
      case 4:
      case 5:
      case 6:
      case 7:
        if (address === exitRegister) parts.exit?.(value);
        parts.catchUpSid();
        parts.sids.at(address).write(address & 31, value);
        break;
      case 8:
      case 9:
      case 10:
      case 11:
        this.#vic.catchUpAccesses();
        this.#color[address & 0x3ff] = value & 15;
        break;
      case 12:
        parts.catchUpCias();
        parts.cia1.write(address & 15, value);
        if ((address & 15) < 4) parts.ports.sense();
        break;
      case 13:
        if ((address & 15) !== 0) parts.catchUpCias();
        parts.cia2.write(address & 15, value);
        if ((address & 13) === 0) parts.portAChanged();
        break;
      default:
        if (parts.sids.isSecond(address)) {
          parts.catchUpSid();
          parts.sids.second.write(address & 31, value);
        }
        parts.expansion.write(address, value);
    }
  }

  #writeVic(register: number, value: number): void {
    const { vicState, memory } = this.#parts;
    const before = (vicState[vicFields.d011] & 0x60) | (vicState[vicFields.d018] << 8);
    this.#vic.write(register, value);
    const after = (vicState[vicFields.d011] & 0x60) | (vicState[vicFields.d018] << 8);
    if (after !== before) memory.seenChanged();
  }
}
