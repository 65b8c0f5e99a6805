import type { IoPort } from '../../../chips/mos6510/io-port.ts';
import type { Mos6526 } from '../../../chips/mos6526/mos6526.ts';
import { plaConfiguration } from '../../../chips/pla.ts';
import type { Vic2 } from '../../../chips/vic2/vic2.ts';
import type { CommodoreBank } from '../board/commodore-board.ts';
import type { ExpansionPort } from './expansion-port.ts';
import type { MemoryExpansions } from './memory-expansions.ts';
import type { MemoryView } from './memory-view.ts';
import type { SidPair } from './second-sid.ts';

interface Parts {
  readonly memory: MemoryView;
  readonly ram: Uint8Array;
  readonly color: Uint8Array;
  readonly port: IoPort;
  readonly vic: Vic2;
  readonly cia1: Mos6526;
  readonly cia2: Mos6526;
  readonly sids: SidPair;
  readonly expansion: ExpansionPort;
  readonly memoryExpansions: MemoryExpansions;
  readonly cycles: number;
  catchUp(): void;
  portChanged(): void;
  restored(): void;
}

/** Reads and writes for debuggers: no side effects of a bus access, no time passes. */
export class BoardDebugging {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  peek(bank: CommodoreBank, address: number): number {
    const { memory, color, port, cycles } = this.#parts;
    switch (bank) {
      case 'ram':
        return this.#parts.ram[address] as number;
      case 'color':
        return (color[address & 0x3ff] as number) & 15;
      case 'vic':
        return memory.fetch(address & 0x3fff);
      case 'io':
        return this.#peekIo(address);
      case 'rom': {
        const base = memory.map.reads(plaConfiguration(3, 1, 1))[address >> 8] as number;
        return address < 0x100
          ? (memory.bytes[address] as number)
          : base < 0
            ? 0
            : (memory.bytes[base + address] as number);
      }
      case 'cpu': {
        if (address < 2) return port.read(address, cycles);
        if (address < 0x100) return memory.bytes[address] as number;
        const base = memory.reads[address >> 8] as number;
        if (base >= 0) return memory.bytes[base + address] as number;
        if (address >> 12 === 0xd) return this.#peekIo(address);
        const { expansion, vic } = this.#parts;
        if (address >> 8 === 0xff) return expansion.vector(address) ?? memory.beneath(address) ?? vic.phi1Byte();
        return (address >> 13 === 4 ? expansion.peekLow(address) : undefined) ?? vic.phi1Byte();
      }
    }
  }

  poke(bank: CommodoreBank, address: number, value: number): void {
    const { memory, color, port, cycles, vic } = this.#parts;
    vic.catchUpAccesses();
    if (bank === 'color') color[address & 0x3ff] = value & 15;
    else if (bank === 'io') this.#pokeIo(address, value);
    else if (bank === 'cpu' && address < 2) {
      port.write(address, value, cycles);
      this.#parts.portChanged();
    } else if (bank === 'cpu' && address > 0xff && (memory.writes[address >> 8] as number) < 0)
      this.#pokeOutside(address, value);
    else if (bank === 'cpu') memory.bytes[memory.map.ramAt(address)] = value;
    else this.#parts.ram[address] = value;
  }

  /** Where no plain memory gets what the processor writes. */
  #pokeOutside(address: number, value: number): void {
    const { expansion } = this.#parts;
    if (address >> 12 === 0xd) this.#pokeIo(address, value);
    else if (address >> 13 === 4) expansion.writeLow(address, value);
    else if (address >> 13 === 5 || address >> 13 === 7) expansion.writeHigh(address, value);
  }

  #peekIo(address: number): number {
    const { vic, sids, cia1, cia2, color, expansion } = this.#parts;
    const area = (address >> 8) & 15;
    this.#parts.catchUp();
    if (area < 4) return this.#parts.memoryExpansions.isBankRegister(address) ? 0xff : vic.peek(address & 63);
    if (area < 8) return sids.at(address).peek(address & 31);
    if (area < 12) return ((color[address & 0x3ff] as number) & 15) | (vic.phi1Byte() & 0xf0);
    if (area === 12) return cia1.peek(address & 15);
    if (area === 13) return cia2.peek(address & 15);
    const value = expansion.peek(address);
    return sids.isSecond(address) ? sids.second.peek(address & 31) & (value ?? 0xff) : (value ?? vic.phi1Byte());
  }

  #pokeIo(address: number, value: number): void {
    const { vic, sids, cia1, cia2, color } = this.#parts;
    const area = (address >> 8) & 15;
    this.#parts.catchUp();
    if (area < 4 && this.#parts.memoryExpansions.isBankRegister(address))
      this.#parts.memoryExpansions.selectBank(value);
    else if (area < 4) vic.poke(address & 63, value);
    else if (area < 8) sids.at(address).poke(address & 31, value);
    else if (area < 12) color[address & 0x3ff] = value & 15;
    else if (area === 12) cia1.poke(address & 15, value);
    else if (area === 13) cia2.poke(address & 15, value);
    else if (sids.isSecond(address)) sids.second.poke(address & 31, value);
    this.#parts.restored();
  }
}
