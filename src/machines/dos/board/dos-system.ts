import type { CalendarTime } from '../../../chips/mc146818/mc146818.ts';
import type { SoundSink } from '../../../chips/sound-sink.ts';
import type { Model } from '../../../chips/x86/models.ts';
import type { Disc } from '../../../formats/cd/disc.ts';
import { CdDriveLetter } from '../drives/cd-drive-letter.ts';
import type { Drive } from '../drives/drive.ts';
import type { Disk } from '../drives/fat/disk.ts';
import type { SavedDrive } from '../drives/saved-drive.ts';
import { Bios, type BiosState } from '../services/bios/bios.ts';
import { callbacks } from '../services/bios/callbacks.ts';
import { buildBiosRom, interruptOffset, stubOffset } from '../services/bios/rom.ts';
import type { ServiceRow } from '../services/bios/service-row.ts';
import type { CallKind } from '../services/call-kind.ts';
import { CdDriver } from '../services/cdrom/cd-driver.ts';
import { Mscdex } from '../services/cdrom/mscdex.ts';
import { type ConfigSys, parseConfigSys } from '../services/dos/config-sys.ts';
import type { DosState } from '../services/dos/dos.ts';
import { type FarPointer, packFar } from '../services/dos/far-pointer.ts';
import { binaryText } from '../services/dos/guest-text.ts';
import { steadyUntil21 } from '../services/dos/interrupt-21.ts';
import { DosKernel } from '../services/dos/kernel.ts';
import { drivesMax, tables, tablesSegment } from '../services/dos/layout.ts';
import type { EmsState } from '../services/ems/expanded-memory.ts';
import { ExpandedMemory, FRAME_SEGMENT } from '../services/ems/expanded-memory.ts';
import { expandedMemoryService, installExpandedMemory } from '../services/ems/int67.ts';
import type { Guest, Service, ServiceOutcome } from '../services/guest.ts';
import { mouseService } from '../services/mouse/int33.ts';
import { MouseDriver } from '../services/mouse/mouse-driver.ts';
import type { MouseState } from '../services/mouse/mouse-state.ts';
import type { XmsState } from '../services/xms/xms-driver.ts';
import { XmsDriver } from '../services/xms/xms-driver.ts';
import { Shell } from '../shell/shell.ts';
import type { ShellState } from '../shell/shell-state.ts';
import { boardDisk } from './disk-media.ts';
import { dosClock, dosPort } from './dos-devices.ts';
import { PcBoard } from './pc-board.ts';
import { guestMemory, processorGuest } from './processor-guest.ts';
import type { SoundCard } from './sound-cards.ts';

export interface DosSystemOptions {
  readonly model: Model;
  readonly instructionsPerSecond: number;
  readonly extendedKilobytes: number;
  readonly date: CalendarTime;
  readonly sink: SoundSink;
  readonly serialMouse?: boolean | undefined;
  readonly coprocessor?: boolean | undefined;
  /** A Sound Blaster 2.0 without a word about it. */
  readonly sound?: SoundCard | undefined;
  /** Letters of CD-ROM drives, one after the other; 3 is D:. */
  readonly cdLetters?: readonly number[] | undefined;
  /** By number: 0 is A:, 2 is C:. */
  readonly drives: ReadonlyMap<number, Drive>;
  /** By BIOS number: 0 and 1 are floppies, 80h on hard disks. */
  readonly disks: ReadonlyMap<number, Disk>;
  /** The disk to boot from; our own DOS without one. */
  readonly bootFrom?: number | undefined;
  /** What the command interpreter runs first, and whether it has a prompt afterwards. */
  readonly commands: readonly string[];
  readonly interactive: boolean;
  readonly environment: readonly string[];
  /** Who has the RAM of the upper memory area: DOS (as after DOS=UMB, the default), the XMS driver, or nobody. */
  readonly upperMemory?: UpperMemoryOwner | undefined;
  /** Whether CONFIG.SYS of drive C: is obeyed; it is where nothing is said. */
  readonly config?: boolean | undefined;
}

/** What a machine is, whatever is in its drives. */
export type DosTraits = Omit<DosSystemOptions, 'sink' | 'drives' | 'disks' | 'commands' | 'bootFrom'>;

export type UpperMemoryOwner = 'dos' | 'xms' | 'none';

export interface DosSystemWires {
  serial(port: 0 | 1, byte: number): void;
  print(byte: number): void;
  /** A byte leaves for MIDI instruments. */
  midi?(byte: number): void;
  /** A service is about to run; what is returned is called when it is done. */
  called(number: number, kind: CallKind | undefined): ((outcome: ServiceOutcome) => void) | undefined;
}

/** Everything outside the board's buffer. */
export interface ServicesState {
  readonly bios: BiosState;
  readonly dos: DosState;
  readonly shell: ShellState;
  readonly mouse: MouseState;
  readonly ems: EmsState;
  readonly xms: XmsState;
  readonly ownDos: boolean;
  readonly disks: readonly (readonly [drive: number, content: SavedDrive])[];
}

interface Stub {
  readonly name: string;
  /** Of DOS's own, whose names are such as `int21`. */
  readonly interrupt: number | undefined;
  readonly service: Service;
}

/** What a callback does, and what a log keeps of it. */
interface Served {
  readonly service: Service;
  kind(guest: Guest): CallKind | undefined;
}

const romSegment = 0xf000;
/** How the processor counts work that its instructions call for. */
const roundsPerMs = 100_000;
const pollRounds = 100;
const xmsMultiplex = 0x43;
const mscdexMultiplex = 0x15;
const cdDeviceName = 'MSCD001';
/** A character device with IOCTL that wants to know of opening and closing. */
const cdAttributes = 0xc800;
/** Of the callback instruction. */
const callbackBytes = 4;
/** After the 64 KiB that real mode reaches above the first megabyte. */
export const highMemoryEnd = 0x110000;
const startDrive = 2;
const configName = 'CONFIG  SYS';
const mostConfigBytes = 0x8000;
const conventionalKilobytes = 640;
/** Between the kernel's tables and the page frame of expanded memory. */
const upperMemory = { first: tablesSegment + (tables.end >> 4), end: FRAME_SEGMENT } as const;

/** A PC with BIOS and DOS at high level, and whatever the command interpreter was told to run. */
export class DosSystem {
  readonly board: PcBoard;
  readonly guest: Guest;
  readonly bios: Bios;
  readonly kernel: DosKernel;
  readonly shell: Shell;
  readonly mouse: MouseDriver;
  readonly ems: ExpandedMemory;
  readonly xms: XmsDriver;
  readonly disks: Map<number, Disk>;
  readonly cdDriver: CdDriver;
  readonly #cdLetters: ReadonlyMap<number, CdDriveLetter>;
  readonly #options: DosSystemOptions;
  readonly #wires: DosSystemWires;
  #fresh: Pick<ServicesState, 'bios' | 'shell' | 'mouse'>;
  #bootFrom: number | undefined;
  #commands: readonly string[];
  readonly #rows: ReadonlyMap<number, ServiceRow>;
  /** Whether our own DOS was booted, and no other system. */
  #ownDos = false;
  readonly #stubs = new Map<number, Stub>();
  /** What serves callbacks, by their numbers, as far as they were called. */
  #services: (Served | undefined)[] = [];

  /** Our DOS runs, with our drivers, and no other system. */
  get isOwnDos(): boolean {
    return this.#ownDos;
  }

  constructor(options: DosSystemOptions, wires: DosSystemWires) {
    this.#options = options;
    this.#bootFrom = options.bootFrom;
    this.#commands = options.commands;
    this.#wires = wires;
    this.disks = new Map(options.disks);
    this.board = new PcBoard(
      { ...options, cdDrives: options.cdLetters?.length, rom: buildBiosRom() },
      {
        callback: (number) => this.#serve(number),
        serial: (port, byte) => wires.serial(port, byte),
        print: (byte) => wires.print(byte),
        midi: (byte) => wires.midi?.(byte),
        disk: (number) => {
          const disk = this.disks.get(number);
          return disk && boardDisk(disk);
        },
        // What its DOS knew of prompts and programs is void, though it lies in memory.
        wasReset: () => {
          this.#ownDos = false;
        },
      },
    );
    const { cpu, ports, gameport } = this.board;
    const { disks } = this;
    const memory = guestMemory(cpu);
    this.guest = processorGuest(cpu, memory);
    this.bios = new Bios({
      memory,
      ports,
      disk: (drive) => this.disks.get(drive),
      bootDisk: (drive) => (drive === this.#bootFrom ? this.disks.get(drive) : undefined),
      size: {
        conventionalKilobytes,
        extendedKilobytes: options.extendedKilobytes,
        floppyDrives: 1,
        get hardDisks() {
          return [...disks.keys()].filter((drive) => drive >= 0x80).length;
        },
        serialPorts: [0x3f8, 0x2f8],
        parallelPorts: [0x378],
        coprocessor: this.board.fpu !== null,
        gameport: true,
      },
      // The XMS driver of our DOS has all of it.
      extendedKilobytes: () => (this.#ownDos ? 0 : options.extendedKilobytes),
      joystickAxes: () => gameport.axes,
      bootOtherwise: (guest) => this.#bootDos(guest),
    });
    this.kernel = new DosKernel({
      memory,
      console: this.bios.console,
      clock: dosClock(this.board.rtc),
      port: (name) => dosPort(name, ports, (line, byte) => wires.serial(line, byte)),
      stub: (name, service) => this.#stub(name, service),
      handler: (interrupt) => ({ segment: romSegment, offset: interruptOffset(interrupt) }),
      topSegment: conventionalKilobytes * 64,
      environment: options.environment,
    });
    for (const [letter, drive] of options.drives) this.kernel.dos.drives.set(letter, drive);
    const { devices } = this.kernel.dos;
    this.cdDriver = new CdDriver(this.board.cds, () =>
      packFar(devices.find(cdDeviceName)?.at ?? devices.address('NUL')),
    );
    this.#cdLetters = this.#addCdDrives(options.cdLetters ?? []);
    this.mouse = new MouseDriver({ video: this.bios.video, irq: (level) => this.board.pic.setIrq(11, level) });
    this.ems = new ExpandedMemory(memory, this.board.expanded);
    this.xms = new XmsDriver({
      memory,
      extended: this.board.memory.ram.subarray(highMemoryEnd),
      upperMemory,
      a20: () => this.board.memory.a20,
      setA20: (on) => this.board.setA20(on),
    });
    this.kernel.dos.otherMemory = () => ({
      xms: { total: this.xms.memory.kilobytes, free: this.xms.memory.free },
      ems: { total: this.ems.pageCount * 16, free: this.ems.freePages * 16 },
    });
    this.kernel.multiplex.register(xmsMultiplex, (guest) => this.xms.multiplex(guest));
    this.#rows = new Map([
      ...this.bios.rows,
      [0x33, mouseService(this.mouse)],
      [0x67, expandedMemoryService(this.ems)],
      [0x73, this.mouse.interrupt],
      [callbacks.xms, this.xms.entry],
    ]);
    this.shell = new Shell(this.kernel, { commands: options.commands, interactive: options.interactive });
    this.#fresh = { bios: this.bios.save(), shell: this.shell.save(), mouse: this.mouse.save() };
    if (this.#bootFrom !== undefined) this.#leaveUpperMemoryEmpty();
  }

  /** As the mains switch does it. */
  powerOn(): void {
    this.board.powerOn();
    this.bios.restore(this.#fresh.bios);
    this.shell.restore(this.#fresh.shell);
    this.mouse.restore(this.#fresh.mouse);
    this.kernel.powerOn();
    this.ems.reset();
    this.xms.reset();
    this.#ownDos = false;
    this.board.hasUpperMemory = true;
    if (this.#bootFrom !== undefined) this.#leaveUpperMemoryEmpty();
  }

  /** What a log keeps of a callback that is about to run; undefined for those nobody wants to read of. */
  kind(number: number): CallKind | undefined {
    return this.#servedBy(number)?.kind(this.guest);
  }

  /** How a log names what a callback does. */
  describe(number: number, guest: Guest): string {
    const stub = this.#stubs.get(number);
    if (stub === undefined) return this.#rows.get(number)?.describe(guest) ?? '';
    const dos = stub.interrupt === undefined ? undefined : this.kernel.describe(stub.interrupt, guest);
    return dos ?? stub.name;
  }

  /** What came of it. */
  result(number: number, before: Guest, after: Guest): string {
    const stub = this.#stubs.get(number);
    if (stub === undefined) return this.#rows.get(number)?.result?.(before, after) ?? '';
    return stub.interrupt === undefined ? '' : this.kernel.result(stub.interrupt, before.ah, after);
  }

  /** What was written to drives and disks has taken in memory so far, given back or not. */
  get copiedBytes(): number {
    const disks = [...this.disks.values()].reduce((sum, disk) => sum + disk.copiedBytes, 0);
    return this.kernel.dos.drives.copiedBytes + disks;
  }

  /** What the machine does when it is started anew. */
  get session(): { readonly commands: readonly string[]; readonly bootFrom: number | undefined } {
    return { commands: this.#commands, bootFrom: this.#bootFrom };
  }

  get traits(): DosTraits {
    const { sink: _, drives: __, disks: ___, commands: ____, bootFrom: _____, ...traits } = this.#options;
    return traits;
  }

  /** Names of the services of our own DOS, in the order in which they got their callbacks. */
  get stubNames(): readonly string[] {
    return [...this.#stubs.values()].map(({ name }) => name);
  }

  /** Other drives, and another session from the next start on, as those of a machine whose state this one is about to take. */
  equip(
    { commands, bootFrom }: DosSystem['session'],
    drives: ReadonlyMap<number, Drive>,
    disks: ReadonlyMap<number, Disk>,
  ): void {
    this.#commands = commands;
    this.#bootFrom = bootFrom;
    this.#fresh = { ...this.#fresh, shell: this.shell.freshState(commands) };
    const table = this.kernel.dos.drives;
    table.dropGuests();
    for (let drive = 0; drive < drivesMax; drive++) table.set(drive, this.#cdLetters.get(drive) ?? drives.get(drive));
    this.disks.clear();
    for (const [number, disk] of disks) this.disks.set(number, disk);
  }

  /** Makes the stubs of our own DOS known, if they are not. */
  knowStubs(): void {
    if (this.#stubs.size === 0) this.#knowStubs();
  }

  save(): ServicesState {
    return {
      bios: this.bios.save(),
      dos: this.kernel.save(),
      shell: this.shell.save(),
      mouse: this.mouse.save(),
      ems: this.ems.save(),
      xms: this.xms.save(),
      ownDos: this.#ownDos,
      disks: [...this.disks].map(([drive, disk]) => [drive, disk.save()]),
    };
  }

  restore(state: ServicesState): void {
    if (state.ownDos) this.knowStubs();
    this.bios.restore(state.bios);
    this.kernel.restore(state.dos);
    this.shell.restore(state.shell);
    this.mouse.restore(state.mouse);
    this.ems.restore(state.ems);
    this.xms.restore(state.xms);
    this.#ownDos = state.ownDos;
    this.board.hasUpperMemory = state.ownDos || this.#bootFrom === undefined;
    for (const [drive, sectors] of state.disks) this.disks.get(drive)?.restore(sectors);
  }

  /** Puts a disc into a CD-ROM drive, or takes it out. */
  insertDisc(letter: number, disc: Disc | undefined): void {
    const index = [...this.#cdLetters.keys()].indexOf(letter);
    this.board.cds[index]?.insert(disc);
    this.kernel.mount(letter, this.#cdLetters.get(letter));
  }

  #addCdDrives(letters: readonly number[]): ReadonlyMap<number, CdDriveLetter> {
    const { dos, multiplex } = this.kernel;
    const drives = new Map(
      this.board.cds.map((drive, index) => [letters[index] ?? 0, new CdDriveLetter(drive)] as const),
    );
    const [first] = letters;
    if (first === undefined) return drives;
    for (const [letter, drive] of drives) dos.drives.set(letter, drive);
    const mscdex = new Mscdex({ dos, driver: this.cdDriver, first, letters: [...drives.values()] });
    multiplex.register(mscdexMultiplex, (guest) => mscdex.run(guest));
    dos.ownDrivers.set(cdDeviceName, this.cdDriver);
    return drives;
  }

  /** Memory managers of another system look for room where no card answers. */
  #leaveUpperMemoryEmpty(): void {
    this.board.hasUpperMemory = false;
    this.board.fillUpperMemory(0xff);
  }

  /** A machine that has not booted yet has no services behind the stubs: installing them makes them, memory stays as it is. */
  #knowStubs(): void {
    const state = this.board.snapshot();
    this.kernel.install();
    this.board.restore(state);
  }

  #servedBy(number: number): Served | undefined {
    this.#services[number] ??= this.#servedByStub(number) ?? this.#servedByRow(number);
    return this.#services[number];
  }

  #servedByStub(number: number): Served | undefined {
    const stub = this.#stubs.get(number);
    if (!stub) return undefined;
    const { service, interrupt } = stub;
    const usual = stub.name === '' ? undefined : 'registers';
    if (interrupt === undefined) return { service, kind: () => usual };
    return { service, kind: (guest) => this.kernel.callKind(interrupt, guest) ?? usual };
  }

  #servedByRow(number: number): Served | undefined {
    const row = this.#rows.get(number);
    return row && { service: row.serve, kind: row.kind ?? (() => 'registers') };
  }

  #serve(number: number): 'done' | 'wait' | 'jump' {
    const served = this.#servedBy(number);
    if (!served) return 'done';
    const { board, guest } = this;
    const { loops } = board;
    const kind = served.kind(guest);
    // Asked millions of times a second, and answered sooner than a clock is read.
    const began = kind === 'poll' ? 0 : performance.now();
    const steadyUntil = loops.isLooking && kind === 'poll' ? this.#steadyUntil(number) : 0;
    const done = this.#wires.called(number, kind);
    const outcome = served.service(guest);
    done?.(outcome === 'call' || outcome === 'again' ? 'wait' : outcome);
    board.cpu.tire(kind === 'poll' ? pollRounds : (performance.now() - began) * roundsPerMs);
    if (loops.isLooking) loops.answered(outcome === 'done' ? steadyUntil : 0);
    else board.serviceCalled();
    if (outcome !== 'again') return outcome === 'call' ? 'done' : outcome;
    this.guest.ip = (this.guest.ip - callbackBytes) & 0xffff;
    return 'jump';
  }

  /** Until when a poll that is about to run gives the same answer and changes nothing that it does not change now; 0 where that is not known. */
  #steadyUntil(number: number): number {
    const { interrupt } = this.#stubs.get(number) ?? {};
    return interrupt === 0x21 ? steadyUntil21(this.guest, this.board.rtc) : Number.POSITIVE_INFINITY;
  }

  #bootDos(guest: Guest): ServiceOutcome {
    // A warm start, by Ctrl-Alt-Del or the reset button, finds what the last session left.
    this.kernel.powerOn();
    this.shell.restore(this.#fresh.shell);
    this.mouse.restore(this.#fresh.mouse);
    this.#stubs.clear();
    this.#services = [];
    if (!this.#ownDos && this.#bootFrom !== undefined) this.board.fillUpperMemory(0);
    this.board.hasUpperMemory = true;
    this.#ownDos = true;
    const config = this.#config();
    const owner = this.#upperOwner(config);
    this.xms.reset(owner === 'xms');
    this.xms.highMemoryTaken = config?.high ?? false;
    this.ems.reset();
    this.kernel.install({ upper: owner === 'dos' ? upperMemory : undefined, config });
    this.shell.runFirst(config?.commands ?? []);
    installExpandedMemory(this.guest.memory);
    this.kernel.addDevice('EMMXXXX0', 0xc000);
    const [firstCd] = this.#cdLetters.keys();
    if (firstCd !== undefined) {
      const ownPart = [0, 0, firstCd + 1, this.#cdLetters.size];
      this.kernel.addDevice(cdDeviceName, cdAttributes, ownPart);
    }
    this.kernel.boot(guest);
    return 'jump';
  }

  /** CONFIG.SYS of drive C:. */
  #config(): ConfigSys | undefined {
    const drive = this.kernel.dos.drives.find(startDrive);
    const entry = this.#options.config === false ? undefined : drive?.lookup([configName]);
    if (!drive || !entry) return undefined;
    return parseConfigSys(binaryText(drive.read(entry.id, 0, Math.min(entry.size, mostConfigBytes))));
  }

  #upperOwner(config: ConfigSys | undefined): UpperMemoryOwner {
    const wanted = this.#options.upperMemory ?? 'dos';
    if (wanted === 'none' || config?.upper === undefined) return wanted;
    return config.upper ? 'dos' : 'xms';
  }

  #stub(name: string, service: Service): FarPointer {
    const number = callbacks.freeInterrupts + this.#stubs.size;
    const digits = /^int([0-9a-f]{2})$/.exec(name)?.[1];
    this.#services[number] = undefined;
    this.#stubs.set(number, {
      name,
      interrupt: digits === undefined ? undefined : Number.parseInt(digits, 16),
      service,
    });
    return { segment: romSegment, offset: stubOffset(number) };
  }
}
