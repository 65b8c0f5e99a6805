import type { AddressCapability } from './addresses.ts';
import type { AnnotationsCapability } from './annotations.ts';
import type { AudioCapability } from './audio.ts';
import type { BreakpointCapability } from './breakpoints.ts';
import type { BusTraceCapability } from './bus-trace.ts';
import type { CallLogCapability } from './call-log.ts';
import type { ChipsCapability } from './chips.ts';
import type { ConfigurationCapability } from './configuration.ts';
import type { ConsoleCapability } from './console.ts';
import type { ControlCapability } from './control.ts';
import type { CoverageCapability } from './coverage.ts';
import type { CpuCapability } from './cpu.ts';
import type { CrashCapability } from './crash.ts';
import type { CyclesCapability } from './cycles.ts';
import type { Episodes } from './episodes.ts';
import type { FilmCapability } from './film.ts';
import type { FrameTraceCapability } from './frame-trace.ts';
import type { FunctionsCapability } from './functions.ts';
import type { GraphCapability } from './graph.ts';
import type { GuestAgentCapability } from './guest-agent.ts';
import type {
  JoystickCapability,
  KeyboardCapability,
  LightPenCapability,
  MouseCapability,
  PaddleCapability,
} from './input.ts';
import type { LinuxCapability } from './linux.ts';
import type { MediaCapability } from './media.ts';
import type { MemoryCapability } from './memory.ts';
import type { MomentsCapability } from './moments.ts';
import type { MonitorCapability } from './monitor.ts';
import type { NamesCapability } from './names.ts';
import type { NetworkCapability } from './network.ts';
import type { PagingCapability } from './paging.ts';
import type { PastCapability } from './past.ts';
import type { ProcessorsCapability } from './processors.ts';
import type { ProfileCapability } from './profile.ts';
import type { ProgramCapability } from './program.ts';
import type { RoutinesCapability } from './routines.ts';
import type { ScreenCapability } from './screen.ts';
import type { SnapshotCapability } from './snapshots.ts';
import type { SourceCapability } from './source.ts';
import type { Status } from './state.ts';
import type { SymbolsCapability } from './symbols.ts';
import type { TraceCapability } from './trace.ts';
import type { TwinCapability } from './twin.ts';
import type { VariablesCapability } from './variables.ts';

/**
 * The contract between machines and everything above them.
 *
 * Every machine can say how it is and can be disposed of. All else is a capability: present or absent as a
 * property, so that a tool can ask for it and an agent can see it.
 */
export interface Machine extends AsyncDisposable {
  readonly kind: string;
  status(): Status;
  /** What an agent should know at once about a machine that was just started, one thing per line. */
  introduction?(): readonly string[];
  /** Of a machine that lacks what others of its kind have: why. */
  readonly missingBecause?: string;
  /** What gives it a capability that it lacks, in a sentence. */
  readonly remedies?: Readonly<Partial<Record<Capability, string>>>;
  /** The built-in kind that can what this machine cannot, and what it has for that. */
  readonly builtIn?: { readonly kind: string; readonly has: readonly Capability[] };
  /** True while somebody other than a tool call is using it, a person at its terminal for example. */
  inUse?(): boolean;
  /** How long ago it last did something that somebody may be waiting for, such as printing; counts as being used then. */
  activeMsAgo?(): number;
  /** What was written nowhere and goes with the machine, in words; not media, snapshots and breakpoints, which say so themselves. */
  unsaved?(): readonly string[];
  /** A call that changes it begins. Once nobody wants that call any more, no far end that is silent is waited for; the answer ends this. */
  heed?(signal: AbortSignal): () => void;
  /** For those who train agents; no tool uses it. */
  readonly episodes?: Episodes;
  readonly control?: ControlCapability;
  readonly cpu?: CpuCapability;
  readonly processors?: ProcessorsCapability;
  readonly addresses?: AddressCapability;
  readonly memory?: MemoryCapability;
  readonly breakpoints?: BreakpointCapability;
  readonly snapshots?: SnapshotCapability;
  readonly screen?: ScreenCapability;
  readonly keyboard?: KeyboardCapability;
  readonly mouse?: MouseCapability;
  readonly joystick?: JoystickCapability;
  readonly paddles?: PaddleCapability;
  readonly lightPen?: LightPenCapability;
  readonly program?: ProgramCapability;
  readonly media?: MediaCapability;
  readonly configuration?: ConfigurationCapability;
  readonly console?: ConsoleCapability;
  readonly symbols?: SymbolsCapability;
  readonly annotations?: AnnotationsCapability;
  readonly chips?: ChipsCapability;
  readonly cycles?: CyclesCapability;
  readonly moments?: MomentsCapability;
  readonly audio?: AudioCapability;
  readonly network?: NetworkCapability;
  readonly monitor?: MonitorCapability;
  readonly functions?: FunctionsCapability;
  readonly graph?: GraphCapability;
  readonly names?: NamesCapability;
  readonly callLog?: CallLogCapability;
  readonly trace?: TraceCapability;
  readonly coverage?: CoverageCapability;
  readonly frameTrace?: FrameTraceCapability;
  readonly profile?: ProfileCapability;
  readonly busTrace?: BusTraceCapability;
  readonly routines?: RoutinesCapability;
  readonly past?: PastCapability;
  readonly film?: FilmCapability;
  readonly paging?: PagingCapability;
  readonly crash?: CrashCapability;
  readonly source?: SourceCapability;
  readonly variables?: VariablesCapability;
  readonly linux?: LinuxCapability;
  readonly guestAgent?: GuestAgentCapability;
  readonly twin?: TwinCapability;
}

export type Capability = Exclude<
  keyof Machine,
  | 'kind'
  | 'status'
  | 'introduction'
  | 'missingBecause'
  | 'remedies'
  | 'builtIn'
  | 'inUse'
  | 'activeMsAgo'
  | 'unsaved'
  | 'heed'
  | 'episodes'
  | keyof AsyncDisposable
>;

/** A machine known to have the capabilities `C`. */
export type MachineWith<C extends Capability> = Machine & { readonly [K in C]-?: NonNullable<Machine[K]> };

export const allCapabilities: readonly Capability[] = [
  'control',
  'cpu',
  'processors',
  'addresses',
  'memory',
  'breakpoints',
  'snapshots',
  'screen',
  'keyboard',
  'mouse',
  'joystick',
  'paddles',
  'lightPen',
  'program',
  'media',
  'configuration',
  'console',
  'symbols',
  'annotations',
  'chips',
  'cycles',
  'moments',
  'audio',
  'network',
  'monitor',
  'functions',
  'graph',
  'names',
  'callLog',
  'trace',
  'coverage',
  'frameTrace',
  'profile',
  'busTrace',
  'routines',
  'past',
  'film',
  'paging',
  'crash',
  'source',
  'variables',
  'linux',
  'guestAgent',
  'twin',
];

export function capabilitiesOf(machine: Machine): Capability[] {
  return allCapabilities.filter((capability) => machine[capability] !== undefined);
}
