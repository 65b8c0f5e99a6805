import type { Outcome } from './tool-host.ts';

/** What the agent reads. */
export function outcomeText(outcome: Outcome): string {
  switch (outcome.type) {
    case 'answer':
      return outcome.answer.text;
    case 'error':
      return `ERROR ${outcome.error.message}\nFix: ${outcome.error.fix}`;
    case 'confirm':
      return (
        `NOT DONE YET: ${outcome.question}\n` +
        `Ask the user. If they agree, repeat the same call with "confirmation_token":"${outcome.token}".`
      );
  }
}
