import type { RecordedCall } from '../../api/tool-host.ts';

/** What is different each time although the machine does the same, and why; it is not compared. */
export const notCompared: readonly { readonly what: string; readonly why: string; readonly pattern: RegExp }[] = [
  { what: 'real time', why: 'how fast this computer is', pattern: /\d+\.\d+ s real time/g },
  { what: 'marks around output', why: 'random, so that no guest can forge them', pattern: /\[\/?output [0-9a-z]+/g },
  { what: 'confirmation tokens', why: 'random', pattern: /"confirmation_token":"[^"]*"/g },
  { what: 'the address of the page', why: 'another server', pattern: /^.*https?:\/\/\S+.*$/gm },
  { what: 'when idle machines are stopped', why: 'an option', pattern: /Stopped automatically after .*? idle\./g },
  { what: 'times of day', why: 'another day', pattern: /\d\d:\d\d:\d\d(\.\d+)?/g },
];

/** Tools that say something of the server or the computer, and not of a machine. */
export const aboutServer: ReadonlySet<string> = new Set([
  'machine_kinds',
  'machine_list',
  'events_read',
  'tool_find',
  'debug_port',
]);

/** How an answer differs from the one that was recorded; nothing if it is the same. */
export function difference(then: RecordedCall, now: RecordedCall): string | undefined {
  if (then.tool !== now.tool) return `${now.tool} was called in place of ${then.tool}`;
  const [before, after] = [comparable(then.answer), comparable(now.answer)];
  if (before !== after) return firstDifference(before.split('\n'), after.split('\n'));
  const [images, others] = [then.images ?? [], now.images ?? []];
  if (images.length !== others.length) return `${others.length} images in place of ${images.length}`;
  const at = images.findIndex(({ base64 }, index) => base64 !== others[index]?.base64);
  return at === -1 ? undefined : `image ${at + 1} is another`;
}

function comparable(answer: string): string {
  return notCompared.reduce((text, { pattern }) => text.replace(pattern, '…'), answer);
}

function firstDifference(then: readonly string[], now: readonly string[]): string {
  const at = then.findIndex((line, index) => line !== now[index]);
  const line = at === -1 ? then.length : at;
  const shown = (text: string | undefined) => (text === undefined ? '(nothing)' : text.slice(0, 300));
  return `line ${line + 1} was\n    ${shown(then[line])}\n  and is\n    ${shown(now[line])}`;
}
