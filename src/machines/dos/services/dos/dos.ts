import { attributes, type Drive } from '../../drives/drive.ts';
import type { VolumeLayout } from '../../drives/fat/volume-layout.ts';
import type { GuestUnit } from '../../drives/saved-drive.ts';
import { dosStamp } from '../../drives/stamp.ts';
import type { GuestMemory } from '../guest.ts';
import { ConsoleDevice, type ConsoleState } from './con-device/console-device.ts';
import { ConsoleHooks } from './con-device/console-hooks.ts';
import { CurrentDirectories } from './current-directories.ts';
import { DeviceFiles } from './device-files.ts';
import { Devices } from './devices.ts';
import { writeDriveParameters } from './drive-parameters.ts';
import { DriveTable } from './drive-table.ts';
import { type FarPointer, linear } from './far-pointer.ts';
import { GuestCalls } from './guest-calls.ts';
import { GuestDisk } from './guest-disk.ts';
import { GuestDrive } from './guest-drive.ts';
import { GuestDrivers } from './guest-drivers.ts';
import { Handles } from './handles.ts';
import { at, dosSegment, firstBlockSegment } from './layout.ts';
import { MemoryBlocks } from './memory-blocks.ts';
import type { OwnDriver } from './own-driver.ts';
import { Paths } from './paths.ts';
import { Processes } from './processes.ts';
import { type LoadedProgram, ProgramLoader } from './program-loader.ts';
import { Share } from './share.ts';
import { Startup, type StartupState } from './startup.ts';
import { SwappableArea } from './swappable-area.ts';
import { SystemFiles } from './system-files.ts';
import type { DosClock, DosWiring } from './wiring.ts';

/** What does not lie in guest memory. */
/** Memory that DOS itself has no part in. */
export interface OtherMemory {
  readonly xms: { readonly total: number; readonly free: number };
  readonly ems: { readonly total: number; readonly free: number };
}

export interface DosState {
  readonly waits: readonly number[];
  readonly high: boolean;
  readonly idleCalled: boolean;
  readonly controlBreakStack: number;
  readonly criticalCode: number;
  readonly criticalAsked: boolean;
  readonly lastUsed: number;
  readonly console: ConsoleState;
  readonly calls: ReturnType<GuestCalls['save']>;
  readonly share: ReturnType<Share['save']>;
  readonly drivers: ReturnType<GuestDrivers['save']>;
  readonly cooked: readonly number[];
  readonly startup: StartupState;
  readonly drives: ReturnType<DriveTable['save']>;
  readonly installed: boolean;
}

const buffersAt = 0x3f;

/** The parts of the kernel, as its functions use them. */
export class Dos {
  readonly wiring: DosWiring;
  readonly memory: GuestMemory;
  readonly clock: DosClock;
  readonly area: SwappableArea;
  readonly blocks: MemoryBlocks;
  readonly files: SystemFiles;
  readonly directories: CurrentDirectories;
  readonly devices: Devices;
  readonly deviceFiles: DeviceFiles;
  readonly paths: Paths;
  readonly processes: Processes;
  readonly console: ConsoleDevice;
  readonly calls: GuestCalls;
  readonly hooks: ConsoleHooks;
  readonly drivers: GuestDrivers;
  readonly drives = new DriveTable();
  readonly handles: Handles;
  readonly share: Share;
  readonly loader: ProgramLoader;
  readonly startup: Startup;
  /** Where the kernel's callbacks lie, by name; filled in while it is installed. */
  readonly entries = new Map<string, FarPointer>();
  /** Vectors as they are while nobody has hooked them. */
  readonly ownVectors = new Map<number, number>();
  /** Drivers here, and not in the guest, of further devices, by name. */
  readonly ownDrivers = new Map<string, OwnDriver>();

  /** Whether this kernel runs in the machine, and not one that was booted from a disk. */
  installed = false;
  /** Of what happens while a handler of the program runs: see guest-handlers.ts and idle.ts. */
  /** Told of every program that is brought into memory. */
  programLoaded: ((program: LoadedProgram) => void) | undefined;
  /** Told when a program has ended, with the process that goes on. */
  programEnded: ((goesOn: number) => void) | undefined;
  /** Kilobytes of extended and expanded memory, in all and free, where there are drivers for them. */
  otherMemory: (() => OtherMemory) | undefined;
  /** Told when the first instruction of a program comes next. */
  programEntered: ((program: LoadedProgram) => void) | undefined;
  /** DOS=HIGH: it has the high memory area. */
  high = false;
  idleCalled = false;
  controlBreakStack = 0;
  criticalCode = 0;
  criticalAsked = false;
  /** Stacks (ss:sp) of calls that wait for a key, innermost last. */
  #waits: number[] = [];

  constructor(wiring: DosWiring) {
    const { memory } = wiring;
    this.wiring = wiring;
    this.memory = memory;
    this.clock = wiring.clock;
    this.area = new SwappableArea(memory);
    this.blocks = new MemoryBlocks(memory, firstBlockSegment);
    this.files = new SystemFiles(memory);
    this.directories = new CurrentDirectories(memory);
    this.devices = new Devices(memory);
    this.paths = new Paths(this.directories, this.devices, this.area, (drive, names) => {
      const entry = names.length > 0 && this.drives.get(drive).lookup(names);
      return (
        names.length === 0 ||
        (entry !== undefined && entry !== false && (entry.attributes & attributes.directory) !== 0)
      );
    });
    this.processes = new Processes(memory, this.area, this.files);
    this.calls = new GuestCalls({
      memory,
      vector: (interrupt) => this.processes.vector(interrupt),
      entry: (name) => this.entry(name),
      output: (byte) => this.hooks.callsFor(byte, this.console),
    });
    const own = (interrupt: number) => this.ownVectors.get(interrupt) ?? 0;
    this.hooks = new ConsoleHooks({ memory, console: wiring.console, calls: this.calls, own });
    this.console = new ConsoleDevice(wiring.console, this.hooks, () => wiring.port('LPT1'));
    this.drivers = new GuestDrivers(memory, this.calls);
    this.deviceFiles = new DeviceFiles({
      memory,
      drivers: this.drivers,
      headers: this.devices,
      console: this.console,
      clock: wiring.clock,
      port: (name) => wiring.port(name),
      own: (name) => this.ownDrivers.get(name),
    });
    this.share = new Share(this.files);
    this.handles = new Handles({
      share: this.share,
      files: this.files,
      drives: this.drives,
      paths: this.paths,
      processes: this.processes,
      devices: this.deviceFiles,
      stamp: () => this.stamp(),
    });
    this.loader = new ProgramLoader(this);
    this.startup = new Startup(this);
  }

  /** True where this call was begun before and waited. */
  resumesWait(stack: number): boolean {
    return this.#waits.at(-1) === stack;
  }

  startWait(stack: number): void {
    if (!this.resumesWait(stack)) this.#waits.push(stack);
  }

  endWait(): void {
    this.#waits.pop();
  }

  forgetWaits(): void {
    this.#waits = [];
  }

  save(): DosState {
    return {
      waits: [...this.#waits],
      high: this.high,
      idleCalled: this.idleCalled,
      controlBreakStack: this.controlBreakStack,
      criticalCode: this.criticalCode,
      criticalAsked: this.criticalAsked,
      lastUsed: this.drives.lastUsed,
      console: this.console.save(),
      calls: this.calls.save(),
      share: this.share.save(),
      drivers: this.drivers.save(),
      startup: structuredClone(this.startup.state),
      cooked: [...this.deviceFiles.cooked],
      drives: this.drives.save(),
      installed: this.installed,
    };
  }

  restore(state: DosState): void {
    this.#waits = [...state.waits];
    this.high = state.high;
    this.idleCalled = state.idleCalled;
    this.controlBreakStack = state.controlBreakStack;
    this.criticalCode = state.criticalCode;
    this.criticalAsked = state.criticalAsked;
    this.drives.lastUsed = state.lastUsed;
    this.console.restore(state.console);
    this.calls.restore(state.calls);
    this.share.restore(state.share);
    this.drivers.restore(state.drivers);
    this.startup.state = structuredClone(state.startup);
    this.deviceFiles.cooked = [...state.cooked];
    this.drives.restore(state.drives, ({ unit, layout }) => this.guestDrive(unit, layout));
    this.installed = state.installed;
  }

  /** As after the power was switched on: what is on the drives stays. */
  reset(): void {
    this.forgetWaits();
    this.high = false;
    this.idleCalled = false;
    this.controlBreakStack = 0;
    this.criticalCode = 0;
    this.criticalAsked = false;
    this.installed = false;
    this.drives.lastUsed = 0;
    this.drives.dropGuests();
    this.console.reset();
    this.calls.reset();
    this.share.reset();
    this.drivers.reset();
    this.startup.reset();
    this.deviceFiles.cooked = [];
  }

  /** Where one of the kernel's callbacks lies. */
  entry(name: string): FarPointer {
    const found = this.entries.get(name);
    if (found === undefined) throw new Error(`the kernel has no entry ${name}`);
    return found;
  }

  /** What is behind a letter, also when SUBST has made it. */
  realDrive(drive: number): Drive {
    return this.drives.get(this.directories.real(drive));
  }

  /** A drive behind a driver of the guest. */
  guestDrive(unit: GuestUnit, layout: VolumeLayout): GuestDrive {
    const { memory, drivers, calls } = this;
    const parts = {
      memory,
      drivers,
      calls,
      verify: () => this.area.verify,
      rebuilt: () => writeDriveParameters(this, unit.drive),
    };
    return new GuestDrive(new GuestDisk(parts, unit, layout));
  }

  /** BUFFERS= of CONFIG.SYS. */
  get buffers(): number {
    return this.memory.read16(linear(dosSegment, at.listOfLists + buffersAt));
  }

  /** Writes a byte of the list of lists. */
  listByte(offset: number, value: number): void {
    this.memory.write8(linear(dosSegment, at.listOfLists + offset), value);
  }

  stamp(): number {
    return dosStamp(this.clock.now());
  }
}
