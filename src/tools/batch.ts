import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import { defineRackTool } from './tool.ts';
import { outcomeText } from './toolbox.ts';

const maxLineChars = 400;

export const batch = defineRackTool({
  name: 'batch',
  title: 'Run several calls',
  description:
    'Up to 20 tool calls in one. All are checked before the first runs; the first failure stops the rest. ' +
    'Answers a line a step and the last in full.',
  toolset: 'core',
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
  async run({ steps }, { toolbox, client, session, signal, progress }) {
    const problems = steps.flatMap((step, index) => problemsOf(() => checkStep(toolbox, step), index + 1));
    if (problems.length > 0) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `Nothing was run: ${problems.join(' ')}`,
        'Correct these steps and call again.',
      );
    }
    const lines: string[] = [];
    let last = '';
    let failed = false;
    for (const [index, step] of steps.entries()) {
      const label = `${index + 1} ${step.tool}`;
      if (failed || signal.aborted) {
        lines.push(`${label}: not run`);
        continue;
      }
      progress(`step ${index + 1} of ${steps.length}: ${step.tool}`);
      const outcome = await toolbox.call(step.tool, step.arguments, { client, session, signal, progress });
      failed = outcome.type !== 'answer';
      last = outcomeText(outcome);
      lines.push(`${label}: ${failed ? 'FAILED' : 'ok'} · ${oneLine(last)}`);
      if (failed) last = '';
    }
    const summary = lines.join('\n');
    if (failed) {
      throw new MachineError(
        'EXECUTION_ERROR',
        `A step failed.\n${summary}`,
        'Mend the failed step and run the rest.',
        {
          completed: lines.filter((line) => line.includes(': ok')).length,
        },
      );
    }
    const tail = last.includes('\n') || last.length > maxLineChars ? `\n\nLast step in full:\n${last}` : '';
    return { text: summary + tail, data: { completed: steps.length } };
  },
});

function checkStep(
  toolbox: { check(name: string, raw: unknown): unknown },
  step: { tool: string; arguments?: Record<string, unknown> | undefined },
): void {
  if (step.tool === 'batch') {
    throw new MachineError('INVALID_ARGUMENT', 'a batch cannot hold a batch.', 'Write its steps out.');
  }
  toolbox.check(step.tool, step.arguments);
}

function problemsOf(check: () => void, number: number): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof MachineError) return [`Step ${number}: ${error.message}`];
    throw error;
  }
}

function oneLine(text: string): string {
  const flat = text.replaceAll('\n', ' ⏎ ');
  return flat.length <= maxLineChars
    ? flat
    : `${flat.slice(0, maxLineChars)}… (+${flat.length - maxLineChars} characters)`;
}
