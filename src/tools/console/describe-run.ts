import type { RunCommandResult } from './shell-run.ts';

const maxCommandChars = 60;

/** How a command ended, or why its end was not seen, in one line. */
export function describeRun({ exitCode, started, over, reason, elapsedMs }: RunCommandResult): string {
  const seconds = `${(elapsedMs / 1000).toFixed(1)} s`;
  if (exitCode !== undefined) return `exit code ${exitCode} after ${seconds}`;
  if (over) {
    const { command } = over;
    const typed = JSON.stringify(command.length > maxCommandChars ? `${command.slice(0, maxCommandChars)}…` : command);
    return `no exit code: the shell that it was typed into ended after ${seconds}, and with it ${typed}, which was run before (exit code ${over.exitCode})`;
  }
  switch (reason) {
    case 'link_ended':
      return started
        ? `no exit code: the console ended after ${seconds}, while the command ran`
        : `the shell did not take the line: the console ended after ${seconds}`;
    case 'restarted':
      return `${started ? 'no exit code' : 'the shell did not take the line'}: the machine was reset or put back to a snapshot within ${seconds}${started ? ', so the command does not run any more' : ''}; read on to see what it does now`;
    case 'stopped':
      return started
        ? `no end within ${seconds}: the machine is stopped; let it run, then read on`
        : `the shell has not taken the line: the machine is stopped; let it run, then read on. What was typed may still be taken`;
    default:
      return started
        ? `no end within ${seconds} (${reason}); it may still run: read on, or send ctrl-c`
        : `the shell did not take the line within ${seconds} (${reason}): is there a shell at its prompt? Read the console; what was typed may still be taken`;
  }
}
