import type { AddressCapability } from '../../machine/addresses.ts';
import { MachineError } from '../../machine/errors.ts';
import type { DataReference } from '../../machine/graph.ts';
import type { Machine, MachineWith } from '../../machine/machine.ts';
import { TimeSlice, unlessAborted } from '../../machines/shared/time-slice.ts';
import { fenced } from '../console/fence.ts';
import { showPlace } from '../debug/code-place.ts';
import { knownProgram } from '../names/known-program.ts';

/** A text of the program, and the instructions that refer to it. */
export interface ReferredText {
  readonly address: bigint;
  readonly where: string;
  readonly text: string;
  readonly references: readonly DataReference[];
}

const longestShown = 100;
const mostReferences = 4;

/** Texts that code refers to come first, in the order of their addresses. */
export async function programTexts(
  machine: Machine,
  { format }: AddressCapability,
  signal: AbortSignal,
): Promise<readonly ReferredText[]> {
  if (!machine.names || !machine.memory) {
    throw new MachineError(
      'MISSING_CAPABILITY',
      'This machine does not know which program is loaded.',
      'Search its memory.',
    );
  }
  const known = machine as MachineWith<'names' | 'memory'>;
  const { texts, references } = await knownProgram(known, new TimeSlice(unlessAborted(signal)));
  const byTarget = new Map<bigint, DataReference[]>();
  for (const each of references) {
    const same = byTarget.get(each.target);
    if (same) same.push(each);
    else byTarget.set(each.target, [each]);
  }
  const all = texts.map(({ address, text }) => ({
    address,
    where: format(address),
    text,
    references: byTarget.get(address) ?? [],
  }));
  return [...all.filter((each) => each.references.length > 0), ...all.filter((each) => each.references.length === 0)];
}

/** What a program holds is its own text. */
export function showTexts(texts: readonly ReferredText[], addresses: AddressCapability): string {
  const lines = texts.map(({ where, text, references }) => {
    const shown = references
      .slice(0, mostReferences)
      .map(({ access, instruction }) => `${access} from ${showPlace(instruction, addresses)}`);
    const more = references.length > mostReferences ? [`${references.length - mostReferences} more`] : [];
    return [`${where} ${JSON.stringify(text.slice(0, longestShown))}`, ...shown, ...more].join('; ');
  });
  return fenced(lines.join('\n'), 'texts of the program');
}
