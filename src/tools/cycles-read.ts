import { z } from 'zod';
import type { CyclesCapability, InterruptLog } from '../machine/cycles.ts';
import { advice, call, MachineError } from '../machine/errors.ts';
import type { MachineWith } from '../machine/machine.ts';
import { parseAddress } from './debug/parse-address.ts';
import { showAddress } from './debug/show.ts';
import { defineTool } from './tool.ts';

type Timed = MachineWith<'cycles' | 'control' | 'addresses'>;

export const cyclesRead = defineTool({
  name: 'cycles_read',
  title: 'Count cycles and interrupts',
  description:
    'A stopwatch: cycles, frames and raster lines since the last {"mark":true}, or since checkpoints that were marked ' +
    'with a "name"; cycles from one address to another ({"from":"loop","to":"done"} runs there). "interrupts" switches a log of IRQ, NMI and BRK on or off; while it is on, each call lists the newest.',
  toolset: 'timing',
  needs: ['cycles', 'control', 'addresses'],
  effect: 'change',
  input: z.object({
    mark: z.boolean().default(false).describe('Set the stopwatch to zero after reading it'),
    name: z.string().min(1).max(60).optional().describe('With mark: sets this checkpoint instead'),
    from: z.string().optional().describe('Run to this address, start counting'),
    to: z.string().optional().describe('Then run to this one'),
    interrupts: z.enum(['on', 'off']).optional(),
    limit: z.number().int().min(1).max(100).default(20).describe('Interrupts listed'),
    timeout_ms: z.number().int().min(1).max(25_000).default(10_000).describe('For each of from and to'),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run(machine, { mark, name, from, to, interrupts, limit, timeout_ms: wallMs }, { signal }) {
    const { cycles, addresses } = machine;
    if (interrupts !== undefined) cycles.interrupts.switch(interrupts === 'on');
    const measured = to === undefined ? undefined : await measure(machine, from, to, wallMs, signal);
    const since = cycles.sinceMark;
    if (mark) cycles.mark(name);
    const checkpoints = cycles.checkpoints.map((each) => ({ ...each, ...elapsed(cycles, cycles.now - each.cycle) }));
    const entries = cycles.interrupts.entries.slice(-limit);
    const text = [
      ...(measured === undefined ? [] : [`${measured.toLocaleString('en-US')} cycles from ${from ?? 'here'} to ${to}`]),
      since === undefined ? 'no mark is set' : `${shown(cycles, since)} since the mark`,
      ...(mark ? [name === undefined ? 'marked' : `checkpoint ${name} set`] : []),
      ...checkpoints.map((each) => `${shown(cycles, each.cycles)} since ${each.name}`),
      ...logHead(cycles.interrupts, entries.length),
      ...entries.map(
        ({ cycle, type, place, source, interrupted, handler }) =>
          `${cycle} ${type} ${place}: ${source}; at ${showAddress(interrupted, addresses)} to ${showAddress(handler, addresses)}`,
      ),
    ].join('\n');
    const { isOn, total } = cycles.interrupts;
    return {
      text,
      data: {
        cycle: cycles.now,
        since,
        // Since power-up where nothing was marked.
        elapsed: elapsed(cycles, since ?? cycles.now),
        checkpoints,
        measured,
        interrupts: { on: isOn, total, entries },
      },
    };
  },
});

function elapsed({ spans }: CyclesCapability, cycles: number) {
  if (!spans) return { cycles };
  return { cycles, frames: Math.floor(cycles / spans.frame), raster_lines: Math.floor(cycles / spans.line) };
}

function shown(capability: CyclesCapability, count: number): string {
  const { frames, raster_lines: lines } = elapsed(capability, count);
  const more = frames === undefined ? '' : ` (${counted(frames, 'frame')}, ${counted(lines ?? 0, 'raster line')})`;
  return `${count.toLocaleString('en-US')} cycles${more}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function logHead({ isOn, total }: InterruptLog, shown: number): readonly string[] {
  if (!isOn && total === 0) return [];
  return [`interrupt log ${isOn ? 'on' : 'off'}: ${total} so far${total > shown ? `, the last ${shown}:` : ''}`];
}

async function measure(
  machine: Timed,
  from: string | undefined,
  to: string,
  wallMs: number,
  signal: AbortSignal,
): Promise<number> {
  const { cycles, addresses } = machine;
  if (from !== undefined && machine.cpu?.pc !== parseAddress(from, addresses))
    await reach(machine, from, wallMs, signal);
  const start = cycles.now;
  await reach(machine, to, wallMs, signal);
  return cycles.now - start;
}

async function reach(machine: Timed, place: string, wallMs: number, signal: AbortSignal): Promise<void> {
  const address = parseAddress(place, machine.addresses);
  await machine.control.run({ address, wallMs }, signal);
  if (machine.cpu?.pc === address) return;
  const { stop } = machine.status();
  throw new MachineError('EXECUTION_ERROR', `${place} was not reached: ${stop?.reason ?? 'the machine stopped'}.`, [
    advice`Check the address with ${call('disassemble')}.`,
    advice`Breakpoints on the way also stop it.`,
  ]);
}
