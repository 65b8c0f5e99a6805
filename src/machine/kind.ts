import type { z } from 'zod';
import type { Host } from './host.ts';
import type { Machine } from './machine.ts';
import type { Policy } from './policy.ts';

/** A sort of machine that can be started. */
export interface Kind<Options extends z.ZodObject = z.ZodObject> {
  readonly kind: string;
  readonly summary: string;
  /** Flat; every field described; defaults filled in. */
  readonly options: Options;
  /** Of those, the ones that a snapshot from anywhere may set; without them, none does. */
  readonly snapshotOptions?: z.ZodObject;
  /** Of those, what the snapshot is of, whatever the machine was started with: asking for another one would be in vain. */
  readonly snapshotDecides?: readonly string[];
  start(options: z.output<Options>, host: Host): Promise<Machine>;
  /** About how much memory of the host a machine takes with all that it keeps; 1 unless told. */
  memoryMib?(options: z.output<Options>): number;
  /** What there is on this computer to start it with, and is allowed, one per line. */
  surroundings?(policy: Policy): Promise<readonly string[]>;
}

export function defineKind<Options extends z.ZodObject>(kind: Kind<Options>): Kind<Options> {
  return kind;
}
