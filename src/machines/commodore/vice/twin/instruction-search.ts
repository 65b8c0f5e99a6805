import { MachineError } from '../../../../machine/errors.ts';
import type { TwinDifference, TwinInstruction, TwinRequest } from '../../../../machine/twin.ts';
import { type BoardTwin, describeRegisters } from './board-twin.ts';
import { readHistory } from './cpu-history.ts';
import { registersOf } from './registers.ts';
import { differingBytes, type Kept, meetingAt, ramOf, type TwinParts } from './twin-parts.ts';
import { whereWaysPart } from './way-search.ts';

/** Well within what VICE keeps, of which drives take their share. */
const pieceInstructions = 256;
const historyLines = 1200;
const pieceMs = 20_000;
const shownBefore = 6;

/** Finds the first instruction before which two machines differ, of which a frame is known. */
export class InstructionSearch {
  readonly #parts: TwinParts;
  readonly #twin: BoardTwin;
  readonly #request: TwinRequest;

  constructor(parts: TwinParts, twin: BoardTwin, request: TwinRequest) {
    this.#parts = parts;
    this.#twin = twin;
    this.#request = request;
  }

  /** The instruction, or why it is not known. `sameUntil`: a cycle at which both were the same. */
  async find(
    found: TwinDifference,
    kept: Kept | undefined,
    sameUntil: number,
    signal: AbortSignal,
  ): Promise<{ readonly instruction?: TwinInstruction; readonly why?: readonly string[] }> {
    if (!kept) return {};
    const back = `taken back to frame ${kept.frame}, VICE`;
    const again = () => (this.#twin.isExact ? this.#again(kept, signal) : this.#nearby(kept, signal));
    try {
      const instruction = await again();
      if (instruction && this.#twin.isExact && instruction.time < sameUntil) {
        // Both were the same after that: then VICE goes another way than the first time, as it does with a drive at work.
        if (!(await this.#comesBackBy(sameUntil, signal)))
          return { why: [`${back} did not do the same again: its instruction is not known`] };
        return { instruction: (await again()) ?? instruction };
      }
      if (instruction) return { instruction };
      const isGone = await this.#isGone(found);
      return isGone ? { why: [`${back} did not do the same again: its instruction is not known`] } : {};
    } catch (error) {
      if (!(error instanceof MachineError)) throw error;
      return { why: [`${back} went no further, so its instruction is not known: ${error.message}`] };
    }
  }

  /** Puts both back, and gives the cycle they come from; undefined where VICE cannot be put back. */
  async #backTo({ theirs, ours }: Kept): Promise<number | undefined> {
    const { session, kept: files } = this.#parts;
    if (!files) return undefined;
    const until = session.now.cycles ?? 0;
    await files.become(theirs);
    this.#twin.board.restore(ours);
    return until;
  }

  /** Both again, from the last frame that was kept, piece by piece and then by VICE's list of what its processor did. */
  async #again(moment: Kept, signal: AbortSignal): Promise<TwinInstruction | undefined> {
    const { session, engine } = this.#parts;
    const twin = this.#twin;
    const until = await this.#backTo(moment);
    if (until === undefined) return undefined;
    while ((session.now.cycles ?? until) < until && !signal.aborted) {
      const from = session.now.cycles ?? 0;
      const before = twin.board.snapshot();
      await engine.step({ kind: 'into', count: pieceInstructions, back: false, wallMs: pieceMs }, signal);
      const { cycles = 0, registers } = session.now;
      const isSame = twin.runTo(cycles) && twin.agrees(registersOf(registers));
      // What a register held for a moment shows in memory alone.
      if (isSame && !(this.#request.memory && (await this.#differingBytes()).length > 0)) continue;
      const history = await engine.exclusively(() => session.command(`chis ${historyLines}`));
      twin.board.restore(before);
      return this.#inHistory(history, from, cycles);
    }
    return undefined;
  }

  /** Whether both are the same at that cycle, with which a frame has ended. */
  async #comesBackBy(cycle: number, signal: AbortSignal): Promise<boolean> {
    const { session, engine } = this.#parts;
    while ((session.now.cycles ?? cycle) < cycle && !signal.aborted)
      await engine.run({ frames: 1, wallMs: pieceMs }, signal);
    const { cycles = 0, registers } = session.now;
    if (cycles !== cycle || !this.#twin.runTo(cycles) || !this.#twin.agrees(registersOf(registers))) return false;
    return !this.#request.memory || (await this.#differingBytes()).length === 0;
  }

  /** The same for machines that are not in the same cycle: in the last piece after which they were not together again. */
  async #nearby(moment: Kept, signal: AbortSignal): Promise<TwinInstruction | undefined> {
    const { session, engine } = this.#parts;
    const twin = this.#twin;
    const until = await this.#backTo(moment);
    if (until === undefined) return undefined;
    // What is different here already was not made so by what comes.
    const before = this.#request.memory ? twin.differingBytes(await ramOf(session)) : [];
    const known = before.map((address) => ({ first: address, last: address }));
    const request = { ...this.#request, ignored: [...this.#request.ignored, ...known] };
    let apart:
      | { readonly history: string; readonly start: Uint8Array; readonly span: readonly [number, number] }
      | undefined;
    while ((session.now.cycles ?? until) < until && !signal.aborted) {
      const from = session.now.cycles ?? 0;
      const start = twin.board.snapshot();
      const isFar = until - from > this.#parts.model.frameCycles * 2;
      if (isFar) await engine.run({ frames: 1, wallMs: pieceMs }, signal);
      else await engine.step({ kind: 'into', count: pieceInstructions, back: false, wallMs: pieceMs }, signal);
      const { cycles = 0 } = session.now;
      const ram = this.#request.memory ? await ramOf(session) : undefined;
      if (await twin.arrive(meetingAt(session.now, twin, request, ram))) apart = undefined;
      else if (!isFar) {
        const history = apart?.history ?? (await engine.exclusively(() => session.command(`chis ${historyLines}`)));
        apart ??= { history, start, span: [from, cycles] };
      }
    }
    if (!apart) return undefined;
    twin.board.restore(apart.start);
    return whereWaysPart(twin, apart.history, ...apart.span);
  }

  async #differingBytes(): Promise<readonly number[]> {
    return differingBytes(this.#twin, await ramOf(this.#parts.session), this.#request);
  }

  /** Whether the bytes that differed are equal after the second run. */
  async #isGone({ cells }: TwinDifference): Promise<boolean> {
    if (cells.length === 0) return false;
    const differing = new Set(this.#twin.differingBytes(await ramOf(this.#parts.session)));
    return cells.every(({ address }) => !differing.has(address));
  }

  #inHistory(history: string, from: number, until: number): TwinInstruction | undefined {
    const twin = this.#twin;
    const before: string[] = [];
    for (const line of readHistory(history).filter(({ time }) => time >= from && time < until)) {
      const isSame = twin.runTo(line.time) && twin.agrees(line);
      if (!isSame) {
        return {
          time: line.time,
          line: twin.board.rasterLine,
          cycle: twin.board.rasterCycle,
          theirs: describeRegisters(line, line.text),
          ours: twin.describe(),
          before: before.slice(-shownBefore),
        };
      }
      before.push(describeRegisters(line, line.text));
    }
    return undefined;
  }
}
