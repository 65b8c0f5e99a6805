import type { Model } from '../../../chips/x86/models.ts';
import { MachineError } from '../../../machine/errors.ts';
import { Workshop } from '../../shared/workshop.ts';
import type { Assembly } from '../assembler/assemble.ts';
import { EffortExceeded } from '../assembler/source-error.ts';
import { jobs } from './jobs.ts';

/** What is done at once, because even the worst of it takes some milliseconds only. */
const shortSource = 16_384;
const shortEffort = 10_000;
const longestText = 8 * 1024 * 1024;

const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const workshop = new Workshop<typeof jobs>(new URL(`./dos-workshop-worker${extension}`, import.meta.url));

/** Assembles a source, in a thread of its own where it is long or takes long. */
export async function assembleSafely(
  source: string,
  name: string,
  signal: AbortSignal,
  model: Model = '80386',
): Promise<Assembly> {
  if (source.length > longestText) {
    const message = `${name} has ${source.length} characters, and ${longestText} is the limit.`;
    throw new MachineError('LIMIT_REACHED', message, 'Split it into smaller parts.');
  }
  if (source.length <= shortSource) {
    try {
      return jobs.assemble({ source, model, mostEffort: shortEffort });
    } catch (error) {
      if (!(error instanceof EffortExceeded)) throw error;
    }
  }
  return workshop.run('assemble', { source, model }, signal);
}
