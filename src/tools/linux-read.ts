import { z } from 'zod';
import type { ToolAnswer } from '../api/tool-host.ts';
import { hex0x, lowerHex } from '../formats/hex.ts';
import { MachineError } from '../machine/errors.ts';
import type { LinuxCall, LinuxCapability } from '../machine/linux.ts';
import { defineTool } from './tool.ts';

const views = ['overview', 'log', 'tasks', 'modules', 'mounts', 'oops'] as const;
type View = (typeof views)[number];

interface Selection {
  readonly pid: number | undefined;
  readonly find: string | undefined;
  readonly limit: number;
}

/** Lines for people, and the same as data. */
interface Listing {
  readonly head: string;
  readonly lines: readonly string[];
  /** The end of what is listed matters, not the beginning. */
  readonly fromEnd?: boolean;
  readonly data: Record<string, unknown>;
}

const levels = ['emerg', 'alert', 'crit', 'err', 'warn', 'notice', 'info', 'debug'];

export const linuxRead = defineTool({
  name: 'linux_read',
  title: 'Read a Linux guest',
  description:
    'Read a 64-bit Linux guest from the memory of its kernel, without its help: "log" (dmesg), "tasks" (one with "pid": the calls it waits in), ' +
    '"modules", "mounts", "oops" (every oops, warning and panic, with source lines where symbols_load gave them). Works on hung and panicked kernels; KASLR is handled.',
  toolset: 'system',
  needs: ['linux'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    what: z.enum(views).default('overview'),
    pid: z.number().int().min(0).optional().describe('With tasks'),
    find: z.string().max(200).optional().describe('Only lines with this text'),
    limit: z.number().int().min(1).max(2000).default(100).describe('Of a log, the last lines'),
  }),
  async run({ linux }, { what, pid, find, limit }) {
    if (pid !== undefined && what !== 'tasks') {
      throw new MachineError('INVALID_ARGUMENT', '"pid" goes with tasks.', 'Use {"what":"tasks","pid":1}.');
    }
    return shown(await readers[what](linux, { pid, find, limit }), { pid, find, limit });
  },
});

const readers: Readonly<Record<View, (linux: LinuxCapability, selection: Selection) => Promise<Listing>>> = {
  async overview(linux) {
    const overview = await linux.overview();
    const { banner, text, moved, symbols, types, notes } = overview;
    const place = text === undefined ? 'unknown' : hex0x(text);
    const distance =
      moved === undefined ? '' : moved === 0n ? ', where it was linked to' : `, moved by ${signed(moved)}`;
    const lines = [`code at ${place}${distance}`, `${symbols} symbols, types from ${types ?? 'nowhere'}`, ...notes];
    return { head: banner, lines, data: { ...overview } };
  },
  async log(linux) {
    const records = await linux.log();
    const lines = records.map(({ seconds, level, text }) => {
      const urgent = level <= 4 ? ` ${levels[level]}:` : '';
      return `[${seconds.toFixed(6).padStart(12)}]${urgent} ${text}`;
    });
    return { head: plural(records.length, 'message'), lines, fromEnd: true, data: {} };
  },
  async tasks(linux, { pid }) {
    if (pid !== undefined) return oneTask(linux, pid);
    const tasks = await linux.tasks();
    const lines = tasks.map(({ pid: id, parent, state, cpu, threads, isKernel, name }) => {
      const on = cpu === undefined ? '' : `  on cpu ${cpu}`;
      const many = threads > 1 ? `  ${threads} threads` : '';
      return `${String(id).padStart(6)} ${String(parent).padStart(6)}  ${state}  ${isKernel ? `[${name}]` : name}${many}${on}`;
    });
    return { head: `${plural(tasks.length, 'process', 'es')}: pid, parent, state, name`, lines, data: { tasks } };
  },
  async modules(linux) {
    const modules = await linux.modules();
    const lines = modules.map(({ name, base, bytes, state, symbols }) => {
      const odd = state === 'live' ? '' : `  ${state}`;
      return `${name}  ${hex0x(base)}  ${bytes} bytes  ${plural(symbols, 'symbol')}${odd}`;
    });
    return { head: plural(modules.length, 'module'), lines, data: { modules } };
  },
  async mounts(linux) {
    const mounts = await linux.mounts();
    const lines = mounts.map(
      ({ device, path, type, isReadOnly }) => `${device} on ${path} type ${type}${isReadOnly ? ' (read-only)' : ''}`,
    );
    return { head: plural(mounts.length, 'mount'), lines, data: { mounts } };
  },
  async oops(linux) {
    const oopses = await linux.oopses();
    const lines = oopses.flatMap(({ seconds, reason, task, calls }) => [
      `[${seconds.toFixed(6)}] ${reason}${task === undefined ? '' : `, in ${task}`}`,
      ...calls.map(callLine),
    ]);
    const none = 'The log has no oops, warning or panic.';
    return { head: oopses.length === 0 ? none : plural(oopses.length, 'report'), lines, data: { oopses } };
  },
};

async function oneTask(linux: LinuxCapability, pid: number): Promise<Listing> {
  const task = await linux.task(pid);
  const { name, state, cpu, calls, isGuess } = task;
  const where =
    cpu !== undefined
      ? `it runs on cpu ${cpu}, whose registers say where`
      : isGuess
        ? 'return addresses on its stack, a guess: some may be left over'
        : 'it waits in';
  return {
    head: `${name} (pid ${pid}), state ${state}, task_struct at ${hex0x(task.address)}; ${where}`,
    lines: calls.map(callLine),
    data: { ...task },
  };
}

function shown({ head, lines, fromEnd = false, data }: Listing, { find, limit }: Selection): ToolAnswer {
  const found = find === undefined ? lines : lines.filter((line) => line.toLowerCase().includes(find.toLowerCase()));
  const kept = fromEnd ? found.slice(-limit) : found.slice(0, limit);
  const left = found.length - kept.length;
  const more = left === 0 ? [] : [`${left} ${fromEnd ? 'before these' : 'more'}: raise "limit" or narrow with "find".`];
  const matching = find === undefined ? '' : `, ${found.length} with that text`;
  const text = [`${head}${matching}`, ...(fromEnd ? more : []), ...kept, ...(fromEnd ? [] : more)];
  return { text: text.join('\n'), data: { ...data, lines: kept } };
}

function callLine({ address, place }: LinuxCall): string {
  return `  ${address === 0n ? '' : `${hex0x(address)} `}${place}`;
}

function signed(value: bigint): string {
  return value < 0n ? `-0x${lowerHex(-value, 1)}` : `0x${lowerHex(value, 1)}`;
}

function plural(count: number, word: string, ending = 's'): string {
  return `${count} ${word}${count === 1 ? '' : ending}`;
}
