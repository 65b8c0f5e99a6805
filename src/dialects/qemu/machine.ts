import { MachineError } from '../../machine/errors.ts';
import { tools as nativeTools } from '../../tools/index.ts';
import type { Caller, Outcome, Toolbox } from '../../tools/toolbox.ts';
import type { DialectAnswer } from '../dialect.ts';

/** This surface has one machine at a time. */
export const handle = 'qemu';

type Racked = Toolbox['rack']['machines'][number];

/** Running, or off and not yet cleared away. */
export function found(toolbox: Toolbox): Racked | undefined {
  return toolbox.rack.machines.find((each) => each.handle === handle);
}

export function isRunning(toolbox: Toolbox): boolean {
  const racked = found(toolbox);
  return racked !== undefined && racked.machine.status().state !== 'OFF';
}

export function requireRunning(toolbox: Toolbox): Racked {
  const racked = found(toolbox);
  if (racked && isRunning(toolbox)) return racked;
  const why = racked?.machine.status().notes?.join(', ');
  throw new MachineError(
    'WRONG_STATE',
    `QEMU is not running${why === undefined ? '' : `: ${why}`}.`,
    racked ? 'qemu_read has its last words. Start it again with qemu_boot.' : 'Start it with qemu_boot.',
    { running: false },
  );
}

export function statusOf(toolbox: Toolbox): DialectAnswer {
  const racked = found(toolbox);
  if (!racked) return { running: false };
  return { running: isRunning(toolbox), state: racked.machine.status().state, status: racked.stateLine };
}

/** The answer of a call that must succeed. */
export async function answerOf(
  toolbox: Toolbox,
  caller: Caller,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Extract<Outcome, { type: 'answer' }>['answer']> {
  const needsMachine = tool !== 'machine_start';
  const outcome = await toolbox.call(tool, { ...(needsMachine && { machine: handle }), ...args }, caller);
  if (outcome.type === 'answer') return outcome.answer;
  if (outcome.type === 'error') throw translated(outcome.error);
  throw new MachineError('DENIED', outcome.question, 'Start frontpanel with --yes to allow it without asking.');
}

/** What our own tools and options are called here. */
const names: readonly (readonly [RegExp, string])[] = [
  [/\bmachine_start\b/g, 'qemu_boot'],
  [/\bmachine_stop\b(?: \{[^}]*\})?/g, 'qemu_shutdown'],
  [/\bmachine_list\b|\bevents_read\b/g, 'qemu_status'],
  [/\bconsole_read\b/g, 'qemu_read'],
  [/\bconsole_send\b/g, 'qemu_send'],
  [/\bscreen_read\b/g, 'qemu_screenshot'],
  [/\binput_send\b/g, 'qemu_send_key'],
  [/\bmonitor_execute\b/g, 'qemu_monitor'],
  [/\bnetwork_capture_start\b/g, 'qemu_pcap_start'],
  [/\bnetwork_capture_stop\b/g, 'qemu_pcap_stop'],
  [/ \(run with screen_text\)/g, ''],
  [/\b[Cc]all run\b(?: first| again)?/g, 'Call qemu_monitor {"command":"cont"}'],
  [/\b[Cc]all pause\b(?: first)?/g, 'Call qemu_monitor {"command":"stop"}'],
  [/"gpu":"on"/g, '"gpu":true'],
  [/"network":"user"/g, '"network":true'],
];

/** Our own tools that this surface has no name for. */
const elsewhere = new RegExp(
  `\\b(?:${nativeTools
    .map(({ name }) => name)
    .filter((name) => name.includes('_'))
    .join('|')}|run with|step with)\\b`,
);

/** In the words of this surface; advice that needs a tool of another one is left out. */
export function translated(error: MachineError): MachineError {
  const here = (text: string) => names.reduce((said, [name, ours]) => said.replace(name, ours), text);
  const advice = sentences(here(error.fix)).filter((sentence) => !elsewhere.test(sentence));
  const message = sentences(here(error.message)).filter((sentence, at) => at === 0 || !elsewhere.test(sentence));
  return new MachineError(
    error.type,
    message.join(' ').replaceAll(new RegExp(elsewhere, 'g'), 'that'),
    advice.join(' ') || 'Correct the call and try again.',
    error.data,
  );
}

function sentences(text: string): string[] {
  return text.split(/(?<=[.;]) (?=[A-Z"])/);
}
