import type { SourceLine } from '../../machine/addresses.ts';
import type { StepRequest } from '../../machine/control.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import type { MachineWith } from '../../machine/machine.ts';
import type { Stop } from '../../machine/state.ts';

/** Steps until another line of source begins, over subroutines or into those that have lines; code without lines is passed through. */
export async function stepLines(
  { control, cpu, addresses }: Pick<MachineWith<'control' | 'cpu' | 'addresses'>, 'control' | 'cpu' | 'addresses'>,
  { kind = 'over', count, back, cpu: name, wallMs }: Omit<StepRequest, 'kind'> & { readonly kind?: 'into' | 'over' },
  signal: AbortSignal,
): Promise<Stop> {
  const here = () => addresses.source?.(cpu.pc);
  const end = performance.now() + wallMs;
  let from = here();
  if (!from) {
    throw new MachineError('INVALID_ARGUMENT', 'No source line is known here.', [
      advice`Load the program's debug file with ${call('symbols_load')}.`,
      advice`Step by instructions: leave kind out.`,
    ]);
  }
  for (let left = count; ; ) {
    const step = (how: StepRequest['kind']) =>
      control.step({ kind: how, count: 1, back, cpu: name, wallMs: Math.max(1, end - performance.now()) }, signal);
    const depth = kind === 'into' ? (await cpu.callStack()).length : 0;
    let stop = await step(kind);
    // A subroutine without lines is no place to be in.
    const isInside = kind === 'into' && stop.cause === 'step' && !here() && (await cpu.callStack()).length > depth;
    if (isInside && !back) stop = await step('out');
    if (stop.cause !== 'step' || signal.aborted) return stop;
    const line = here();
    if (line && !isSame(line, from)) {
      from = line;
      left--;
    }
    if (left <= 0 || performance.now() >= end) return stop;
  }
}

function isSame(a: SourceLine, b: SourceLine): boolean {
  return a.file === b.file && a.line === b.line;
}
