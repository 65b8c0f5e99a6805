import { z } from 'zod';
import type { ToolAnswer } from '../../api/tool-host.ts';
import { MachineError } from '../../machine/errors.ts';
import type { Machine, MachineWith } from '../../machine/machine.ts';
import { readScreen } from '../picture/read-screen.ts';
import { readState } from './read-state.ts';

/** What to look at when it is done. */
export const showArgument = z.enum(['screen', 'state']).optional();

type Show = z.output<typeof showArgument>;

/** An answer with what it led to: one call in place of two. */
export async function withShown(machine: Machine, show: Show, answer: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
  if (show === 'screen' && !machine.screen) throw missing('screen');
  if (show === 'state' && !(machine.cpu && machine.addresses)) throw missing('processor to look into');
  const done = await answer();
  if (show === undefined) return done;
  const seen = await look(machine, show);
  return {
    text: [done.text, seen.text].filter(Boolean).join('\n'),
    data: { ...done.data, [show]: seen.data },
    images: [...(done.images ?? []), ...(seen.images ?? [])],
  };
}

async function look(machine: Machine, show: Show): Promise<ToolAnswer> {
  const letGo = machine.status().state === 'RUNNING' ? await machine.control?.hold() : undefined;
  try {
    if (show === 'screen' && machine.screen) return await readScreen(machine.screen);
    return await readState(machine as MachineWith<'cpu' | 'addresses'>, { instructions: 4 });
  } finally {
    letGo?.();
  }
}

function missing(what: string): MachineError {
  return new MachineError('MISSING_CAPABILITY', `This machine has no ${what}.`, 'Leave show out.');
}
