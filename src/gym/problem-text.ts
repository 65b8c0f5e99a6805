import { z } from 'zod';
import { adviceText, MachineError } from '../machine/errors.ts';

const mostProblems = 10;

/** What is wrong and what to do about it, for somebody who has no tools to call. */
export function problemText(error: unknown): string {
  if (error instanceof z.ZodError) return issuesText(error);
  if (error instanceof MachineError) return `${error.message} ${adviceText(error.advice, () => undefined)}`.trim();
  return error instanceof Error ? error.message : String(error);
}

/** One problem after the other, each with the place where it is. */
function issuesText({ issues }: z.ZodError): string {
  const problems = issues.slice(0, mostProblems).map((issue) => {
    const place = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
    const what =
      issue.code === 'unrecognized_keys' ? `there is no option ${issue.keys.join(', ')}` : lowered(issue.message);
    return place === '' ? what : `${place.replace(/^\./, '')}: ${what}`;
  });
  return `${problems.join('; ')}.`;
}

function lowered(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

/** What a schema makes of options; throws what is wrong with them and which there are, but for those that not everybody has. */
export function checkedOptions<T extends z.ZodObject>(
  what: string,
  schema: T,
  given: unknown,
  untold: readonly string[] = [],
): z.output<T> {
  const { data, error } = schema.safeParse(given);
  if (!error) return data as z.output<T>;
  const isUnknown = error.issues.some(({ code, path }) => code === 'unrecognized_keys' && path.length === 0);
  const names = Object.keys(schema.shape).filter((name) => !untold.includes(name));
  const fix = isUnknown ? `There are: ${names.join(', ')}.` : 'Correct that.';
  throw new MachineError('INVALID_ARGUMENT', `${what}: ${issuesText(error)}`, fix);
}
