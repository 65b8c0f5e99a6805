import type { ConsoleCapability } from './console.ts';
import type { ControlCapability } from './control.ts';
import type { MemoryCapability } from './memory.ts';
import type { Status } from './state.ts';

/**
 * The contract between machines and everything above them.
 *
 * Every machine can say how it is and can be disposed of. All else is a capability: present or absent as a
 * property, so that a tool can ask for it and an agent can see it.
 */
export interface Machine extends AsyncDisposable {
  readonly kind: string;
  status(): Status;
  /** What an agent should know at once about a machine that was just started, a line each. */
  introduction?(): readonly string[];
  /** True while somebody other than a tool call is using it, a person at its terminal for example. */
  inUse?(): boolean;
  readonly control?: ControlCapability;
  readonly memory?: MemoryCapability;
  readonly console?: ConsoleCapability;
}

export type Capability = Exclude<keyof Machine, 'kind' | 'status' | 'introduction' | 'inUse' | keyof AsyncDisposable>;

/** A machine known to have the capabilities `C`. */
export type MachineWith<C extends Capability> = Machine & { readonly [K in C]-?: NonNullable<Machine[K]> };

const capabilityOrder: readonly Capability[] = ['control', 'memory', 'console'];

export function capabilitiesOf(machine: Machine): Capability[] {
  return capabilityOrder.filter((capability) => machine[capability] !== undefined);
}
