import { GdbError } from '../../../links/gdb/gdb-error.ts';
import type {
  Breakpoint,
  BreakpointCapability,
  BreakpointChange,
  BreakpointSpec,
} from '../../../machine/breakpoints.ts';
import { MachineError } from '../../../machine/errors.ts';
import { listed, refuseSpecial } from '../../shared/breakpoint-list.ts';
import type { BreakpointsSet } from './breakpoints-set.ts';
import type { Execution } from './execution.ts';

/** Breakpoints and watchpoints; a running machine is stopped for the moment in which they are set. */
export class QemuBreakpoints implements BreakpointCapability {
  /** `hardware` is `exec` that leaves the code alone: for code that is not there yet, under an accelerator. */
  readonly types = ['exec', 'hardware', 'read', 'write', 'access', 'change'] as const;
  readonly #execution: Execution;
  readonly #table: BreakpointsSet;
  readonly #size: bigint;

  /** `size` is that of the address space. */
  constructor(execution: Execution, table: BreakpointsSet, size: bigint) {
    this.#size = size;
    this.#execution = execution;
    this.#table = table;
  }

  async set(spec: BreakpointSpec): Promise<Breakpoint> {
    if (spec.address < 0n || spec.address + BigInt(spec.length) > this.#size) {
      throw new MachineError(
        'ADDRESS_OUT_OF_BOUNDS',
        'The breakpoint is outside the address space.',
        `Use addresses up to 0x${(this.#size - 1n).toString(16)}.`,
      );
    }
    refuseSpecial(spec);
    if (spec.cpu !== undefined) this.#execution.threadNamed(spec.cpu);
    const armed = this.#table.add(spec);
    try {
      await this.#execution.atRest(() => this.#execution.ground.arm().catch(refuse));
    } catch (error) {
      this.#table.remove(armed.id);
      throw error;
    }
    return listed(armed);
  }

  async list(): Promise<readonly Breakpoint[]> {
    return this.#table.list();
  }

  async delete(id: number): Promise<void> {
    this.#table.remove(id);
    await this.#execution.atRest(() => this.#execution.ground.arm());
  }

  async change(id: number, change: BreakpointChange): Promise<Breakpoint> {
    refuseSpecial(change);
    const armed = this.#table.change(id, change);
    await this.#execution.atRest(() => this.#execution.ground.arm());
    return listed(armed);
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof GdbError) || error.failure !== 'refused') throw error;
  throw new MachineError(
    'ADDRESS_OUT_OF_BOUNDS',
    `QEMU refuses a breakpoint there: ${error.message}.`,
    'Use another address, fewer bytes or fewer watchpoints.',
  );
}
