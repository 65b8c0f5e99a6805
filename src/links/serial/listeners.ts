import { readFile } from 'node:fs/promises';

/** How often the tables are read while somebody waits; nobody notices such a delay. */
const lookEveryMs = 400;
/** The state of a listening TCP socket, and the flag of a listening unix socket, as Linux prints them. */
const tcpListens = '0A';
const unixListens = '00010000';

interface Waiting {
  readonly key: string;
  readonly returned: () => void;
  absent: boolean;
}

const waiting = new Set<Waiting>();
let looking = false;

/**
 * Calls back once when something on this computer listens that did not listen before: on a TCP port (`tcp 4555`) or a
 * unix socket (`unix /run/x.sock`). It reads Linux's tables of sockets and connects to nothing; elsewhere it never calls.
 */
export function onceListening(key: string, returned: () => void): () => void {
  const entry: Waiting = { key, returned, absent: false };
  waiting.add(entry);
  if (!looking) lookLater();
  return () => void waiting.delete(entry);
}

async function look(): Promise<void> {
  const listeners = await listening();
  for (const entry of [...waiting]) {
    if (!listeners.has(entry.key)) entry.absent = true;
    else if (entry.absent && waiting.delete(entry)) entry.returned();
  }
  if (waiting.size > 0) lookLater();
  else looking = false;
}

function lookLater(): void {
  looking = true;
  setTimeout(look, lookEveryMs).unref();
}

async function listening(): Promise<ReadonlySet<string>> {
  const [tcp, tcp6, unix] = await Promise.all(['tcp', 'tcp6', 'unix'].map(table));
  const found = new Set<string>();
  for (const [, local = '', , state] of [...(tcp ?? []), ...(tcp6 ?? [])]) {
    if (state === tcpListens) found.add(`tcp ${Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16)}`);
  }
  for (const [, , , flags, , , , ...path] of unix ?? []) {
    if (flags === unixListens) found.add(`unix ${path.join(' ')}`);
  }
  return found;
}

/** The words of each line after the heading; none where there is no such table. */
async function table(name: string): Promise<string[][]> {
  const text = await readFile(`/proc/net/${name}`, 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));
}
