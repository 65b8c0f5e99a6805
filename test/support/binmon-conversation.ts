import { type BinmonClient, type BinmonMessage, counted, le16, le32 } from './binmon-client.ts';

interface Step {
  readonly name: string;
  readonly type: number;
  readonly body?: readonly number[];
  /** What follows: the machine comes to a stop. */
  readonly stops?: boolean;
}

const memory = (start: number, end: number, memspace = 0, bank = 0) => [
  0,
  ...le16(start, end),
  memspace,
  ...le16(bank),
];
const checkpoint = (
  start: number,
  end: number,
  stop: number,
  enabled: number,
  operation: number,
  temporary: number,
) => [...le16(start, end), stop, enabled, operation, temporary];
const registers = (...pairs: readonly (readonly [number, number])[]) => [
  0,
  ...le16(pairs.length),
  ...pairs.flatMap(([id, value]) => [3, id, ...le16(value)]),
];
const [a, x, y, pc, sp, flags] = [0, 1, 2, 3, 4, 5];
const start = registers([pc, 0xc000], [a, 1], [x, 2], [y, 3], [sp, 0xf0], [flags, 0x24]);

/** STX $D020, JSR $C009, JMP $C000; $C009: INX, NOP, RTS. VICE 3.7.1 may carry an instruction out twice at which it stopped: these may be. */
const program = [0x8e, 0x20, 0xd0, 0x20, 0x09, 0xc0, 0x4c, 0x00, 0xc0, 0xe8, 0xea, 0x60];

/**
 * Commands that a real VICE and our server must answer in the same way. Interrupts are off, so that nothing depends on the
 * moment at which the machine was stopped; where the beam is is not compared.
 */
export const conversation: readonly Step[] = [
  { name: 'ping', type: 0x81 },
  { name: 'program', type: 0x02, body: [...memory(0xc000, 0xc000 + program.length - 1), ...program] },
  { name: 'registers set', type: 0x32, body: start },
  { name: 'registers get', type: 0x31, body: [0] },
  { name: 'registers of no memspace', type: 0x31, body: [7] },
  { name: 'registers without memspace', type: 0x31 },
  { name: 'no such register', type: 0x32, body: registers([99, 1]) },
  { name: 'registers available', type: 0x83, body: [0] },
  { name: 'registers available in a drive', type: 0x83, body: [1] },
  { name: 'registers available in no memspace', type: 0x83, body: [5] },
  { name: 'VICE info', type: 0x85 },
  { name: 'memory get', type: 0x01, body: memory(0xc000, 0xc00b) },
  { name: 'memory get from RAM', type: 0x01, body: memory(0xc000, 0xc000, 0, 1) },
  { name: 'memory get, end before start', type: 0x01, body: memory(5, 2) },
  { name: 'memory get, too short', type: 0x01, body: [0, 0] },
  { name: 'memory get from no bank', type: 0x01, body: memory(5, 7, 0, 99) },
  { name: 'memory get from no memspace', type: 0x01, body: memory(5, 7, 9, 0) },
  { name: 'memory set, too short', type: 0x02, body: memory(5, 7) },
  { name: 'memory set in RAM below ROM', type: 0x02, body: [...memory(0xa000, 0xa001, 0, 1), 0x12, 0x34] },
  { name: 'memory get from RAM below ROM', type: 0x01, body: memory(0xa000, 0xa001, 0, 1) },
  { name: 'checkpoint set', type: 0x12, body: checkpoint(0xc003, 0xc003, 1, 1, 4, 0) },
  { name: 'checkpoint get', type: 0x11, body: le32(1) },
  { name: 'checkpoint in no memspace', type: 0x12, body: [...checkpoint(1, 2, 1, 1, 4, 0), 9] },
  { name: 'checkpoint, too short', type: 0x12, body: [1, 2, 3] },
  { name: 'no such checkpoint', type: 0x11, body: le32(99) },
  { name: 'second checkpoint, off', type: 0x12, body: checkpoint(0xd020, 0xd020, 1, 0, 2, 0) },
  { name: 'checkpoint list', type: 0x14 },
  { name: 'run to the checkpoint', type: 0xaa, stops: true },
  { name: 'its hits', type: 0x11, body: le32(1) },
  { name: 'step', type: 0x71, body: [0, ...le16(1)], stops: true },
  { name: 'three steps', type: 0x71, body: [0, ...le16(2)], stops: true },
  { name: 'until return', type: 0x73, stops: true },
  { name: 'run to the checkpoint again', type: 0xaa, stops: true },
  { name: 'step over', type: 0x71, body: [1, ...le16(1)], stops: true },
  { name: 'checkpoint off', type: 0x15, body: [...le32(1), 0] },
  { name: 'no checkpoint to toggle', type: 0x15, body: [...le32(99), 0] },
  { name: 'watch on', type: 0x15, body: [...le32(2), 1] },
  { name: 'run to the write', type: 0xaa, stops: true },
  { name: 'condition', type: 0x22, body: [...le32(2), ...counted('(X == $10) && (A == 1)')] },
  { name: 'condition that is none', type: 0x22, body: [...le32(2), ...counted('$$$$')] },
  { name: 'condition of no checkpoint', type: 0x22, body: [...le32(77), ...counted('A == 1')] },
  { name: 'run to the condition', type: 0xaa, stops: true },
  {
    name: 'condition with memory and no precedence',
    type: 0x22,
    body: [...le32(2), ...counted('@ram:$c000 == $8e && X == 1')],
  },
  { name: 'run to that', type: 0xaa, stops: true },
  { name: 'delete', type: 0x13, body: le32(2) },
  { name: 'delete again', type: 0x13, body: le32(2) },
  { name: 'checkpoint list with one', type: 0x14 },
  { name: 'delete the other', type: 0x13, body: le32(1) },
  { name: 'checkpoint list of none', type: 0x14 },
  { name: 'resource', type: 0x51, body: counted('Speed') },
  { name: 'no resource', type: 0x51, body: counted('Spxxx') },
  { name: 'resource set', type: 0x52, body: [1, ...counted('Speed'), 4, ...le32(100)] },
  { name: 'resource set as text', type: 0x52, body: [0, ...counted('Speed'), ...counted('100')] },
  { name: 'number for no resource', type: 0x52, body: [1, ...counted('Spxxx'), 1, 1] },
  { name: 'text for no resource', type: 0x52, body: [0, ...counted('Spxxx'), ...counted('1')] },
  { name: 'resource of no type', type: 0x52, body: [7, ...counted('Speed'), 1, 1] },
  { name: 'display in no format', type: 0x84, body: [1, 5] },
  { name: 'display, too short', type: 0x84, body: [1] },
  { name: 'keyboard feed, too short', type: 0x72, body: [5, 0x3f] },
  { name: 'joyport', type: 0xa2, body: le16(0, 0xff) },
  { name: 'joyport that is not there', type: 0xa2, body: le16(9, 5) },
  { name: 'userport', type: 0xb2, body: le16(255) },
  { name: 'history, which 3.7.1 has not', type: 0x86, body: [0, ...le32(10)] },
  { name: 'no command', type: 0x99 },
  { name: 'dump to no folder', type: 0x41, body: [0, 0, ...counted('/no/such/folder/x')] },
  { name: 'undump of no file', type: 0x42, body: counted('/no/such/folder/x') },
];

/** What each command was answered with, and what was told unasked meanwhile, in words that can be compared. */
export async function converse(client: BinmonClient): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { name, type, body = [], stops } of conversation) {
    const messages = await client.asked(type, body);
    if (stops) {
      const rest = await client.event(0x62).catch((error: Error) => {
        throw new Error(`${name}: ${error.message}`);
      });
      messages.push(...rest);
    }
    for (const message of messages) lines.push(`${name}: ${show(message, name === 'ping')}`);
  }
  return lines;
}

/** `isAnywhere`: the machine was stopped at a place of its own. */
function show({ type, error, isEvent, body }: BinmonMessage, isAnywhere: boolean): string {
  const head = `${isEvent ? 'event' : 'answer'} ${type.toString(16)} error ${error.toString(16)} length ${body.length}`;
  if (isAnywhere) return head;
  return `${head} ${(type === 0x31 ? withoutBeam(body) : body).toString('hex')}`;
}

function withoutBeam(body: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 2; at < body.length; at += 1 + (body[at] ?? 0)) {
    if (body[at + 1] !== 0x35 && body[at + 1] !== 0x36) kept.push(body.subarray(at, at + 4));
  }
  return Buffer.concat(kept);
}
