import { appendFileSync } from 'node:fs';

const levels = ['debug', 'info', 'notice', 'warning', 'error'] as const;
export type LogLevel = (typeof levels)[number];
export type Log = (level: LogLevel, text: string) => void;

/** One line a message on stderr, and in a file if one was named; stdout belongs to the protocol. */
export function openLog(lowest: LogLevel, file: string | undefined, write: (line: string) => void): Log {
  return (level, text) => {
    if (levels.indexOf(level) < levels.indexOf(lowest)) return;
    const line = `${new Date().toISOString()} ${level} ${text}\n`;
    write(line);
    if (file !== undefined) appendFileSync(file, line, { mode: 0o600 });
  };
}
