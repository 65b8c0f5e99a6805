import { ownValue } from '../../formats/own-value.ts';

/** Why the stub says the target is not running. */
export interface StopReply {
  /** 2 after an interrupt, 5 after a step, a breakpoint or a watchpoint. 0 when the target has ended. */
  readonly signal: number;
  /** As the stub writes it: `p01.02`. */
  readonly thread?: string;
  readonly watch?: { readonly type: 'read' | 'write' | 'access'; readonly address: bigint };
}

const stopForm = /^[TSWX][0-9a-f]{2}/i;
const watchTypes: Readonly<Record<string, 'read' | 'write' | 'access'>> = {
  watch: 'write',
  rwatch: 'read',
  awatch: 'access',
};

/** No answer to any other request looks like one. */
export function isStopReply(payload: string): boolean {
  return stopForm.test(payload);
}

export function parseStopReply(payload: string): StopReply {
  const signal = /^[TS]/.test(payload) ? Number.parseInt(payload.slice(1, 3), 16) : 0;
  let reply: StopReply = { signal };
  if (!payload.startsWith('T')) return reply;
  for (const field of payload.slice(3).split(';')) {
    const [name = '', value = ''] = field.split(':', 2);
    const type = ownValue(watchTypes, name);
    if (type && /^[0-9a-f]{1,16}$/i.test(value)) reply = { ...reply, watch: { type, address: BigInt(`0x${value}`) } };
    else if (name === 'thread' && /^p?[0-9a-f.-]{1,32}$/i.test(value)) reply = { ...reply, thread: value };
  }
  return reply;
}
