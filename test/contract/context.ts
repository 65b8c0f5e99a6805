import { afterEach, beforeEach } from 'vitest';
import type { BreakpointSpec } from '../../src/machine/breakpoints.ts';
import type { Capability, Machine, MachineWith } from '../../src/machine/machine.ts';
import type { Rack } from '../../src/rack/rack.ts';
import type { RackedMachine } from '../../src/rack/racked-machine.ts';
import { makeRack } from '../make-rack.ts';
import type { Bench, ContractSubject, StopPlace } from './subject.ts';

export const never = new AbortController().signal;
/** Longer than anything takes that does not hang. */
export const patientMs = 60_000;

/** A machine of the kind for each test. */
export class Context {
  readonly subject: ContractSubject;
  rack!: Rack;
  racked!: RackedMachine;

  constructor(subject: ContractSubject) {
    this.subject = subject;
    beforeEach(async () => {
      this.rack = makeRack([subject.kind], {}, subject.services);
      this.racked = await this.start();
    });
    afterEach(() => this.rack.close());
  }

  async start(): Promise<RackedMachine> {
    return this.rack.start(this.subject.kind.kind, await this.subject.options());
  }

  get machine(): Machine {
    return this.racked.machine;
  }

  /** The machine with capabilities that the suite is about. */
  with<C extends Capability>(..._: readonly C[]): MachineWith<C> {
    return this.machine as MachineWith<C>;
  }

  async bench(): Promise<Bench> {
    if (!this.subject.bench) throw new Error(`${this.subject.kind.kind} has no program for this suite`);
    return this.subject.bench(this.machine);
  }
}

export function spec(type: string, place: StopPlace): BreakpointSpec {
  return { type, length: 1, logOnly: false, temporary: false, ...place };
}
