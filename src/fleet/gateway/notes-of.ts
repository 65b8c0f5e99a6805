import type { Outcome } from '../../api/tool-host.ts';

/** What people who gave machines back have to say: told once, so whoever gets it passes it on. */
export function notesOf(outcome: Outcome): readonly string[] {
  const notes = outcome.type === 'answer' ? outcome.answer.data?.notes : undefined;
  return Array.isArray(notes) ? notes.map(String) : [];
}
