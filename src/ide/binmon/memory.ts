import { hex0x } from '../../formats/hex.ts';
import { failure, items, text, u16 } from '../../links/vice/wire.ts';
import type { DebuggedMachine } from '../debugged-machine.ts';
import { banksOf, driveOf } from './facts.ts';
import { Refusal, requireLength } from './wire.ts';

const headBytes = 8;
const partBytes = 4096;

interface Range {
  readonly sideEffects: boolean;
  readonly start: number;
  readonly length: number;
  readonly space: string;
}

/** Memory of the computer and of its drives, by VICE's banks and memspaces. */
export class MonitorMemory {
  readonly #machine: DebuggedMachine;

  constructor(machine: DebuggedMachine) {
    this.#machine = machine;
  }

  banks(): Buffer {
    return items(banksOf(this.#kind).map(({ id, name }) => [...u16(id), ...text(name)]));
  }

  async read(body: Buffer): Promise<Buffer> {
    const { sideEffects, start, length, space } = this.#range(body);
    const { bytes } = await this.#machine.call('bytes_read', { address: hex0x(BigInt(start)), length, space });
    if (sideEffects && space === 'cpu')
      await this.#machine.call('memory_touch', { address: hex0x(BigInt(start)), length });
    return Buffer.concat([Buffer.from(u16(length)), Buffer.from(String(bytes), 'hex')]);
  }

  async write(body: Buffer): Promise<void> {
    const { start, length, space } = this.#range(body);
    requireLength(body, headBytes + length);
    for (let at = 0; at < length; at += partBytes) {
      const part = body.subarray(headBytes + at, headBytes + Math.min(length, at + partBytes));
      const address = hex0x(BigInt(start + at));
      await this.#machine.call('memory_write', { address, bytes: part.toString('hex'), space });
    }
  }

  #range(body: Buffer): Range {
    if (body.length >= 5 && body.readUInt16LE(1) > body.readUInt16LE(3)) throw new Refusal(failure.parameter);
    requireLength(body, headBytes);
    const [start, end] = [body.readUInt16LE(1), body.readUInt16LE(3)];
    return {
      sideEffects: body[0] !== 0,
      start,
      length: end - start + 1,
      space: this.#space(body[5] ?? 0, body.readUInt16LE(6)),
    };
  }

  #space(memspace: number, bank: number): string {
    const drive = driveOf(memspace);
    if (drive !== undefined) return drive;
    const found = banksOf(this.#kind).find(({ id }) => id === bank);
    if (found) return found.space;
    throw new Refusal(failure.parameter);
  }

  get #kind(): string {
    return this.#machine.summary?.kind ?? '';
  }
}
