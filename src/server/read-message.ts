import { type JsonBounds, JsonMeasure } from '../formats/json-measure.ts';
import { type MessageFault, messageFault, nameFault } from './message-fault.ts';
import { TopLevelId } from './top-level-id.ts';

/**
 * More than anything a tool takes, and so little that reading and checking it keeps nobody waiting. Functions that follow
 * the nesting would run out of stack far deeper.
 */
const bounds: JsonBounds = { depth: 64, values: 100_000, parts: 25_000, members: 1000 };
const words: Readonly<Record<keyof JsonBounds, string>> = {
  depth: `must not be nested deeper than ${bounds.depth} levels`,
  values: `must not have more than ${bounds.values} values`,
  parts: `must not have more than ${bounds.parts} lists, objects and members`,
  members: `must not have an object with more than ${bounds.members} members`,
};

export type ReadMessage =
  | { readonly type: 'message'; readonly value: unknown }
  | { readonly type: 'fault'; readonly fault: MessageFault };

export function measureMessage(): JsonMeasure {
  return new JsonMeasure(bounds);
}

/** Of a message that goes beyond a bound. */
export function excessFault(excess: keyof JsonBounds, { value: id }: TopLevelId): MessageFault {
  const error = { code: -32600, message: `Invalid request: a message ${words[excess]}` };
  return { ...(id !== undefined && { id }), error };
}

/** A message, or several in a list where the protocol has that, from its text; or how to refuse it. */
export function readMessage(text: string, mayBeList: boolean): ReadMessage {
  const bytes = Buffer.from(text);
  const { excess } = measureMessage().read(bytes);
  if (excess) return { type: 'fault', fault: excessFault(excess, new TopLevelId().read(bytes)) };
  return parseMessage(text, mayBeList);
}

/** The same of a text that was measured. `refusal` is asked before anything but the JSON is looked at. */
export function parseMessage(
  text: string,
  mayBeList: boolean,
  refusal?: (value: unknown) => MessageFault | undefined,
): ReadMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const message = `Parse error: ${error instanceof Error ? error.message : 'no JSON'}`;
    return { type: 'fault', fault: { error: { code: -32700, message } } };
  }
  const fault = refusal?.(value) ?? (mayBeList && Array.isArray(value) ? listFault(value) : messageFault(value));
  return fault ? { type: 'fault', fault } : { type: 'message', value };
}

/** What the SDK does not look for in the messages of a list. */
function listFault(messages: readonly unknown[]): MessageFault | undefined {
  return messages.map(nameFault).find((fault) => fault !== undefined);
}
