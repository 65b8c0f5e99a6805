import { ExpansionRams, type NamedRam } from '../expansions/expansion-rams.ts';
import { ReuRam } from '../expansions/reu-ram.ts';
import { type BoardState, boardFields } from './c64-state.ts';
import { Dqbb } from './dqbb.ts';
import type { ExpansionDevice, ExpansionPort } from './expansion-port.ts';
import { C64GeoRam } from './geo-ram.ts';
import { Isepic } from './isepic.ts';
import type { MemoryMap } from './memory-map.ts';
import { RamBanks, type RamBoard } from './ram-banks.ts';
import { RamCart } from './ram-cart.ts';
import { Reu, type ReuWires } from './reu.ts';

/** One that can be plugged in, of so many KiB. */
interface Expansion {
  readonly isIn: boolean;
  readonly kilobytes: number;
}

export interface FittedMemory {
  readonly reu: Expansion;
  readonly geoRam: Expansion;
  readonly dqbb: Expansion;
  readonly ramCart: Expansion & { readonly isReadOnly: boolean };
  /** `isOn`: how its switch is when power comes on. */
  readonly isepic: { readonly isIn: boolean; readonly isOn: boolean };
  /** Soldered to the board. */
  readonly banks: RamBoard | 'none';
}

interface Parts {
  readonly board: BoardState;
  /** The words of the REU's controller. */
  readonly controller: Int32Array;
  readonly port: ExpansionPort;
  readonly map: MemoryMap;
  /** The C64's own. */
  readonly ram: Uint8Array;
  readonly reuWires: ReuWires;
  /** The board of a C64C. */
  isNewBoard(): boolean;
  /** Another bank of RAM is in place. */
  remapped(): void;
}

const wordsOfState = Object.entries(boardFields).flatMap(([name, word]) =>
  /^(reu|geoRam|dqbb|ramCart|isepic|ramBank)/.test(name) ? [word] : [],
);

/** Memory in the expansion port and on the board beside the C64's own, which can be exchanged. */
export class MemoryExpansions {
  readonly rams: ExpansionRams;
  readonly #parts: Parts;
  /** By size, for good: copies of the state speak of what is in these, also when another one is in the port. */
  readonly #reuRams = new Map<number, ReuRam>();
  readonly #geoRams = new Map<number, C64GeoRam>();
  readonly #dqbbs = new Map<number, Dqbb>();
  readonly #ramCarts = new Map<number, RamCart>();
  readonly #isepics = new Map<boolean, Isepic>();
  readonly #ramBanks = new Map<RamBoard, RamBanks>();
  #fitted: FittedMemory;
  #reu: Reu | undefined;
  #ramCart: RamCart | undefined;
  #banks: RamBanks | undefined;
  #firstRegister = 0x10000;
  #lastRegister = 0x10000;

  constructor(fitted: FittedMemory, parts: Parts) {
    this.#parts = parts;
    this.#fitted = fitted;
    this.rams = new ExpansionRams(parts.board, []);
    this.#plug();
  }

  get fitted(): FittedMemory {
    return this.#fitted;
  }

  get reu(): Reu | undefined {
    return this.#reu;
  }

  /** What was in the port has no power any more; what is new comes up as after power-on. A RAMCart that stays keeps what is in it. */
  fit(fitted: FittedMemory): void {
    const { board, controller, reuWires, port } = this.#parts;
    const before = this.#fitted;
    this.#fitted = fitted;
    if (isSame({ ...before, ramCart: undefined }, { ...fitted, ramCart: undefined }) && this.#ramCart !== undefined) {
      if (isSame({ ...before.ramCart, isReadOnly: false }, { ...fitted.ramCart, isReadOnly: false })) {
        this.#ramCart.isReadOnly = fitted.ramCart.isReadOnly;
        port.update();
        return;
      }
    }
    const kept = before.ramCart.kilobytes === fitted.ramCart.kilobytes ? this.#ramCart : undefined;
    controller.fill(0);
    for (const word of wordsOfState) board[word] = 0;
    reuWires.armed(false);
    for (const device of this.#plug()) device.powerOn();
    if (this.#ramCart !== kept) this.#ramCart?.fill();
    this.#banks?.powerOn();
    this.#reu?.reset();
    this.rams.name();
  }

  /** The chips of the board are others: what the controller knows of them is found out anew. */
  boardChanged(): void {
    this.#plug();
  }

  powerOn(): void {
    this.#banks?.powerOn();
  }

  reset(): void {
    this.#banks?.reset();
  }

  restored(): void {
    this.#banks?.restored();
  }

  /** Of the cycles of the board. */
  quietCycles(): number {
    return this.#reu?.quietCycles() ?? 0x7fff_ffff;
  }

  tick(): void {
    this.#reu?.tick();
  }

  /** Whether the register of added banks answers at this address, in place of the VIC-II. */
  isBankRegister(address: number): boolean {
    return address >= this.#firstRegister && address <= this.#lastRegister;
  }

  selectBank(value: number): void {
    this.#parts.reuWires.vic.catchUpAccesses();
    this.#banks?.write(value);
    this.#parts.remapped();
  }

  #plug(): readonly ExpansionDevice[] {
    const { controller, board, port, reuWires, isNewBoard, map } = this.#parts;
    const { reu, geoRam, dqbb, ramCart, isepic } = this.#fitted;
    this.#reu = reu.isIn
      ? new Reu(
          controller,
          kept(this.#reuRams, reu.kilobytes, (size) => new ReuRam(size)),
          isNewBoard(),
          reuWires,
        )
      : undefined;
    const pages = geoRam.isIn ? kept(this.#geoRams, geoRam.kilobytes, (size) => new C64GeoRam(size, board)) : undefined;
    const box = dqbb.isIn
      ? kept(this.#dqbbs, dqbb.kilobytes, (size) => new Dqbb(size, board, map.added('dqbb')))
      : undefined;
    this.#ramCart = ramCart.isIn
      ? kept(this.#ramCarts, ramCart.kilobytes, (size) => new RamCart(size, board, map.added('ramCart')))
      : undefined;
    if (this.#ramCart) this.#ramCart.isReadOnly = ramCart.isReadOnly;
    const freezer = isepic.isIn
      ? kept(this.#isepics, isepic.isOn, (isOn) => new Isepic(isOn, board, map.added('isepic')))
      : undefined;
    this.#solder();
    const { reuLow, geoRamLow, dqbbLow, ramCartLow, isepicLow, ramBanksLow } = boardFields;
    this.rams.replace([
      ...named('reu', this.#reu?.chips, reuLow),
      ...named('georam', pages, geoRamLow),
      ...named('dqbb', box, dqbbLow),
      ...named('ramcart', this.#ramCart, ramCartLow),
      ...named('isepic', freezer, isepicLow),
      ...(this.#banks ? named(this.#banks.name, this.#banks, ramBanksLow) : []),
    ]);
    const devices = [this.#reu, pages, box, this.#ramCart, freezer].filter((device) => device !== undefined);
    port.setDevices(devices);
    return devices;
  }

  #solder(): void {
    const { board, map, ram } = this.#parts;
    const { banks } = this.#fitted;
    this.#banks =
      banks === 'none' ? undefined : kept(this.#ramBanks, banks, (kind) => new RamBanks(kind, board, map, ram));
    this.#firstRegister = this.#banks?.first ?? 0x10000;
    this.#lastRegister = this.#banks?.last ?? 0x10000;
    map.layBanks(0, 0);
    map.selectRam({ high: 0, low: 0, vic: 0 });
    this.#banks?.attach();
  }
}

/** The word with the upper half of a name follows the one with the lower. */
function named(
  name: NamedRam['name'],
  device: { readonly ram: NamedRam['ram'] } | undefined,
  low: number,
): readonly NamedRam[] {
  return device ? [{ name, ram: device.ram, low, high: low + 1 }] : [];
}

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

function kept<Key, Value>(all: Map<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const known = all.get(key) ?? make(key);
  all.set(key, known);
  return known;
}
