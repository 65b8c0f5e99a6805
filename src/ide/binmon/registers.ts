import { lowerHex } from '../../formats/hex.ts';
import { failure, items, text, u16 } from '../../links/vice/wire.ts';
import { type DebuggedMachine, wide } from '../debugged-machine.ts';
import { driveOf, driveRegisters, mainRegisters, type RegisterName, registerIds, wideRegisters } from './facts.ts';
import { pictureLine } from './picture-line.ts';
import { Refusal, requireLength } from './wire.ts';

const breakBit = 0x10;

/** The registers of the computer or of a drive, as VICE numbers them. */
export class Registers {
  readonly #machine: DebuggedMachine;

  constructor(machine: DebuggedMachine) {
    this.#machine = machine;
  }

  async read(memspace: number): Promise<Buffer> {
    const drive = driveOf(memspace);
    const values = await this.#values(drive);
    return items(namesOf(drive).map((name) => [registerIds[name], ...u16(values.get(name) ?? 0)]));
  }

  describe(memspace: number): Buffer {
    return items(
      namesOf(driveOf(memspace)).map((name) => [
        registerIds[name],
        wideRegisters.includes(name) ? 16 : 8,
        ...text(name),
      ]),
    );
  }

  async pc(): Promise<number> {
    return (await this.#values(undefined)).get('PC') ?? 0;
  }

  /** Items after the memspace and their number. Where the beam is cannot be set, and is not, as in VICE. */
  async write(body: Buffer): Promise<Buffer> {
    requireLength(body, 3);
    const memspace = body[0] ?? 0;
    const drive = driveOf(memspace);
    const count = body.readUInt16LE(1);
    requireLength(body, 3 + count * 4);
    let at = 3;
    for (let index = 0; index < count; index++) {
      const size = body[at] ?? 0;
      if (size < 3) throw new Refusal(failure.length);
      requireLength(body, at + 1 + size);
      await this.#writeOne(drive, body[at + 1] ?? 0, body.readUInt16LE(at + 2));
      at += 1 + size;
    }
    return this.read(memspace);
  }

  async #writeOne(drive: string | undefined, id: number, value: number): Promise<void> {
    const name = namesOf(drive).find((each) => registerIds[each] === id);
    if (name === undefined) throw new Refusal(failure.missing);
    if (name === 'LIN' || name === 'CYC') return;
    if (name === '00' || name === '01') {
      const bytes = lowerHex(value & 255, 2);
      await this.#machine.call('memory_write', { address: `0x${name}`, bytes });
      return;
    }
    const own = name === 'FL' ? 'P' : name;
    const kept = name === 'PC' ? value : value & 255;
    await this.#machine.call('registers_write', { values: { [own]: kept }, ...(drive && { cpu: drive }) });
  }

  async #values(drive: string | undefined): Promise<ReadonlyMap<string, number>> {
    const { registers, beam } = await this.#machine.call('registers_read', drive === undefined ? {} : { cpu: drive });
    const values = new Map(Object.entries(Object(registers)).map(([name, value]) => [name, Number(wide(value))]));
    const { line = 0, cycle = 0 } = Object(beam) as { line?: number; cycle?: number };
    // No register has the bit that tells BRK from an interrupt on the stack.
    values.set('FL', (values.get('P') ?? 0) & ~breakBit);
    values.set('LIN', await pictureLine(this.#machine, line));
    values.set('CYC', cycle);
    if (drive === undefined) {
      const ports = await this.#machine.read(0n, 2);
      values.set('00', ports[0] ?? 0);
      values.set('01', ports[1] ?? 0);
    }
    return values;
  }
}

function namesOf(drive: string | undefined): readonly RegisterName[] {
  return drive === undefined ? mainRegisters : driveRegisters;
}
