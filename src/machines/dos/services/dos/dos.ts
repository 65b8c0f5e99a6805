import { dosStamp } from '../../drives/stamp.ts';
import type { GuestMemory } from '../guest.ts';
import { ConsoleDevice } from './console/console-device.ts';
import { CurrentDirectories } from './current-directories.ts';
import { DeviceFiles } from './device-files.ts';
import { Devices } from './devices.ts';
import { DriveTable } from './drive-table.ts';
import type { FarPointer } from './far-pointer.ts';
import { Handles } from './handles.ts';
import { firstBlockSegment } from './layout.ts';
import { MemoryBlocks } from './memory-blocks.ts';
import { Paths } from './paths.ts';
import { Processes } from './processes.ts';
import { ProgramLoader } from './program-loader.ts';
import { SwappableArea } from './swappable-area.ts';
import { SystemFiles } from './system-files.ts';
import type { DosClock, DosWiring } from './wiring.ts';

interface SavedDos {
  readonly waits: readonly number[];
  readonly idleCalled: boolean;
  readonly controlBreakStack: number;
  readonly criticalCode: number;
  readonly criticalAsked: boolean;
  readonly lastUsed: number;
  readonly console: unknown;
  readonly drives: ReturnType<DriveTable['save']>;
  readonly installed: boolean;
}

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
  readonly drives = new DriveTable();
  readonly handles: Handles;
  readonly loader: ProgramLoader;
  /** Where the kernel's callbacks lie, by name; filled in while it is installed. */
  readonly entries = new Map<string, FarPointer>();

  /** Whether this kernel runs in the machine, and not one that was booted from a disk. */
  installed = false;
  /** Of what happens while a handler of the program runs: see guest-handlers.ts and idle.ts. */
  /** Told of every program that is brought into memory: its name, its file, and from where to where it lies. */
  programLoaded: ((name: string, file: Uint8Array, first: number, last: number) => void) | undefined;
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
    this.paths = new Paths(this.directories, this.devices, this.area);
    this.processes = new Processes(memory, this.area, this.files);
    this.console = new ConsoleDevice(wiring.console, () => wiring.port('LPT1'));
    this.deviceFiles = new DeviceFiles({
      headers: this.devices,
      console: this.console,
      clock: wiring.clock,
      port: (name) => wiring.port(name),
    });
    this.handles = new Handles({
      files: this.files,
      drives: this.drives,
      paths: this.paths,
      processes: this.processes,
      devices: this.deviceFiles,
      stamp: () => this.stamp(),
    });
    this.loader = new ProgramLoader(this);
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

  /** What does not lie in guest memory. */
  save(): unknown {
    return {
      waits: [...this.#waits],
      idleCalled: this.idleCalled,
      controlBreakStack: this.controlBreakStack,
      criticalCode: this.criticalCode,
      criticalAsked: this.criticalAsked,
      lastUsed: this.drives.lastUsed,
      console: this.console.save(),
      drives: this.drives.save(),
      installed: this.installed,
    };
  }

  restore(saved: unknown): void {
    const state = saved as SavedDos;
    this.#waits = [...state.waits];
    this.idleCalled = state.idleCalled;
    this.controlBreakStack = state.controlBreakStack;
    this.criticalCode = state.criticalCode;
    this.criticalAsked = state.criticalAsked;
    this.drives.lastUsed = state.lastUsed;
    this.console.restore(state.console);
    this.drives.restore(state.drives);
    this.installed = state.installed;
  }

  /** As after the power was switched on: what is on the drives stays. */
  reset(): void {
    this.forgetWaits();
    this.idleCalled = false;
    this.controlBreakStack = 0;
    this.criticalCode = 0;
    this.criticalAsked = false;
    this.installed = false;
    this.drives.lastUsed = 0;
    this.console.reset();
  }

  /** Where one of the kernel's callbacks lies. */
  entry(name: string): FarPointer {
    const found = this.entries.get(name);
    if (found === undefined) throw new Error(`the kernel has no entry ${name}`);
    return found;
  }

  stamp(): number {
    return dosStamp(this.clock.now());
  }
}
