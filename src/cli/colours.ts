export interface Colours {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
}

/** Colours for a stream: none unless it is a terminal and `NO_COLOR` is unset. */
export function coloursFor(stream: object, env: NodeJS.ProcessEnv): Colours {
  const isTerminal = 'isTTY' in stream && stream.isTTY === true;
  const on = isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
  const paint = (code: number) => (text: string) => (on ? `\x1b[${code}m${text}\x1b[0m` : text);
  return { bold: paint(1), dim: paint(2), green: paint(32), yellow: paint(33), red: paint(31) };
}
