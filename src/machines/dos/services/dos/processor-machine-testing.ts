import { smallestMemory, X86Memory } from '../../../../chips/x86/memory.ts';
import { stateWords } from '../../../../chips/x86/registers.ts';
import { X86 } from '../../../../chips/x86/x86.ts';
import { AllowedFolder } from '../../../../host/files/allowed-folder.ts';
import { FolderSource } from '../../drives/folder-source.ts';
import { TreeDrive } from '../../drives/tree-drive.ts';
import { Shell } from '../../shell/shell.ts';
import type { Guest, GuestMemory, Service } from '../guest.ts';
import { linear } from './far-pointer.ts';
import { DosKernel } from './kernel.ts';
import type { DosWiring, Key } from './wiring.ts';

const registers = [
  ...['eax', 'ebx', 'ecx', 'edx', 'esi', 'edi', 'ax', 'bx', 'cx', 'dx', 'si', 'di', 'bp', 'sp', 'ip'],
  ...['al', 'ah', 'bl', 'bh', 'cl', 'ch', 'dl', 'dh', 'cs', 'ds', 'es', 'ss', 'fs', 'gs'],
];

/** A real processor with the kernel and the shell, and nothing else: no BIOS, no devices. */
export class ProcessorMachine {
  readonly keys: Key[] = [];
  screenText = '';
  readonly kernel: DosKernel;
  readonly shell: Shell;
  readonly #memory = new X86Memory(new Uint8Array(smallestMemory));
  readonly #services: Service[] = [];
  readonly #cpu: X86;

  constructor(folder: string, commands: readonly string[]) {
    const guest = {} as Guest;
    this.#cpu = new X86({
      model: '80386',
      state: new Int32Array(stateWords),
      memory: this.#memory,
      wires: {
        in: () => 0xff,
        out: () => {},
        callback: (number) => {
          const outcome = this.#services[number]?.(guest) ?? 'done';
          return outcome === 'call' || outcome === 'again' ? 'done' : outcome;
        },
        interruptVector: () => 8,
      },
    });
    this.#cpu.reset();
    this.#defineGuest(guest);
    this.kernel = new DosKernel(this.#wiring());
    this.kernel.dos.drives.set(2, new TreeDrive(new FolderSource(AllowedFolder.at(folder))));
    this.kernel.install();
    this.shell = new Shell(this.kernel, { commands, interactive: false });
    this.kernel.boot(guest);
  }

  /** Until the shell has nothing more to do, or so many instructions have passed. */
  run(instructions: number): void {
    const end = this.#cpu.instructions + instructions;
    while (!this.shell.finished && this.#cpu.instructions < end) this.#cpu.run(this.#cpu.instructions + 1_000);
  }

  #defineGuest(guest: Guest): void {
    const cpu = this.#cpu;
    const memory = this.#guestMemory();
    const flags = () => linear(guest.ss, guest.sp + 4);
    const flag = (bit: number) => ({
      get: () => (memory.read16(flags()) & bit) !== 0,
      set: (on: boolean) => memory.write16(flags(), (memory.read16(flags()) & ~bit) | (on ? bit : 0)),
    });
    Object.defineProperties(guest, {
      memory: { value: memory },
      instructions: { get: () => cpu.instructions },
      returnFlags: { get: () => memory.read16(flags()), set: (value: number) => memory.write16(flags(), value) },
      carry: flag(1),
      zero: flag(0x40),
    });
    for (const name of registers) {
      Object.defineProperty(guest, name, { get: () => cpu.get(name), set: (value: number) => cpu.set(name, value) });
    }
  }

  #guestMemory(): GuestMemory {
    const memory = this.#memory;
    return {
      read8: (address) => memory.read8(address),
      read16: (address) => memory.read16(address),
      read32: (address) => memory.read32(address) >>> 0,
      write8: (address, value) => memory.write8(address, value),
      write16: (address, value) => memory.write16(address, value),
      write32: (address, value) => memory.write32(address, value),
      bytes: (address, length) => memory.ram.slice(address, address + length),
      write: (address, bytes) => {
        for (const [index, byte] of bytes.entries()) memory.write8(address + index, byte);
      },
    };
  }

  #wiring(): DosWiring {
    return {
      memory: this.#guestMemory(),
      topSegment: 0xa000,
      environment: ['PATH=C:\\'],
      port: () => undefined,
      handler: () => ({ segment: 0, offset: 0 }),
      clock: {
        now: () => ({ year: 1990, month: 1, day: 1, hour: 0, minute: 0, second: 0, hundredth: 0 }),
        setDate: () => {},
        setTime: () => {},
      },
      console: {
        write: (byte) => {
          this.screenText += String.fromCharCode(byte);
        },
        peek: () => this.keys[0],
        poll: () => this.keys.shift(),
        screen: {
          rows: 25,
          columns: 80,
          attribute: 7,
          cursor: () => ({ row: 0, column: 0 }),
          moveCursor: () => {},
          clear: () => {},
          setAttribute: () => {},
        },
      },
      stub: (_name, service) => {
        const number = this.#services.push(service) - 1;
        const offset = 0x100 + number * 8;
        this.#memory.ram.set([0xfe, 0x38, number & 0xff, number >> 8, 0xcf], 0xf0000 + offset);
        return { segment: 0xf000, offset };
      },
    };
  }
}
