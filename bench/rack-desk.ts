import type { Kind } from '../src/machine/kind.ts';
import { makeRack } from '../test/make-rack.ts';
import { built } from './harness/built.ts';

const caller = { client: 'bench', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };

/** A rack of the built program with its tools, in this process. */
export async function openRack(machines: number, ...more: readonly Kind[]) {
  const { Toolbox }: typeof import('../src/tools/toolbox.ts') = await built('tools/toolbox.js');
  const { Confirmations }: typeof import('../src/tools/confirmations.ts') = await built('tools/confirmations.js');
  const { tools }: typeof import('../src/tools/index.ts') = await built('tools/index.js');
  const { c64Kind }: typeof import('../src/machines/commodore/c64/c64-kind.ts') = await built(
    'machines/commodore/c64/c64-kind.js',
  );
  const rack = makeRack([c64Kind, ...more], { machines });
  const toolbox = new Toolbox(tools, ['all'], rack, new Confirmations(false, () => ''), () => {});
  const call = async (tool: string, args: Record<string, unknown> = {}): Promise<string> => {
    const outcome = await toolbox.call(tool, args, caller);
    if (outcome.type === 'error') throw outcome.error;
    return outcome.type === 'answer' ? outcome.answer.text : '';
  };
  return { rack, call };
}
