import type { RecordedCall } from '../api/tool-host.ts';
import type { CallLine } from './channel.ts';

const longestArguments = 2000;
const longestAnswer = 4000;

/** A call as the list shows it. */
export function callLine({
  images = [],
  before: _,
  after: __,
  via: ___,
  isBeside: ____,
  ...call
}: RecordedCall): CallLine {
  return {
    ...call,
    arguments: JSON.stringify(call.arguments, shortened).slice(0, longestArguments),
    answer: call.answer.slice(0, longestAnswer),
    size: call.answer.length,
    imageBytes: images.reduce((sum, { base64 }) => sum + Math.floor((base64.length * 3) / 4), 0),
  };
}

/** For JSON: a call may carry a whole program, and the list shows its beginning. */
function shortened(_: string, value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, longestArguments);
  return Array.isArray(value) ? value.slice(0, 100) : value;
}
