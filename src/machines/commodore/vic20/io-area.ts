import type { Mos6560 } from '../../../chips/mos6560/mos6560.ts';
import type { Mos6560Sound } from '../../../chips/mos6560/sound.ts';
import type { Via6522 } from '../../../chips/via6522/via6522.ts';
import type { Vic20GeoRam } from './geo-ram.ts';
import type { MemoryMap } from './memory-map.ts';
import type { ViaPorts } from './via-ports.ts';
import { vic20Model } from './vic20-model.ts';

const { exitRegister } = vic20Model;

interface Parts {
  readonly vic: Mos6560;
  readonly sound: Mos6560Sound;
  readonly via1: Via6522;
  readonly via2: Via6522;
  readonly ports: ViaPorts;
  readonly memory: MemoryMap;
  readonly color: Uint8Array;
  readonly geoRam: Vic20GeoRam | undefined;
  /** The byte that was last on the processor's bus, and that on the half of it that the VIC shares. */
  busByte(): number;
  videoByte(): number;
  catchUpVias(): void;
  catchUpSound(): void;
  /** Brings drives up to date before their lines are read. */
  catchUpDrives(): void;
  /** $910F, where test programs leave their exit codes; undefined without such a register. */
  readonly exit: ((code: number) => void) | undefined;
}

/**
 * What answers the processor where no plain memory does. In $9000-$93FF address bits 4 and 5 select a VIA each, and $9000-$90FF
 * the VIC; what they say together is what they have in common.
 */
export class IoArea {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  read(address: number): number {
    const { vic, via1, via2, ports, color } = this.#parts;
    if (address >> 10 === 0x25) return (color[address & 0x3ff] as number) | (this.#parts.videoByte() & 0xf0);
    if (address >> 10 !== 0x24) return this.#readOpen(address);
    let value = 0xff;
    if (address < 0x9100) value &= vic.read(address & 15);
    else if ((address & 0x30) === 0) return this.#readOpen(address);
    if ((address & 0x30) === 0) return value;
    this.#beforeVia(address & 15);
    const levels = ports.handshakeLevels;
    if ((address & 0x10) !== 0) value &= via1.read(address & 15);
    if ((address & 0x20) !== 0) {
      ports.beforeRead(address & 15);
      value &= via2.read(address & 15);
    }
    if (ports.handshakeLevels !== levels) ports.changed();
    return value;
  }

  peek(address: number): number {
    const { vic, via1, via2, color, geoRam } = this.#parts;
    if (address >> 10 === 0x25) return (color[address & 0x3ff] as number) | (this.#parts.videoByte() & 0xf0);
    if (address >> 10 !== 0x24) return geoRam?.read(address) ?? this.#readOpen(address);
    if (address >= 0x9100 && (address & 0x30) === 0) return this.#readOpen(address);
    let value = 0xff;
    if (address < 0x9100) value &= vic.peek(address & 15);
    if ((address & 0x10) !== 0) value &= via1.peek(address & 15);
    if ((address & 0x20) !== 0) value &= via2.peek(address & 15);
    return value;
  }

  /** Nobody answers, except perhaps what is plugged in. */
  #readOpen(address: number): number {
    if (address >> 11 === 0x13) return this.#parts.geoRam?.read(address) ?? this.#parts.busByte();
    return address < 0x2000 ? this.#parts.videoByte() : this.#parts.busByte();
  }

  write(address: number, value: number): void {
    const { color, vic } = this.#parts;
    if (address >> 10 === 0x25) {
      vic.catchUpFetches();
      color[address & 0x3ff] = value & 15;
    } else if (address >> 11 === 0x13) this.#parts.geoRam?.write(address, value);
    else if (address >> 10 === 0x24) this.#writeChips(address, value);
  }

  #writeChips(address: number, value: number): void {
    const { via1, via2, ports, exit } = this.#parts;
    const register = address & 15;
    if (address < 0x9100) this.#writeVic(register, value);
    if (address === exitRegister) exit?.(value);
    if ((address & 0x30) === 0) return;
    this.#beforeVia(register);
    if ((address & 0x10) !== 0) via1.write(register, value);
    if ((address & 0x20) !== 0) via2.write(register, value);
    // Ports, their directions and the modes of the handshake lines reach the outside.
    if (register < 4 || register === 11 || register === 12 || register === 15) ports.changed();
  }

  #writeVic(register: number, value: number): void {
    const { vic, sound } = this.#parts;
    vic.write(register, value);
    if (register === 2 || register === 3 || register === 5) this.#parts.memory.seenByVic(vic.pagesSeen);
    if (register < 10 || register > 14) return;
    this.#parts.catchUpSound();
    sound.write(register, value);
  }

  #beforeVia(register: number): void {
    this.#parts.catchUpVias();
    if (register === 1 || register === 15) this.#parts.catchUpDrives();
    if (register < 2 || register === 15) this.#parts.ports.sense();
  }
}
