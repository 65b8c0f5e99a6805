import { GdbError } from '../../../links/gdb/gdb-error.ts';
import type { HostAnswer, TargetMemory } from '../../../links/gdb/host-calls.ts';
import type { ReportedEvent } from '../../../machine/events.ts';
import { LogWire } from '../serial/log-wire.ts';

/** As the remote protocol numbers them. */
const errors = { notPermitted: 1, badFile: 9, denied: 13, badAddress: 14 };
/** Standard output and standard error. */
const outputs: ReadonlySet<bigint> = new Set([1n, 2n]);
const lastStandardFile = 2n;
/** What one call prints; the guest is told how much that was. */
const maxWriteBytes = 256 * 1024;
const maxNameBytes = 256;
/** More would only repeat themselves. */
const maxReports = 20;

/**
 * What a guest asks of its host by semihosting. QEMU would carry that out with the rights of this server, files and
 * programs included; told to ask its debugger instead, it asks here, and here there is nothing but a console to print on.
 */
export class HostCalls {
  readonly wire = new LogWire('semihosting');
  readonly #report: (event: ReportedEvent) => void;
  #reports = 0;
  #exitCode: number | undefined;

  constructor(report: (event: ReportedEvent) => void) {
    this.#report = report;
  }

  /** With which the guest has left, if it did. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  ended(code: number): void {
    this.#exitCode = code;
  }

  async answer(call: string, memory: TargetMemory): Promise<HostAnswer> {
    const [name = '', ...values] = call.split(',');
    const [file, address, length] = values.map(numberOf);
    switch (name) {
      case 'write':
        return this.#write(file, address, length, memory);
      case 'read':
        // There is no keyboard: the end of the file.
        return file === 0n ? { value: 0 } : refused(errors.badFile);
      case 'isatty':
        return { value: isStandard(file) ? 1 : 0 };
      case 'close':
        return isStandard(file) ? { value: 0 } : refused(errors.badFile);
      case 'lseek':
      case 'fstat':
        return refused(errors.badFile);
      default:
        await this.#told(name, values[0] ?? '', memory);
        return refused(name === 'open' ? errors.denied : errors.notPermitted);
    }
  }

  async #write(
    file: bigint | undefined,
    address: bigint | undefined,
    length: bigint | undefined,
    memory: TargetMemory,
  ): Promise<HostAnswer> {
    if (file === undefined || !outputs.has(file)) return refused(errors.badFile);
    if (address === undefined || length === undefined) return refused(errors.badAddress);
    const size = Number(length > maxWriteBytes ? maxWriteBytes : length);
    const bytes = await read(memory, address, size);
    if (bytes === undefined) return refused(errors.badAddress);
    this.wire.take(bytes);
    return { value: size };
  }

  /** Names are given as `address/length`, the zero at their end included. */
  async #told(call: string, pointer: string, memory: TargetMemory): Promise<void> {
    if (++this.#reports > maxReports) return;
    const [address, length] = pointer.split('/').map(numberOf);
    const size = Math.min(maxNameBytes, Math.max(0, Number(length ?? 1n) - 1));
    const bytes = address === undefined || size === 0 ? undefined : await read(memory, address, size);
    const name = bytes === undefined ? '' : ` ${JSON.stringify(Buffer.from(bytes).toString('latin1'))}`;
    const last = this.#reports === maxReports ? '; further ones are not told' : '';
    const text = `the guest asked this computer by semihosting: ${call.slice(0, 20)}${name}; refused${last}`;
    this.#report({ type: 'semihosting_refused', text, data: { call: call.slice(0, 20) } });
  }
}

function isStandard(file: bigint | undefined): boolean {
  return file !== undefined && file <= lastStandardFile;
}

function refused(error: number): HostAnswer {
  return { value: -1, error };
}

function numberOf(text: string): bigint | undefined {
  return /^[0-9a-f]{1,16}$/i.test(text) ? BigInt(`0x${text}`) : undefined;
}

/** Undefined where there is no such memory. */
async function read(memory: TargetMemory, address: bigint, length: number): Promise<Uint8Array | undefined> {
  try {
    return await memory(address, length);
  } catch (error) {
    if (error instanceof GdbError && error.failure === 'refused') return undefined;
    throw error;
  }
}
