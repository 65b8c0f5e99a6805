import { MachineError } from '../../machine/errors.ts';
import type { SourceCapability } from '../../machine/source.ts';

/** Of a processor, which may be one whose program nobody has the source of. */
export function requireSource({ source }: { readonly source?: SourceCapability }): SourceCapability {
  if (source) return source;
  throw new MachineError('MISSING_CAPABILITY', 'No source is known for that processor.', 'Leave cpu out.');
}
