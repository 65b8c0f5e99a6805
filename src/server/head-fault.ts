import type { IncomingMessage } from 'node:http';
import type { Refusal } from './http-gate.ts';

/** Node reads no more, and says nothing of those it leaves out. */
export const mostHeaders = 100;
/** What decides who comes in; of two Node takes the first, and others in between may take the second. */
const saidOnce = ['host', 'origin', 'authorization'];

/** Why the head of a request cannot be gone by: not all of it was read, or it says two things at once. */
export function headFault({ rawHeaders }: IncomingMessage): Refusal | undefined {
  if (rawHeaders.length > 2 * mostHeaders) return { status: 431, message: `More than ${mostHeaders} headers.` };
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const twice = saidOnce.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  return twice === undefined ? undefined : { status: 400, message: `The header ${twice} was sent more than once.` };
}
