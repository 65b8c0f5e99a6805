import type { PageOutcome } from '../../channel.ts';

/** What a tool says, without the line of state before it. */
export function textOf(outcome: PageOutcome | undefined): string {
  if (outcome === undefined) return '';
  if (outcome.type === 'error') return outcome.message;
  if (outcome.type === 'confirm') return outcome.question;
  const { text } = outcome;
  return text.slice(text.indexOf('\n') + 1);
}

/** What a pane says in place of a list: that there is nothing only once that is known. */
export function insteadOfList(outcome: PageOutcome | undefined, nothing: string): string {
  if (outcome === undefined) return '…';
  return outcome.type === 'answer' ? nothing : textOf(outcome);
}

/** A field of an answer's data; the other end may have put anything there. */
export function fieldOf(outcome: PageOutcome | undefined, name: string): unknown {
  return outcome?.type === 'answer' ? Reflect.get(Object(outcome.data), name) : undefined;
}

export function listOf(outcome: PageOutcome | undefined, name: string): readonly Readonly<Record<string, unknown>>[] {
  const list = fieldOf(outcome, name);
  return Array.isArray(list) ? list.filter((each) => typeof each === 'object' && each !== null) : [];
}

/** Numbers that JSON cannot carry come as `0x…`. */
export function numberOf(value: unknown): bigint | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  return typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? BigInt(value) : undefined;
}

export function plain(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
