import { MachineError } from '../../../machine/errors.ts';
import { vcpuName } from './vcpu-name.ts';

/** A target that can be looked at while it is stopped: one that runs at other times, or one that never does. */
export interface Rest {
  readonly threads: readonly string[];
  /** Of the processor in question, when it was last looked at. */
  readonly pc: bigint;
  /** Does something while the target is stopped. */
  atRest<T>(action: () => Promise<T>): Promise<T>;
  /** Looks again. At rest. */
  refresh(): Promise<void>;
  /** The registers are others than before. At rest. */
  replaced(): Promise<void>;
  /** Of the processor that goes by this name; throws with the names there are. */
  threadNamed(name: string): string;
}

export function threadNamed(threads: readonly string[], name: string): string {
  const thread = threads.find((each) => vcpuName(each) === name);
  if (thread !== undefined) return thread;
  const names = threads.map(vcpuName);
  throw new MachineError(
    'INVALID_ARGUMENT',
    `No processor ${JSON.stringify(name.slice(0, 40))}.`,
    `Processors: ${names.join(', ')}.`,
    { valid_processors: names },
  );
}
