import type { BreakpointSpec } from '../../src/machine/breakpoints.ts';
import type { Kind } from '../../src/machine/kind.ts';
import { allCapabilities, type Capability, type Machine } from '../../src/machine/machine.ts';
import type { Medium } from '../../src/machine/media.ts';
import type { RackServices } from '../../src/rack/rack.ts';

/** What a capability may have or not. */
export const features = {
  'control.rewind': (machine: Machine) => machine.control?.canRewind === true,
  'control.frames': (machine: Machine) => machine.control?.framesPerSecond !== undefined,
  'control.runFreely': (machine: Machine) => machine.control?.runFreely !== undefined,
  'memory.freeze': (machine: Machine) => machine.memory?.freeze !== undefined,
  'symbols.unload': (machine: Machine) => machine.symbols?.unload !== undefined,
  'snapshots.peek': (machine: Machine) => machine.snapshots?.peek !== undefined,
  'snapshots.pack': (machine: Machine) => machine.snapshots?.pack !== undefined,
} as const;

export type Ability = Capability | keyof typeof features;

export const abilities: readonly Ability[] = [
  ...allCapabilities,
  ...(Object.keys(features) as (keyof typeof features)[]),
];

export function has(machine: Machine, ability: Ability): boolean {
  return ability in features
    ? features[ability as keyof typeof features](machine)
    : machine[ability as Capability] !== undefined;
}

export const needsAnotherProgram = 'it needs a program of its own, and has one in the tests of the machine';

export type StopPlace = Partial<BreakpointSpec> & Pick<BreakpointSpec, 'address'>;

/** A small program that is in memory for ever: it counts in a byte, reads another, and calls a subroutine. */
export interface Bench {
  /** The instruction that calls, the first of the subroutine, and the one after the call. */
  readonly call: bigint;
  readonly inside: bigint;
  readonly afterCall: bigint;
  /** Whether the call stack can be known at the first instruction of the subroutine, with nothing but the code. */
  readonly unwinds: boolean;
  /** Where it counts, and where it only reads. */
  readonly written: bigint;
  readonly read: bigint;
  /** One that the program leaves alone. */
  readonly register: string;
  /** What meets a breakpoint of each type that the machine has, in every pass. */
  readonly stops: Readonly<Record<string, StopPlace>>;
  /** Types that this program does not meet, and why. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

export interface MonitorQuestion {
  readonly language: string;
  readonly command: string;
  readonly answer: RegExp;
  /** Others that it does not carry out. */
  readonly refuses: readonly string[];
}

export type SeenDevice = 'mouse' | 'joystick' | 'paddles' | 'lightPen';

/** Another machine of the kind, brought to where questions have answers, and what is true there. */
export interface Scene<Truth> {
  readonly options: () => Promise<Record<string, unknown>>;
  arrive(machine: Machine): Promise<Truth>;
}

export interface Scenes {
  /** Its processor uses page tables. */
  readonly paged: Scene<{ readonly mapped: bigint; readonly physical: bigint; readonly unmapped: bigint }>;
  /** The processor has met an exception. */
  readonly faulted: Scene<{ readonly exception: RegExp; readonly summary: RegExp; readonly function: string }>;
  /** In a function whose debug information is loaded. */
  readonly inFunction: Scene<FunctionTruth>;
  /** A Linux has booted, and is stopped. */
  readonly linux: Scene<LinuxTruth>;
  /** A program in the guest answers. */
  readonly agent: Scene<AgentTruth>;
}

/** What a Linux says of itself. */
export interface LinuxTruth {
  readonly banner: string;
  readonly logged: { readonly text: string; readonly level: number };
  readonly first: { readonly pid: number; readonly name: string };
  /** Its functions keep frame pointers, so that calls need not be guessed. */
  readonly keepsFrames: boolean;
  readonly modules: readonly string[];
  readonly mounts: readonly string[];
  readonly symbol: { readonly name: string; readonly address: bigint };
  /** Lets it run into a panic, and says how that one begins. */
  panic(machine: Machine): Promise<RegExp>;
}

export interface AgentTruth {
  readonly hostname: string;
  readonly card: { readonly name: string; readonly address: string };
  /** A program that repeats what it reads, from its input or from the files that it is given. */
  readonly echo: string;
  /** Where files can be written. */
  readonly folder: string;
}

export interface FunctionTruth {
  readonly function: string;
  readonly line: number;
  readonly file: string;
  /** A number that was given to it, one of its variables that points to a structure, and a variable of its caller. */
  readonly argument: { readonly name: string; readonly value: bigint };
  readonly pointer: { readonly name: string; readonly members: readonly string[] };
  readonly callers: string;
}

export interface ContractSubject {
  readonly kind: Kind;
  readonly services?: Partial<RackServices>;
  /** Options that start a machine of this kind here and now. */
  options(): Promise<Record<string, unknown>>;
  /** Puts the program into a machine, which is stopped then; kinds without a processor have none. */
  bench?(machine: Machine): Promise<Bench>;
  /** One that it takes. */
  readonly medium?: Medium;
  /** What its screen shows when it is ready for whatever comes. */
  readonly prompt?: RegExp;
  /** A file of symbols with one of them. */
  readonly symbolFile?: (name: string, address: bigint) => string;
  /** A program in its own assembler that writes XYZZY on the screen. */
  readonly assembly?: string;
  /** Commands that only show something, one for each language of its monitor. */
  readonly monitorShows?: readonly MonitorQuestion[];
  readonly scenes?: Scenes;
  /** Why no function of its scenes has debug information. */
  readonly untyped?: string;
  /** What a program sees of a device; other readings where it has been moved. */
  readonly sees?: Readonly<Partial<Record<SeenDevice, (machine: Machine) => Promise<unknown>>>>;
  /** Why none can be taken out, which is refused. */
  readonly keepsMedia?: string;
  /** Why no medium is nonsense to it. */
  readonly anyMedium?: string;
  /** Why keys go nowhere, which is refused. */
  readonly deaf?: string;
  /** Why it does not tell its time. */
  readonly timeless?: string;
  /** Why it reports no events. */
  readonly eventless?: string;
  /** Why it has not what others have. */
  readonly lacks: Readonly<Partial<Record<Ability, string>>>;
}
