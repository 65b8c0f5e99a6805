import { outcomeText } from '../../api/outcome-text.ts';
import type { Outcome, ToolHost } from '../../api/tool-host.ts';
import type { Colours } from '../colours.ts';
import { type TourStop, tourStops } from './stops.ts';

const mostLines = 30;
const longestLine = 160;
const longestArgument = 60;

/** Visits five machines, tells what is done and shows what an agent would read. Answers how many could not be started. */
export async function tour(host: ToolHost, colours: Colours, write: (text: string) => void): Promise<number> {
  let missing = 0;
  for (const [index, stop] of tourStops.entries()) {
    write(`\n${colours.bold(`${index + 1}. ${stop.title}`)}\n`);
    if (!(await visit(host, stop, colours, write))) missing++;
  }
  write(
    '\nAgents work like this: frontpanel help says how to connect one; frontpanel serve has a page to watch them.\n',
  );
  return missing;
}

/** False where the machine could not be started, which is said. */
async function visit(
  host: ToolHost,
  { machine, missing, calls }: TourStop,
  { dim, yellow }: Colours,
  write: (text: string) => void,
): Promise<boolean> {
  for (const { comment, tool, arguments: args } of calls) {
    write(`\n${comment}\n${dim(`> ${tool} ${shown(args)}`)}\n`);
    const given = tool === 'machine_start' ? args : { machine, ...args };
    const outcome = await call(host, tool, given);
    write(`${indented(outcomeText(outcome))}\n`);
    if (outcome.type === 'answer') continue;
    if (missing !== undefined) write(`${yellow(missing)}\n`);
    return false;
  }
  await call(host, 'machine_stop', { machine });
  return true;
}

function call(host: ToolHost, tool: string, args: unknown): Promise<Outcome> {
  const signal = new AbortController().signal;
  return host.call(tool, args, { client: 'demo', role: 'own', signal, progress: () => {}, confirmed: true });
}

function shown(args: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(args, (_, value: unknown) =>
    typeof value === 'string' && value.length > longestArgument ? '…' : value,
  );
}

function indented(text: string): string {
  const lines = text.split('\n');
  const rest = lines.length - mostLines;
  const kept = rest > 0 ? [...lines.slice(0, mostLines), `… and ${rest} more lines`] : lines;
  const short = (line: string) => (line.length > longestLine ? `${line.slice(0, longestLine)} …` : line);
  return kept.map((line) => `  ${short(line)}`.trimEnd()).join('\n');
}
