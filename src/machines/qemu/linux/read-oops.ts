import { pauses } from '../../../formats/elf/pause.ts';
import type { LinuxCall, LinuxOops, LogRecord } from '../../../machine/linux.ts';
import type { KernelPlaces } from './places.ts';

/** How the first line of a report begins, in its different kinds. */
const starts =
  /^(?:\[.*?\]\s*)?(?:BUG: |kernel BUG at |Unable to handle kernel |Internal error: |Oops: |WARNING: |Kernel panic - not syncing|general protection fault|divide error|invalid opcode|stack segment|double fault|traps: PANIC|INFO: task .* blocked for|watchdog: BUG|rcu: INFO: .*(?:stall|self-detected)|list_(?:add|del) corruption|refcount_t: )/;
const ends = /^---\[ end (?:trace|Kernel panic)/;
const code = /(?<![\w.$])([A-Za-z_$][\w.$]{0,255})\+0x([0-9a-f]{1,8})\/0x([0-9a-f]{1,8})(?: \[([\w-]+)\])?/;
/** The instruction itself, not where a call returns to. */
const exact = /^(?:RIP|EIP|pc|epc)\s*:/;
const unsure = /^\s*\? /;
const person = /PID: (\d+) Comm: (\S+)/;
const maxOopses = 32;
const maxCalls = 64;

interface Draft {
  readonly seconds: number;
  readonly reasons: string[];
  task: string | undefined;
  readonly calls: LinuxCall[];
}

/** What went wrong, in the kernel's own reports. */
export async function readOopses(records: readonly LogRecord[], places: KernelPlaces): Promise<LinuxOops[]> {
  const pause = pauses();
  const drafts: Draft[] = [];
  let current: Draft | undefined;
  for (const { seconds, text } of records.flatMap(linesOf)) {
    await pause();
    if (starts.test(text)) {
      if (!current || current.calls.length > 0) {
        current = { seconds, reasons: [], task: undefined, calls: [] };
        drafts.push(current);
      }
      current.reasons.push(text.trim());
    }
    if (!current) continue;
    const [, pid, name] = person.exec(text) ?? [];
    if (pid !== undefined) current.task ??= `${name} (pid ${pid})`;
    const call = callIn(text, places);
    if (call && current.calls.length < maxCalls && !isRepeated(current, call)) current.calls.push(call);
    if (ends.test(text)) current = undefined;
  }
  return drafts.slice(-maxOopses).map(({ reasons, ...rest }) => ({ ...rest, reason: reasons.join('; ') }));
}

function linesOf({ seconds, text }: LogRecord): { seconds: number; text: string }[] {
  return text.split('\n').map((line) => ({ seconds, text: line }));
}

/** Calls that the kernel itself is not sure of are left out. */
function callIn(text: string, places: KernelPlaces): LinuxCall | undefined {
  const [, name, offset = '0', size = '0', module] = code.exec(text) ?? [];
  if (name === undefined || unsure.test(text) || /^WARNING: /.test(text)) return undefined;
  return places.resolve(name, BigInt(`0x${offset}`), BigInt(`0x${size}`), module, !exact.test(text.trim()));
}

/** The place is often said twice, before the registers and after them. */
function isRepeated({ calls }: Draft, { place }: LinuxCall): boolean {
  return calls.at(-1)?.place === place || calls[0]?.place === place;
}
