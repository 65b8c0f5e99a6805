import { afterEach, beforeEach, expect } from 'vitest';
import type { BreakpointSpec } from '../../src/machine/breakpoints.ts';
import type { Capability, Machine, MachineWith } from '../../src/machine/machine.ts';
import type { Rack } from '../../src/rack/rack.ts';
import type { RackedMachine } from '../../src/rack/racked-machine.ts';
import { makeRack } from '../make-rack.ts';
import type { Bench, ContractSubject, Scenes, StopPlace } from './subject.ts';

export const never = new AbortController().signal;
/** Longer than anything takes that does not hang. */
export const patientMs = 60_000;

/** Refused as something that a caller can act on. */
export const refusal = { name: 'MachineError', fix: expect.stringMatching(/./) };

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

  /** A second machine, where the scene has brought it. */
  async scene<Name extends keyof Scenes, C extends Capability>(
    name: Name,
    ..._: readonly C[]
  ): Promise<{ readonly machine: MachineWith<C>; readonly truth: Awaited<ReturnType<Scenes[Name]['arrive']>> }> {
    const scene = this.subject.scenes?.[name];
    if (!scene) throw new Error(`${this.subject.kind.kind} has no scene for this suite`);
    const { machine } = await this.rack.start(this.subject.kind.kind, await scene.options());
    const truth = (await scene.arrive(machine)) as Awaited<ReturnType<Scenes[Name]['arrive']>>;
    return { machine: machine as MachineWith<C>, truth };
  }

  async bench(): Promise<Bench> {
    if (!this.subject.bench) throw new Error(`${this.subject.kind.kind} has no program for this suite`);
    return this.subject.bench(this.machine);
  }
}

export function spec(type: string, place: StopPlace): BreakpointSpec {
  return { type, length: 1, logOnly: false, temporary: false, ...place };
}
