import { z } from 'zod';
import { hexEscape } from '../formats/hex.ts';
import type { AddressCapability } from '../machine/addresses.ts';
import type { LoggedCall } from '../machine/call-log.ts';
import { fenced } from './console/fence.ts';
import { count, showPlace } from './debug/code-place.ts';
import { defineTool } from './tool.ts';

export const callsRead = defineTool({
  name: 'calls_read',
  title: 'Read the log of service calls',
  description:
    'What the program asked the system for (DOS, BIOS, KERNAL), with parameters and file names decoded, where it asked ' +
    'and what came back. "from" is the number the last answer ended with. Example: {"filter":"open","limit":20}.',
  toolset: 'log',
  needs: ['callLog', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    from: z.number().int().min(0).optional().describe('First call; default: the newest that fit'),
    filter: z.string().max(100).optional().describe('Part of a description or result'),
    limit: z.number().int().min(1).max(500).default(40),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ callLog, addresses }, { from, filter, limit }) {
    const page = await callLog.read({ from, limit, filter });
    const { calls } = page;
    const polls = calls.filter(({ poll }) => poll).length;
    const notes = [
      page.lost > 0 && `${count(page.lost)} older calls are no longer kept`,
      page.since !== undefined && page.since > 0 && `nothing is known before @${count(page.since)}`,
      page.older > 0 && `${count(page.older)} older ones match as well`,
      `${page.left > 0 ? `${count(page.left)} more; ` : ''}go on with "from":${page.next}`,
    ];
    return {
      text: [
        fenced(
          calls.map((call) => showCall(call, addresses)).join('\n'),
          `${calls.length - polls} of ${count(page.total)} calls${polls > 0 ? ` and ${polls} of the polls` : ''}`,
        ),
        notes.filter(Boolean).join('; '),
      ].join('\n'),
      data: {
        calls,
        next: page.next,
        left: page.left,
        lost: page.lost,
        total: page.total,
        since: page.since,
        untrusted: true,
      },
    };
  },
});

function showCall(call: LoggedCall, addresses: AddressCapability): string {
  const { seq, time, what, from, former, result, times, until, poll } = call;
  const answer = result === undefined ? '…' : result;
  const again = times === undefined ? '' : ` (${count(times)} times${poll ? `, until @${count(until ?? time)}` : ''})`;
  const place = former ? `${from.where} of a former program` : showPlace(from, addresses);
  const number = poll ? 'poll' : seq;
  return `${number} @${count(time)} ${printable(what)} = ${printable(answer)} [${place}]${again}`;
}

/** File names and texts are the program's: one line, nothing that moves a terminal or a reader. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    return hexEscape(character.codePointAt(0) ?? 0);
  });
}
