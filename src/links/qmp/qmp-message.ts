import { parseModestJson } from '../../formats/modest-json.ts';

export interface QmpEvent {
  /** `STOP`, `RESUME`, `SHUTDOWN` … */
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970 by QEMU's clock; 0 when it does not say. */
  readonly at: number;
}

export interface QmpVersion {
  readonly major: number;
  readonly minor: number;
  readonly micro: number;
}

export type QmpMessage =
  | { readonly type: 'greeting'; readonly version: QmpVersion }
  | { readonly type: 'event'; readonly event: QmpEvent }
  | { readonly type: 'reply'; readonly id: number | undefined; readonly value: unknown }
  | {
      readonly type: 'error';
      readonly id: number | undefined;
      readonly errorClass: string;
      readonly description: string;
    };

/** One line of QMP; undefined for JSON that is none of its messages. Throws on anything that is not JSON, or too much of it. */
export function parseQmpMessage(line: string): QmpMessage | undefined {
  const message = recordOf(parseModestJson(line));
  if ('QMP' in message) {
    const qemu = recordOf(recordOf(recordOf(message.QMP).version).qemu);
    const version = { major: numberOf(qemu.major), minor: numberOf(qemu.minor), micro: numberOf(qemu.micro) };
    return { type: 'greeting', version };
  }
  if (typeof message.event === 'string') {
    const { seconds, microseconds } = recordOf(message.timestamp);
    const at = Math.max(0, numberOf(seconds) * 1000 + numberOf(microseconds) / 1000);
    return { type: 'event', event: { name: message.event, data: recordOf(message.data), at } };
  }
  if ('error' in message) {
    const { class: errorClass, desc } = recordOf(message.error);
    return { type: 'error', id: idOf(message), errorClass: textOf(errorClass), description: textOf(desc) };
  }
  return 'return' in message ? { type: 'reply', id: idOf(message), value: message.return } : undefined;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Undefined where there is none; one that is not ours is nobody's. */
function idOf({ id }: Record<string, unknown>): number | undefined {
  return id === undefined || typeof id === 'number' ? id : Number.NaN;
}

/** What should be a text. `String` of an object calls what the other side has put there. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}
