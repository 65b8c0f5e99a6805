import type { Visitor } from '../../machine/console.ts';

export function describeVisitor({ name, kind }: Visitor): string {
  return kind === 'agent' ? `${name} (agent)` : name;
}
