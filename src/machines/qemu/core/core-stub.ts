import type { CoreMemory } from '../../../formats/elf/core-memory.ts';
import { type Pause, pauses } from '../../../formats/elf/pause.ts';
import { GdbError } from '../../../links/gdb/gdb-error.ts';
import type { TargetDescription } from '../../../links/gdb/target-description.ts';
import { MachineError } from '../../../machine/errors.ts';
import { ifThere } from '../debug/if-there.ts';
import { walkNow } from '../debug/paging/qemu-paging.ts';
import { isSet } from '../debug/paging/table-scheme.ts';
import type { Monitor, Stub } from '../debug/stub.ts';
import { cpuIndexOf, type Target } from '../debug/target.ts';
import type { Disassembler } from './core-disassembler.ts';
import type { CoreProcessor, CoreState } from './core-state.ts';

const pageBytes = 4096n;
const maxPages = 65_536;
const longestInstruction = 16;
const disassembleForm = /^(xp?)\/(\d{1,5})i 0x([0-9a-f]{1,16})$/;
const translateForm = /^gva2gpa 0x([0-9a-f]{1,16})$/;

/** Answers for a core file what the gdb stub and the monitor of a stopped QEMU would. */
export class CoreStub implements Stub, Monitor {
  readonly description: TargetDescription;
  readonly closed = false;
  readonly #memory: CoreMemory;
  readonly #state: CoreState;
  readonly #disassembler: Disassembler;
  readonly #pause: Pause = pauses();
  #target: Target | undefined;
  #processor: number;
  #isPhysical = false;
  /** By processor and page: nothing changes. */
  readonly #pages = new Map<string, bigint | string>();

  constructor(memory: CoreMemory, state: CoreState, disassembler: Disassembler) {
    this.#memory = memory;
    this.#state = state;
    this.#disassembler = disassembler;
    this.#processor = state.selected;
    this.description = state.description;
  }

  /** Its registers say how addresses are translated. */
  attach(target: Target): void {
    this.#target = target;
  }

  get #its(): Target {
    if (this.#target) return this.#target;
    throw new Error('nothing is attached to the core file');
  }

  async selectThread(thread: string): Promise<void> {
    this.#processor = cpuIndexOf(thread);
  }

  async readAll(): Promise<Uint8Array> {
    return this.#selected.general;
  }

  async readRegister(number: number): Promise<Uint8Array> {
    const bytes = this.#selected.others.get(number);
    if (bytes && bytes.length > 0) return bytes;
    throw new GdbError('refused', `register ${number} is not in the core file`);
  }

  async readMemory(address: bigint, length: number): Promise<Uint8Array> {
    if (this.#isPhysical) return this.#physical(address, length);
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      await this.#pause();
      const at = BigInt.asUintN(64, address + BigInt(done));
      const offset = at % pageBytes;
      const count = Math.min(length - done, Number(pageBytes - offset));
      bytes.set(await this.#physical((await this.#pageAt(at - offset)) + offset, count), done);
      done += count;
    }
    return bytes;
  }

  async physicalAddresses(on: boolean): Promise<boolean> {
    this.#isPhysical = on;
    return true;
  }

  async writeRegister(): Promise<void> {
    throw unchangeable();
  }

  async writeAll(): Promise<void> {
    throw unchangeable();
  }

  async writeMemory(): Promise<void> {
    throw unchangeable();
  }

  async hmp(line: string, { cpuIndex = 0 }: { readonly cpuIndex?: number | undefined } = {}): Promise<string> {
    if (line === 'info registers') return this.#state.processors[cpuIndex]?.monitor ?? '';
    const address = translateForm.exec(line)?.[1];
    if (address !== undefined) return this.#plain(BigInt(`0x${address}`));
    const [, , count, from] = disassembleForm.exec(line) ?? [];
    if (from === undefined) throw new Error(`a core file has no answer to ${line.slice(0, 80)}`);
    return this.#listing(BigInt(`0x${from}`), Number(count));
  }

  /** Of a processor that translates nothing, or of which the file does not say how. */
  async #plain(address: bigint): Promise<string> {
    const { names } = this.#its;
    const known = ['eflags', 'satp', 'ttbr0_el1', 'xpsr'].some((name) => names.find(name) !== undefined);
    const isOff = names.find('sctlr') !== undefined && !isSet(await this.#its.value('sctlr'), 0);
    if (known || isOff) return `gpa: 0x${address.toString(16)}`;
    return 'the core file does not say how virtual addresses are translated; use physical ones';
  }

  async #listing(address: bigint, count: number): Promise<string> {
    const code = await this.#codeAt(address, count * longestInstruction);
    if (code.length === 0) return 'Cannot access memory';
    const mode = await this.#its.decoding();
    const isThumb = this.#its.isCortexM || (this.#its.isArm && isSet(await this.#its.value('cpsr'), 5));
    return this.#disassembler.listing(address, code, count, isThumb ? 'thumb' : mode);
  }

  /** As much of it as is there. */
  async #codeAt(address: bigint, most: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (let done = 0; done < most; ) {
      const at = address + BigInt(done);
      const count = Math.min(most - done, Number(pageBytes - (at % pageBytes)));
      const part = await ifThere(this.readMemory(at, count));
      if (!part) break;
      parts.push(part);
      done += count;
    }
    return Buffer.concat(parts);
  }

  async #physical(address: bigint, length: number): Promise<Uint8Array> {
    const bytes = (await this.#memory.read(address, length)) ?? this.#piece(address, length);
    if (bytes) return bytes;
    throw new GdbError('refused', `physical memory at 0x${address.toString(16)} is not in the core file`);
  }

  #piece(address: bigint, length: number): Uint8Array | undefined {
    for (const { physical, bytes } of this.#state.pieces) {
      if (address < physical || address + BigInt(length) > physical + BigInt(bytes.length)) continue;
      const from = Number(address - physical);
      return bytes.subarray(from, from + length);
    }
    return undefined;
  }

  /** Where a page lies in physical memory, by the tables of the processor in question. */
  async #pageAt(page: bigint): Promise<bigint> {
    const key = `${this.#processor} ${page}`;
    const known = this.#pages.get(key) ?? (await this.#translate(page));
    if (this.#pages.size >= maxPages) this.#pages.clear();
    this.#pages.set(key, known);
    if (typeof known === 'bigint') return known;
    throw new GdbError('refused', `0x${page.toString(16)} is not mapped: ${known}`);
  }

  async #translate(page: bigint): Promise<bigint | string> {
    const { physical, fault } = await walkNow(this.#its, page);
    return physical ?? fault ?? 'it leads nowhere';
  }

  get #selected(): CoreProcessor {
    const found = this.#state.processors[this.#processor];
    if (found) return found;
    throw new GdbError('refused', `processor ${this.#processor} is not in the core file`);
  }
}

function unchangeable(): MachineError {
  return new MachineError(
    'MISSING_CAPABILITY',
    'It is a core file: nothing in it can be changed.',
    'To change something, start the machine itself, or a snapshot of it with "from_snapshot".',
  );
}
