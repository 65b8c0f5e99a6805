import { AllowedFolder } from '../../../../host/files/allowed-folder.ts';
import type { Drive } from '../../drives/drive.ts';
import { FolderSource } from '../../drives/folder-source.ts';
import { TreeDrive } from '../../drives/tree-drive.ts';
import type { Service } from '../guest.ts';
import { linear } from './far-pointer.ts';
import { readAsciz, writeAsciz } from './guest-text.ts';
import { DosKernel } from './kernel.ts';
import { TestGuest, TestMemory } from './test-guest-testing.ts';
import type { CharacterPort, DosWiring, Key, Moment } from './wiring.ts';

const stubSegment = 0xf000;
/** Where test calls come from: nothing is there, so arriving means that the call came back. */
const home = { segment: 0x7000, offset: 0x1234 } as const;
const scratch = 0x8000;

type Registers = Partial<Record<'ax' | 'bx' | 'cx' | 'dx' | 'si' | 'di' | 'bp' | 'ds' | 'es', number>>;

/** The kernel with a guest that has no processor: it can only call interrupts and follow the kernel's own few opcodes. */
export class TestMachine implements DosWiring {
  readonly memory = new TestMemory();
  readonly guest = new TestGuest(this.memory);
  readonly kernel: DosKernel;
  readonly topSegment = 0xa000;
  readonly environment = ['COMSPEC=C:\\COMMAND.COM', 'PATH=C:\\'];
  readonly keys: Key[] = [];
  readonly cleared: string[] = [];
  screenText = '';
  attribute = 7;
  moment: Moment = { year: 1992, month: 3, day: 4, hour: 5, minute: 6, second: 8, hundredth: 9 };
  readonly portOutput = new Map<string, string>();
  readonly portInput = new Map<string, number[]>();
  readonly #stubs = new Map<number, Service>();
  #cursor = { row: 0, column: 0 };

  constructor(drive: Drive) {
    this.kernel = new DosKernel(this);
    this.kernel.dos.drives.set(2, drive);
    this.kernel.install();
    this.kernel.boot(this.guest);
  }

  /** Over a folder of the host. */
  static over(folder: string, writeThrough = false): TestMachine {
    return new TestMachine(new TreeDrive(new FolderSource(AllowedFolder.at(folder), writeThrough)));
  }

  readonly console = {
    write: (byte: number) => {
      this.screenText += String.fromCharCode(byte);
    },
    peek: () => this.keys[0],
    poll: () => this.keys.shift(),
    screen: {
      rows: 25,
      columns: 80,
      attribute: 7,
      cursor: () => this.#cursor,
      moveCursor: (row: number, column: number) => {
        this.#cursor = { row, column };
      },
      clear: (...cells: number[]) => {
        this.cleared.push(cells.join(' '));
      },
      setAttribute: (attribute: number) => {
        this.attribute = attribute;
      },
    },
  };

  readonly clock = {
    now: () => this.moment,
    setDate: (year: number, month: number, day: number) => {
      this.moment = { ...this.moment, year, month, day };
    },
    setTime: (hour: number, minute: number, second: number, hundredth: number) => {
      this.moment = { ...this.moment, hour, minute, second, hundredth };
    },
  };

  port(name: string): CharacterPort {
    const input = this.portInput.get(name) ?? [];
    return {
      ready: () => input.length > 0,
      read: () => input.shift(),
      write: (byte) => {
        this.portOutput.set(name, (this.portOutput.get(name) ?? '') + String.fromCharCode(byte));
      },
    };
  }

  handler() {
    return { segment: 0, offset: 0 };
  }

  stub(_name: string, service: Service) {
    const offset = 0x1000 + this.#stubs.size * 8;
    this.#stubs.set(offset, service);
    return { segment: stubSegment, offset };
  }

  /** Types a line at the prompt; what the screen shows after the echo, without the next prompt. */
  enter(line: string): string {
    this.resume();
    this.screenText = '';
    this.type(`${line}\r`);
    this.resume();
    return this.screenText.slice(line.length + 2).replace(/\r\n[A-Z]:\\[^>\r]*>$/, '');
  }

  type(text: string): void {
    for (const character of text) this.keys.push({ ascii: character.charCodeAt(0), scan: 0 });
  }

  /** Places text where DS:DX can point to it. */
  text(value: string, offset: number = scratch): { ds: number; dx: number } {
    writeAsciz(this.memory, linear(home.segment, offset), value);
    return { ds: home.segment, dx: offset };
  }

  textAt(segment: number, offset: number): string {
    return readAsciz(this.memory, segment, offset);
  }

  /** An interrupt from a program that nothing is known of. Ends when it is back, has started a program, or waits. */
  interrupt(number: number, registers: Registers = {}): 'back' | 'away' | 'wait' {
    const { guest } = this;
    Object.assign(guest, registers);
    if (guest.cs === stubSegment || guest.cs === 0x80) {
      guest.ss = home.segment;
      guest.sp = 0x7000;
    }
    this.#push(0x202);
    this.#push(home.segment);
    this.#push(home.offset);
    this.#goTo(number * 4);
    return this.resume();
  }

  /** INT 21h; carry is what the caller finds. */
  dos(ax: number, registers: Registers = {}): { outcome: string; carry: boolean; ax: number } {
    const outcome = this.interrupt(0x21, { ...registers, ax });
    return { outcome, carry: (this.guest.flags & 1) !== 0, ax: this.guest.ax };
  }

  resume(): 'back' | 'away' | 'wait' {
    const { guest } = this;
    for (let i = 0; i < 100_000; i++) {
      if (guest.cs === home.segment && guest.ip === home.offset) return 'back';
      const service = guest.cs === stubSegment ? this.#stubs.get(guest.ip) : undefined;
      if (service !== undefined) {
        if (service(guest) === 'wait') return 'wait';
        this.#iret();
      } else if (!this.#opcode()) return 'away';
    }
    throw new Error('the test guest runs in circles');
  }

  /** Makes the guest run an interrupt handler's last instruction. */
  iret(): 'back' | 'away' | 'wait' {
    this.#iret();
    return this.resume();
  }

  retf(carry: boolean): 'back' | 'away' | 'wait' {
    this.guest.ip = this.#pop();
    this.guest.cs = this.#pop();
    this.guest.flags = carry ? 0x203 : 0x202;
    return this.resume();
  }

  /** The few instructions the kernel itself is made of. */
  #opcode(): boolean {
    const { guest, memory } = this;
    const address = linear(guest.cs, guest.ip);
    switch (guest.cs === 0x80 || guest.cs === 0 ? memory.read8(address) : 0) {
      case 0xfb:
        guest.ip++;
        return true;
      case 0x9c:
        this.#push(guest.flags);
        guest.ip++;
        return true;
      case 0x9a:
        this.#push(guest.cs);
        this.#push(guest.ip + 5);
        this.#goTo(address + 1);
        return true;
      case 0xea:
        this.#goTo(address + 1);
        return true;
      case 0xeb:
        guest.ip = (guest.ip + 2 + ((memory.read8(address + 1) << 24) >> 24)) & 0xffff;
        return true;
      case 0xcb:
        guest.ip = this.#pop();
        guest.cs = this.#pop();
        return true;
      default:
        return false;
    }
  }

  #goTo(pointer: number): void {
    this.guest.ip = this.memory.read16(pointer);
    this.guest.cs = this.memory.read16(pointer + 2);
  }

  #iret(): void {
    this.guest.ip = this.#pop();
    this.guest.cs = this.#pop();
    this.guest.flags = this.#pop();
  }

  #push(value: number): void {
    this.guest.sp = (this.guest.sp - 2) & 0xffff;
    this.memory.write16(linear(this.guest.ss, this.guest.sp), value);
  }

  #pop(): number {
    const value = this.memory.read16(linear(this.guest.ss, this.guest.sp));
    this.guest.sp = (this.guest.sp + 2) & 0xffff;
    return value;
  }
}
