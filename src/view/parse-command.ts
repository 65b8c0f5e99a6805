import { controlActions } from '../api/watch.ts';
import { longestPaste, type PageCommand, type PageRead } from './channel.ts';

const longestText = 32 * 1024;
const longestName = 64;
const mostNames = 32;
const farthest = 32_767;
const mostClicks = 100;
const highestPort = 15;
const longestPart = 40_000;
const longestNote = 1000;
const mostReads = 100;

/** What a page sent, if it is a command; the other end of a socket may be anybody who has the token. */
export function parseCommand(json: string): PageCommand | undefined {
  const given: unknown = JSON.parse(json);
  if (typeof given !== 'object' || given === null) return undefined;
  const field = (name: string): unknown => Reflect.get(given, name);
  const name = (key: string) => text(field(key), longestName);
  switch (field('type')) {
    case 'watch': {
      const [machine, console] = [name('machine'), name('console')];
      if (machine === undefined) return undefined;
      return { type: 'watch', machine, ...(console !== undefined && { console }) };
    }
    case 'call':
      return whole({
        type: 'call',
        id: number(field('id'), 2 ** 32),
        tool: name('tool'),
        arguments: record(field('arguments')),
        isConfirmed: flag(field('isConfirmed')),
      });
    case 'inspect':
      return whole({
        type: 'inspect',
        id: number(field('id'), 2 ** 32),
        machine: name('machine'),
        reads: readsOf(field('reads')),
      });
    case 'entry':
      return whole({ type: 'entry', id: number(field('id'), 2 ** 32), seq: number(field('seq'), 2 ** 32) });
    case 'earlier':
      return whole({ type: 'earlier', before: number(field('before'), 2 ** 32) });
    case 'kinds':
      return { type: 'kinds' };
    case 'glimpses':
      return whole({ type: 'glimpses', isWanted: flag(field('isWanted')) });
    case 'upload':
      return whole({
        type: 'upload',
        id: number(field('id'), 2 ** 32),
        name: name('name'),
        part: text(field('part'), longestPart),
        isLast: flag(field('isLast')),
      });
    case 'take':
      return whole({ type: 'take', machine: name('machine') });
    case 'handBack':
      return whole({ type: 'handBack', machine: name('machine'), note: text(field('note'), longestNote) });
    case 'rename':
      return whole({ type: 'rename', machine: name('machine'), title: name('title') });
    case 'leave':
      return { type: 'leave' };
    case 'ack':
      return whole({ type: 'ack', seq: number(field('seq'), 2 ** 32) });
    case 'look':
      return whole({ type: 'look', isLooking: flag(field('isLooking')) });
    case 'listen':
      return whole({ type: 'listen', isListening: flag(field('isListening')) });
    case 'paste':
      return whole({ type: 'paste', text: text(field('text'), longestPaste) });
    case 'stopTyping':
      return { type: 'stopTyping' };
    case 'keys':
      return whole({ type: 'keys', keys: names(field('keys')) });
    case 'repeat':
      return whole({ type: 'repeat', key: name('key') });
    case 'type':
      return whole({ type: 'type', text: text(field('text'), longestText) });
    case 'break':
      return { type: 'break' };
    case 'joystick':
      return whole({
        type: 'joystick',
        port: number(field('port'), highestPort),
        directions: names(field('directions')),
      });
    case 'moveTo':
      return whole({ type: 'moveTo', x: number(field('x'), farthest), y: number(field('y'), farthest) });
    case 'moveBy':
      return whole({ type: 'moveBy', dx: number(field('dx'), farthest), dy: number(field('dy'), farthest) });
    case 'buttons':
      return whole({ type: 'buttons', buttons: names(field('buttons')) });
    case 'wheel':
      return whole({ type: 'wheel', clicks: number(field('clicks'), mostClicks) });
    case 'control': {
      const action = controlActions.find((each) => each === field('action'));
      return whole({ type: 'control', action });
    }
    default:
      return undefined;
  }
}

type Whole<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

/** Nothing if a field is missing or of the wrong sort. */
function whole<T extends object>(command: T): Whole<T> | undefined {
  return isWhole(command) ? command : undefined;
}

function isWhole<T extends object>(command: T): command is T & Whole<T> {
  return Object.values(command).every((value) => value !== undefined);
}

function text(value: unknown, longest: number): string | undefined {
  return typeof value === 'string' && value.length <= longest ? value : undefined;
}

function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function number(value: unknown, most: number): number | undefined {
  return Number.isSafeInteger(value) && Math.abs(Number(value)) <= most ? Number(value) : undefined;
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function readsOf(value: unknown): readonly PageRead[] | undefined {
  if (!Array.isArray(value) || value.length > mostReads) return undefined;
  const reads = value.flatMap((each): PageRead[] => {
    const tool = text(Reflect.get(Object(each), 'tool'), longestName);
    const args = record(Reflect.get(Object(each), 'arguments'));
    return tool !== undefined && args ? [{ tool, arguments: args }] : [];
  });
  return reads.length === value.length ? reads : undefined;
}

function names(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length > mostNames) return undefined;
  const list = value.filter((each): each is string => text(each, longestName) !== undefined);
  return list.length === value.length ? list : undefined;
}
