import { visibleText } from '../api/visible.ts';
import { LineFile } from '../host/line-file.ts';

const levels = ['debug', 'info', 'notice', 'warning', 'error'] as const;
export type LogLevel = (typeof levels)[number];
export type Log = (level: LogLevel, text: string) => void;

/** One line a message on stderr, and in a file if one was named; stdout belongs to the protocol. Never fails. */
export function openLog(lowest: LogLevel, file: string | undefined, write: (line: string) => void): Log {
  const lines = file === undefined ? undefined : logFile(file, write);
  return (level, text) => {
    if (levels.indexOf(level) < levels.indexOf(lowest)) return;
    const line = lineOf(level, text);
    write(`${line}\n`);
    lines?.write(line);
  };
}

function logFile(path: string, write: (line: string) => void): LineFile {
  return new LineFile(path, {
    report: (text) => write(`${lineOf('error', `log: ${text}`)}\n`),
    lossLine: (count) => lineOf('error', `log: ${count} lines were lost here`),
  });
}

/** What comes from guests and clients cannot look like a line of ours: only those begin at the margin. */
function lineOf(level: LogLevel, text: string): string {
  return `${new Date().toISOString()} ${level} ${visibleText(text).replaceAll('\n', '\n  ')}`;
}
