import { advice, call, MachineError } from '../../../machine/errors.ts';

/** How long an answer is waited for that nobody wants any more: a VICE that is well is left in order. */
const unwantedMs = 3000;

/** The answer, or an error a short while after the signal has said that nobody wants it any more. */
export async function whileWanted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer;
  let timer: NodeJS.Timeout | undefined;
  let begin = () => {};
  const late = new Promise<never>((_, reject) => {
    begin = () => {
      timer = setTimeout(() => reject(unanswered()), unwantedMs);
    };
  });
  if (signal.aborted) begin();
  signal.addEventListener('abort', begin, { once: true });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', begin);
  }
}

function unanswered(): MachineError {
  const fix = advice`If it stays silent, stop it with ${call('machine_stop')}.`;
  return new MachineError('CANCELLED', 'The call was cancelled while VICE did not answer.', fix);
}
