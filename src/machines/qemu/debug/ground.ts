import type { StopReply } from '../../../links/gdb/stop-reply.ts';
import type { Cause } from '../../shared/cause.ts';
import type { Armed, BreakpointsSet } from './breakpoints-set.ts';
import type { Goal, Judge, Judgement } from './judge.ts';
import type { LiveTarget } from './live-target.ts';
import type { Motion } from './motion.ts';
import { type Point, StubPoints } from './stub-points.ts';

/** A sleeping processor that nothing wakes in this time has nothing to do. */
const wakeMs = 2000;

/** What a target that is stopped can do next to the places somebody watches: leave them, step, arrive. */
export class Ground {
  readonly #target: LiveTarget;
  readonly #table: BreakpointsSet;
  readonly #judge: Judge;
  readonly #motion: Motion;
  readonly #points: StubPoints;
  readonly #goals = new Set<Goal>();
  /** Processors that stand at a breakpoint which has been seen: they leave it with a step. */
  readonly #leaving = new Set<string>();

  /** Asked before every movement forward: a cause where there is none. */
  wayOn: () => Promise<Cause | undefined> = async () => undefined;

  constructor(target: LiveTarget, table: BreakpointsSet, judge: Judge, motion: Motion) {
    this.#target = target;
    this.#table = table;
    this.#judge = judge;
    this.#motion = motion;
    this.#points = new StubPoints(target.gdb);
  }

  addGoals(goals: readonly Goal[]): void {
    for (const goal of goals) this.#goals.add(goal);
  }

  /** With further places at which a movement ends; whoever set them names the cause. */
  async withPlaces<T>(addresses: readonly bigint[], cause: Cause, action: () => Promise<T>): Promise<T> {
    const goals = addresses.map((address): Goal => ({ address, reached: async () => true, cause }));
    this.addGoals(goals);
    try {
      return await action();
    } finally {
      this.removeGoals(goals);
    }
  }

  removeGoals(goals: Iterable<Goal> = [...this.#goals]): void {
    for (const goal of goals) this.#goals.delete(goal);
  }

  /** The processor in question has seen what is at its place. */
  markSeen(): void {
    this.#leaving.add(this.#target.thread);
  }

  forgetSeen(): void {
    this.#leaving.clear();
  }

  get watches(): boolean {
    return this.#table.points().length > 0;
  }

  /** Sets in the stub what is watched now. */
  async arm(): Promise<void> {
    const goals = [...this.#goals].map(({ address }): Point => ({ type: 'software', address, length: 1 }));
    await this.#points.become([...this.#table.points(), ...goals]);
  }

  /** For a movement that is looked at on its way. */
  async prepare(): Promise<void> {
    await this.arm();
    await this.#judge.remember();
  }

  async disarm(): Promise<void> {
    await this.#points.become([]);
  }

  /** One instruction of the processor in question. Answers what stopped it that was not the step. */
  async step(): Promise<Cause | undefined> {
    const end = await this.wayOn();
    if (end) return end;
    await this.prepare();
    this.#leaving.delete(this.#target.thread);
    const reply = await this.#motion.step();
    if (!reply) return { cause: 'halt', reason: 'the processor sleeps until an interrupt comes; run lets it go on' };
    return this.#touched(reply);
  }

  /** A movement that is not one of people's runs: undefined when its time was up. */
  async move(start: () => Promise<StopReply>, timeoutMs: number): Promise<StopReply | undefined> {
    await this.prepare();
    return this.#motion.move(start, timeoutMs);
  }

  /** The same, with nothing set that could stop it. */
  async drift(start: () => Promise<StopReply>, timeoutMs: number): Promise<StopReply | undefined> {
    await this.disarm();
    return this.#motion.move(start, timeoutMs);
  }

  /**
   * QEMU drops all translated code when a breakpoint stops it. With one where each processor is, none gets further than
   * through an interrupt that was waiting.
   */
  async retranslate(places: readonly bigint[]): Promise<boolean> {
    await this.disarm();
    await this.#points.become(places.map((address): Point => ({ type: 'software', address, length: 1 })));
    try {
      return (await this.#motion.move(() => this.#target.gdb.continue(), wakeMs)) !== undefined;
    } finally {
      await this.disarm();
    }
  }

  /** Loads a state in the place of the present one. */
  load(action: () => Promise<void>): Promise<void> {
    return this.#motion.load(action);
  }

  /** Ready to run: armed, and with every processor off the places it has seen. Answers what stopped it on that way. */
  async depart(): Promise<Cause | undefined> {
    await this.prepare();
    for (const thread of [...this.#leaving]) {
      this.#leaving.delete(thread);
      const before = this.#target.thread;
      this.#target.focus(thread);
      const reply = (await this.#isWatched()) ? await this.#motion.step() : undefined;
      const cause = reply && (await this.#touched(reply));
      if (cause) return cause;
      this.#target.focus(before);
    }
    return undefined;
  }

  /** What would have stopped a run here, uncounted; afterwards it is beyond this place. */
  async pass(reply?: StopReply): Promise<Cause | undefined> {
    const watched = reply ? await this.#accessed(reply) : [];
    if (watched.length > 0) return this.#judge.wouldStop(watched, []);
    const cause = await this.#judge.wouldStop([], [...this.#goals]);
    await this.#motion.step();
    return cause;
  }

  /** What a stop that the stub reported means. */
  async arrive(reply: StopReply): Promise<Judgement> {
    const watched = await this.#accessed(reply);
    const judgement = await this.#judge.decide(watched, [...this.#goals]);
    this.markSeen();
    return judgement;
  }

  /** Whether the stub says that a watchpoint was hit. */
  isAccess(reply: StopReply): boolean {
    return this.#judge.watched(reply).length > 0;
  }

  /** Breakpoints at the next instruction, counted and judged: for those who step along. */
  async look(): Promise<Cause | undefined> {
    if (!this.#table.watchesExecution) return undefined;
    return (await this.#judge.decide([], [])).cause;
  }

  async #touched(reply: StopReply): Promise<Cause | undefined> {
    const watched = await this.#accessed(reply);
    return watched.length > 0 ? (await this.#judge.decide(watched, [])).cause : undefined;
  }

  /** The watchpoints that were hit, after the access has happened. */
  async #accessed(reply: StopReply): Promise<Armed[]> {
    const watched = this.#judge.watched(reply);
    if (watched.length > 0 && this.#target.architecture.stopsBeforeAccess) {
      await this.#points.withoutWatches(() => this.#motion.step());
    }
    return watched;
  }

  async #isWatched(): Promise<boolean> {
    const pc = await this.#target.pc();
    return this.#table.executed(pc).length > 0 || [...this.#goals].some(({ address }) => address === pc);
  }
}
