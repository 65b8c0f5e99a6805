import { hex, lowerHex } from '../../../../formats/hex.ts';
import type { Drive } from '../../drives/drive.ts';
import type { CallKind } from '../call-kind.ts';
import type { Guest, Service, ServiceOutcome } from '../guest.ts';
import { keyStatusOf } from './con-device/console-hooks.ts';
import { keyOf } from './con-device/key-word.ts';
import { Dos, type DosState } from './dos.ts';
import type { DosSetup } from './dos-setup.ts';
import { type DosView, viewDos } from './dos-view.ts';
import { writeDriveParameters } from './drive-parameters.ts';
import { driverCommands, requestAt, requestBytes } from './driver-request.ts';
import { type FarPointer, linear, packFar } from './far-pointer.ts';
import { keepResident, terminateByPrefix } from './functions/processes.ts';
import { type GuestAnswer, takeBack } from './guest-calls.ts';
import { afterControlBreak, afterCriticalError } from './guest-handlers.ts';
import { codeOffsets, installKernel } from './install.ts';
import { describe21, interrupt21, kind21, result21 } from './interrupt-21.ts';
import { absoluteDisk, describeAbsoluteDisk } from './interrupts/absolute-disk.ts';
import { defaultControlBreak, defaultCriticalError, divideOverflow } from './interrupts/default-handlers.ts';
import { deviceRequest } from './interrupts/device-request.ts';
import { Multiplex } from './interrupts/multiplex.ts';
import { at, commandSegment, dosSegment } from './layout.ts';
import { CallingGuest } from './signals.ts';
import type { DosWiring } from './wiring.ts';

/** Those the console driver uses, which programs hook. */
const biosInterrupts = [0x10, 0x16];
const lastOldFunction = 0x24;
const freshFlags = 0x7202;
const frameBytes = 6;

/** DOS 5 at high level: its interrupts as services, its structures in guest memory. */
export class DosKernel {
  readonly dos: Dos;
  readonly multiplex: Multiplex;
  readonly #interrupts: ReadonlyMap<number, Service>;
  /** What goes on where handlers come back to, by the names of the entries. */
  readonly #returns: ReadonlyMap<string, Service>;
  #command: Service = () => 'wait';
  #commandInterrupt: Service = () => 'done';

  constructor(wiring: DosWiring) {
    const dos = new Dos(wiring);
    this.dos = dos;
    this.multiplex = new Multiplex(dos);
    const done = () => 'done' as const;
    this.#interrupts = new Map<number, Service>([
      [0x20, (guest) => terminateByPrefix(dos, guest) ?? 'done'],
      [0x21, (guest) => interrupt21(dos, guest)],
      [0x22, done],
      [0x23, (guest) => defaultControlBreak(dos, guest)],
      [0x24, (guest) => defaultCriticalError(dos, guest)],
      [0x25, (guest) => absoluteDisk(dos, guest, false)],
      [0x26, (guest) => absoluteDisk(dos, guest, true)],
      [0x27, (guest) => this.#stayResident(guest)],
      [0x28, done],
      [0x29, (guest) => this.#fastOutput(guest)],
      [0x2a, done],
      [0x2e, (guest) => this.#commandInterrupt(guest)],
      [0x2f, (guest) => this.multiplex.run(guest)],
      [0x1b, () => this.#breakKey()],
      [0x00, (guest) => divideOverflow(dos, guest)],
    ]);
    this.#returns = new Map<string, Service>([
      ['afterControlBreak', (guest) => afterControlBreak(dos, guest)],
      ['afterCriticalError', (guest) => afterCriticalError(dos, guest)],
      ['afterCall', (guest) => back(guest, () => {})],
      ['afterKeyStatus', (guest) => back(guest, (answer) => dos.console.keyStatus(keyStatusOf(answer)))],
      ['afterKey', (guest) => back(guest, ({ ax }) => dos.console.keyTaken(keyOf(ax)))],
      ['afterDriver', (guest) => this.#driverAnswered(guest)],
      ['afterDisk', (guest) => this.#diskAnswered(guest)],
    ]);
  }

  /** Writes vectors and structures into cleared memory, as booting does. What is on the drives stays. */
  install(setup: DosSetup = {}): void {
    const { dos } = this;
    dos.reset();
    dos.installed = true;
    dos.high = setup.config?.high ?? false;
    dos.startup.begin(setup.config?.devices ?? [], setup.config?.unknown ?? []);
    for (const interrupt of biosInterrupts) dos.ownVectors.set(interrupt, packFar(dos.wiring.handler(interrupt)));
    for (const [number, service] of this.#interrupts) {
      const name = `int${lowerHex(number, 2)}`;
      const place = this.#entry(name, name, service);
      dos.ownVectors.set(number, packFar(place));
      dos.processes.setVector(number, packFar(place));
    }
    const returns = new Map([...this.#returns].map(([name, service]) => [name, this.#returnEntry(service)]));
    installKernel(
      dos,
      {
        returns,
        command: this.#entry('command', 'dos command interpreter', (guest) => {
          dos.startup.run();
          return this.#command(guest);
        }),
        farCall: this.#entry('farCall', 'dos call 5', (guest) => this.#farCall(guest)),
        device: this.#entry('device', 'dos device driver', (guest) => deviceRequest(dos, guest)),
      },
      setup,
    );
  }

  /** What runs as the command interpreter: called whenever it has the processor, and for INT 2Eh. */
  setCommand(service: Service, interrupt: Service): void {
    this.#command = service;
    this.#commandInterrupt = interrupt;
  }

  /** Sets the processor to the command interpreter's loop. */
  boot(guest: Guest): void {
    guest.cs = dosSegment;
    guest.ip = codeOffsets.command;
    guest.ss = dosSegment;
    guest.sp = at.commandStackTop;
    guest.ds = commandSegment;
    guest.es = commandSegment;
  }

  /** Puts a drive behind a letter (0 is A:), or takes it away. */
  mount(drive: number, value: Drive | undefined): void {
    const { dos } = this;
    dos.drives.set(drive, value);
    // The memory of another system is none of our business; installing finds the drive on its own.
    if (!dos.installed) return;
    dos.directories.reset(drive, drive < 2 || value !== undefined, value?.kind === 'cdrom');
    writeDriveParameters(dos, drive);
  }

  /** A character device that programs find by name, such as EMMXXXX0; `ownPart` follows its header. */
  addDevice(name: string, attributes: number, ownPart: readonly number[] = []): FarPointer {
    return this.dos.devices.add(name, attributes, codeOffsets.strategy, codeOffsets.devices, ownPart);
  }

  /** What the call log keeps of a call; undefined for interrupts that are not DOS's. */
  callKind(interrupt: number, guest: Guest): CallKind | undefined {
    if (!this.#interrupts.has(interrupt)) return undefined;
    if (interrupt === 0x21) return kind21(guest);
    if (interrupt === 0x25 || interrupt === 0x26) return 'live';
    const isPoll = interrupt === 0x28 || interrupt === 0x2a || (interrupt === 0x2f && guest.ax === 0x1680);
    return isPoll ? 'poll' : 'registers';
  }

  /** For the call log, before the service runs; undefined for interrupts that are not DOS's. */
  describe(interrupt: number, guest: Guest): string | undefined {
    if (!this.#interrupts.has(interrupt)) return undefined;
    if (interrupt === 0x21) return describe21(this.dos, guest);
    if (interrupt === 0x25 || interrupt === 0x26) {
      return `int ${interrupt.toString(16)}h ${interrupt === 0x25 ? 'read' : 'write'} ${describeAbsoluteDisk(guest)}`;
    }
    const ax = hex(guest.ax, 4);
    return `int ${hex(interrupt)}h ${interruptNames[interrupt] ?? ''} ax=${ax}h`;
  }

  /** For the call log, after a service that is done. `number` is AH as it was before. */
  result(interrupt: number, number: number, guest: Guest): string {
    return interrupt === 0x21 ? result21(this.dos, guest, number) : '';
  }

  /** Memory blocks, processes and open files as they are now. */
  view(): DosView {
    return viewDos(this.dos);
  }

  /** The power was switched on: nothing of DOS runs until it is installed. What is on the drives stays. */
  powerOn(): void {
    this.dos.reset();
  }

  save(): DosState {
    return this.dos.save();
  }

  restore(saved: DosState): void {
    this.dos.restore(saved);
  }

  /** A callback of the kernel. What it leaves to be called in the guest is called when it is done. */
  #entry(name: string, label: string, service: Service): FarPointer {
    const { calls, console, drivers, drives, entries, wiring } = this.dos;
    const buffers = () => this.dos.buffers;
    const place: FarPointer = wiring.stub(label, (guest) => {
      const before = calls.count;
      calls.begin();
      drivers.begin(((guest.ss << 16) | guest.sp) >>> 0);
      const outcome = attempt(service, guest);
      if (outcome === 'done') {
        console.forgetStatus();
        drivers.commit();
        if (drivers.isIdle) drives.settle(buffers);
      }
      return calls.count === before ? outcome : calls.settle(guest, outcome, place);
    });
    entries.set(name, place);
    return place;
  }

  /** A callback after a handler that a service has called: goes on with the next one. It has no name: logs leave it out. */
  #returnEntry(service: Service): FarPointer {
    const { calls, wiring } = this.dos;
    const place: FarPointer = wiring.stub('', (guest) => {
      calls.begin();
      return calls.settle(guest, service(guest), place);
    });
    return place;
  }

  /** Below the flags and registers lies the frame of the service that asked, and then that service's own stack. */
  #driverAnswered(guest: Guest): ServiceOutcome {
    takeBack(guest);
    this.dos.drivers.answered(((guest.ss << 16) | ((guest.sp + frameBytes) & 0xffff)) >>> 0);
    return 'done';
  }

  /** Only the answer to a question whether the medium was changed must not be forgotten while the call lasts. */
  #diskAnswered(guest: Guest): ServiceOutcome {
    const { drives, memory } = this.dos;
    const packet = memory.bytes(linear(dosSegment, at.request), requestBytes);
    if (packet[requestAt.command] === driverCommands.mediaCheck) this.#driverAnswered(guest);
    else takeBack(guest);
    drives.guest(packet[requestAt.drive] ?? 0)?.disk.answered(packet);
    return 'done';
  }

  #stayResident(guest: Guest): ServiceOutcome {
    keepResident(this.dos, guest, (guest.dx + 15) >> 4, 0);
    return 'done';
  }

  #fastOutput(guest: Guest): ServiceOutcome {
    const { dos } = this;
    for (const call of dos.hooks.ownOutput(guest.al, dos.console)) dos.calls.later(call);
    return 'done';
  }

  #breakKey(): ServiceOutcome {
    this.dos.console.signalBreak();
    return 'done';
  }

  /** CALL 5 with the function in CL: the stack holds a far and then a near return address. */
  #farCall(guest: Guest): ServiceOutcome {
    const { memory, ss, sp } = guest;
    const near = memory.read16(linear(ss, sp + 4));
    memory.write16(linear(ss, sp), near);
    memory.write16(linear(ss, sp + 4), freshFlags);
    if (guest.cl > lastOldFunction) {
      guest.al = 0;
      return 'done';
    }
    guest.ah = guest.cl;
    const frame = this.dos.entry('int21');
    guest.sp = (sp - 6) & 0xffff;
    memory.write16(linear(ss, guest.sp), frame.offset);
    memory.write16(linear(ss, guest.sp + 2), frame.segment);
    memory.write16(linear(ss, guest.sp + 4), 0x7002);
    return 'done';
  }
}

function attempt(service: Service, guest: Guest): ServiceOutcome {
  try {
    return service(guest);
  } catch (error) {
    if (error instanceof CallingGuest) return 'call';
    throw error;
  }
}

/** A handler has returned: its answer goes where it was asked for. */
function back(guest: Guest, take: (answer: GuestAnswer) => void): ServiceOutcome {
  take(takeBack(guest));
  return 'done';
}

const interruptNames: Readonly<Record<number, string>> = {
  0: 'divide overflow',
  32: 'terminate',
  35: 'Ctrl-C',
  36: 'critical error',
  39: 'terminate and stay resident',
  40: 'idle',
  41: 'fast output',
  46: 'run command',
  47: 'multiplex',
};
