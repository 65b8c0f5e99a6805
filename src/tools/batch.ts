import { z } from 'zod';
import { outcomeText } from '../api/outcome-text.ts';
import type { Actor } from '../api/roles.ts';
import type { ToolImage } from '../api/tool-host.ts';
import { MachineError } from '../machine/errors.ts';
import { TimeSlice } from '../machines/shared/time-slice.ts';
import { defineRackTool } from './tool.ts';
import type { Toolbox } from './toolbox.ts';

const maxLineChars = 400;

export const batch = defineRackTool({
  name: 'batch',
  title: 'Run several calls',
  description:
    'Up to 20 tool calls in one. All are checked before the first runs; the first failure stops the rest. ' +
    'Returns one line per step, the last in full.',
  toolset: 'machines',
  effect: 'change',
  openWorld: true,
  input: z.object({
    steps: z
      .array(
        z.strictObject({
          tool: z.string(),
          arguments: z.record(z.string(), z.unknown()).optional(),
        }),
      )
      .min(1)
      .max(20),
  }),
  async run({ steps }, { rack: _, toolbox, ...caller }) {
    const { signal, progress } = caller;
    const problems = steps.flatMap((step, index) => problemsOf(() => checkStep(toolbox, step, caller), index + 1));
    if (problems.length > 0) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `Nothing was run: ${problems.join(' ')}`,
        'Correct these steps and call again.',
      );
    }
    const lines: string[] = [];
    let images: readonly ToolImage[] = [];
    let failed = false;
    const slice = new TimeSlice();
    for (const [index, step] of steps.entries()) {
      if (slice.isOver) await slice.next();
      const label = `${index + 1} ${step.tool}`;
      if (failed || signal.aborted) {
        lines.push(`${label}: not run`);
        continue;
      }
      progress(`step ${index + 1} of ${steps.length}: ${step.tool}`);
      const outcome = await toolbox.call(step.tool, step.arguments, { ...caller, within: 'batch' });
      failed = outcome.type !== 'answer';
      const text = outcomeText(outcome);
      const isLast = index === steps.length - 1;
      if (isLast && !failed) lines.push(`${label}: ok\n${text}`);
      else lines.push(`${label}: ${failed ? 'FAILED' : 'ok'} · ${oneLine(text)}`);
      if (isLast && outcome.type === 'answer') images = outcome.answer.images ?? [];
    }
    const summary = lines.join('\n');
    if (failed) {
      throw new MachineError(
        'EXECUTION_ERROR',
        `A step failed.\n${summary}`,
        'Correct the failed step, then call the ones that did not run.',
        {
          completed: lines.filter((line) => line.includes(': ok')).length,
        },
      );
    }
    return { text: summary, data: { completed: steps.length }, images };
  },
});

function checkStep(
  toolbox: Pick<Toolbox, 'check'>,
  step: { tool: string; arguments?: Record<string, unknown> | undefined },
  caller: Actor,
): void {
  if (step.tool === 'batch') {
    throw new MachineError('INVALID_ARGUMENT', 'a batch cannot contain a batch.', 'Write its steps out.');
  }
  toolbox.check(step.tool, step.arguments, caller);
}

function problemsOf(check: () => void, number: number): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof MachineError && error.type !== 'DENIED') return [`Step ${number}: ${error.message}`];
    throw error;
  }
}

function oneLine(text: string): string {
  const flat = text.replaceAll('\n', ' ⏎ ');
  return flat.length <= maxLineChars
    ? flat
    : `${flat.slice(0, maxLineChars)}… (+${flat.length - maxLineChars} characters)`;
}
