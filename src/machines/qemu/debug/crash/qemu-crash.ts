import type { CrashCapability, CrashReport } from '../../../../machine/crash.ts';
import type { LoggedException } from '../../launch/exception-log.ts';
import type { QemuSymbols } from '../../symbols/qemu-symbols.ts';
import { isSet } from '../paging/table-scheme.ts';
import type { Rest } from '../rest.ts';
import type { Target } from '../target.ts';
import { vcpuName } from '../vcpu-name.ts';
import { explainArm64 } from './arm-crash.ts';
import { explainCortexM } from './cortex-m-crash.ts';
import { withoutHandler } from './no-handler.ts';
import { explainRiscv } from './riscv-crash.ts';
import { Scene } from './scene.ts';
import { explainX86 } from './x86-crash.ts';
import { vectorName } from './x86-exceptions.ts';

const listed = 6;

/** What QEMU has logged of exceptions, and whether it was told to. */
export interface CrashLog {
  readonly exceptions: readonly LoggedException[];
  /** Those before the machine was last reset or put back to a snapshot. */
  readonly past: readonly LoggedException[];
  readonly count: number;
  readonly isOn: boolean;
}

/** Explains the last exception of a guest, or where its processors are if there was none. */
export class QemuCrash implements Pick<CrashCapability, 'explain'> {
  readonly #execution: Rest;
  readonly #target: Target;
  readonly #symbols: QemuSymbols;
  readonly #log: () => Promise<CrashLog>;

  constructor(execution: Rest, target: Target, symbols: QemuSymbols, log: () => Promise<CrashLog>) {
    this.#execution = execution;
    this.#target = target;
    this.#symbols = symbols;
    this.#log = log;
  }

  explain(): Promise<CrashReport> {
    return this.#execution.atRest(async () => {
      await this.#execution.refresh();
      const log = await this.#log();
      const scene = new Scene(this.#target, this.#symbols);
      const lost = await withoutHandler(this.#target, log.exceptions);
      const exceptions = lost === undefined || lost.cause.length === 0 ? log.exceptions : lost.cause;
      const report = await this.#explained(scene, exceptions);
      const processors = await this.#processors(scene);
      if (!report) {
        const lines = [...processors, ...earlier(scene, log), ...this.#hints(log)];
        return { ...(await this.#without(scene, log)), lines };
      }
      const lines = [
        ...(lost ? [lost.line] : []),
        ...report.lines,
        ...before(scene, { ...log, exceptions }),
        ...(processors.length > 1 ? processors : []),
        ...earlier(scene, log),
      ];
      return { ...report, lines };
    });
  }

  #explained(scene: Scene, log: readonly LoggedException[]): Promise<CrashReport | undefined> {
    const { target } = scene;
    if (target.isX86) return explainX86(scene, log);
    if (target.isCortexM) return explainCortexM(scene);
    if (target.names.find('mcause')) return explainRiscv(scene, log);
    if (target.names.find('esr_el1') && target.names.find('x0')) return explainArm64(scene, log);
    return Promise.resolve(undefined);
  }

  /** Where each processor is, with its calls. */
  async #processors(scene: Scene): Promise<string[]> {
    const lines: string[] = [];
    const now = this.#target.thread;
    for (const thread of this.#execution.threads) {
      await this.#target.on(thread, async () => {
        const pc = await this.#target.pc();
        const off = (await this.#interruptsAreOff()) ? ', interrupts off' : '';
        const instruction = await scene.instruction(pc);
        lines.push(
          `${vcpuName(thread)} at ${scene.place(pc)}${off}${instruction === undefined ? '' : `: ${instruction}`}`,
        );
        if (this.#execution.threads.length > 1 || thread === now) lines.push(...(await scene.calls(pc, undefined)));
      });
    }
    return lines;
  }

  async #interruptsAreOff(): Promise<boolean> {
    const { names } = this.#target;
    if (names.find('eflags')) return !isSet(await this.#target.value('eflags'), 9);
    return names.find('cpsr') !== undefined && isSet(await this.#target.value('cpsr'), 7);
  }

  async #without(scene: Scene, { isOn, count, past }: CrashLog): Promise<CrashReport> {
    const pc = await this.#target.pc();
    const last = past.at(-1);
    const how =
      isOn || !this.#target.isX86
        ? count === 0 || last
          ? 'No exception'
          : 'No exception that is known'
        : 'No exception is known';
    const since = last
      ? ` since the machine was last reset or put back to a snapshot (before that: ${nameOf(last)} at ${scene.where(last.pc)})`
      : '';
    return {
      summary: `${how}${since}; the processor is at ${scene.where(pc)}`,
      lines: [],
      address: undefined,
      exception: undefined,
    };
  }

  #hints({ isOn }: CrashLog): string[] {
    if (isOn || !this.#target.isX86) return [];
    return ['Exceptions are not logged: start it with "log":["int"] or "on_reset":"pause" to have them explained.'];
  }
}

/** The exceptions that came before, the last first. */
function before(scene: Scene, { exceptions, count }: CrashLog): string[] {
  const lines = listing(scene, exceptions.slice(0, -1));
  return lines.length === 0 ? [] : [`logged before it, the last first (${count} in all):`, ...lines];
}

/** Those that no memory and no register of now says anything about. */
function earlier(scene: Scene, { past }: CrashLog): string[] {
  if (past.length === 0) return [];
  const pauses = past.at(-1)?.triple ? ' (with "on_reset":"pause" it stops there, with everything still in place)' : '';
  return [
    `logged before the machine was last reset or put back to a snapshot, the last first${pauses}:`,
    ...listing(scene, past),
  ];
}

function listing(scene: Scene, exceptions: readonly LoggedException[]): string[] {
  const last = exceptions.slice(-listed).reverse();
  return last.map(
    (each) =>
      `  ${nameOf(each)} at ${scene.place(each.pc)}${each.times === undefined ? '' : ` (${each.times} times in a row)`}`,
  );
}

function nameOf({ family, code, name, triple }: LoggedException): string {
  if (family === 'x86') return triple ? 'triple fault' : vectorName(code);
  return name ?? `exception ${code}`;
}
