/** What both ends of VICE's binary monitor have to know: numbers, and how messages are written. */

/** The byte with which every message begins. */
export const startByte = 0x02;
export const apiVersion = 2;
/** That of VICE 3.5, which overlooks messages of any other; later ones understand it too. */
export const oldestApiVersion = 1;
export const commandHeader = 11;
export const responseHeader = 12;
/** The request id of what nobody asked for. */
export const eventId = 0xffff_ffff;

export const commands = {
  memoryGet: 0x01,
  memorySet: 0x02,
  checkpointSet: 0x12,
  checkpointDelete: 0x13,
  checkpointToggle: 0x15,
  conditionSet: 0x22,
  registersGet: 0x31,
  registersSet: 0x32,
  dump: 0x41,
  undump: 0x42,
  resourceGet: 0x51,
  resourceSet: 0x52,
  advance: 0x71,
  keyboardFeed: 0x72,
  ping: 0x81,
  banksAvailable: 0x82,
  registersAvailable: 0x83,
  displayGet: 0x84,
  info: 0x85,
  paletteGet: 0x91,
  joyportSet: 0xa2,
  exit: 0xaa,
  quit: 0xbb,
  reset: 0xcc,
  autostart: 0xdd,
} as const;

export const events = { checkpoint: 0x11, registers: 0x31, jam: 0x61, stopped: 0x62, resumed: 0x63 } as const;

/** One bit for each thing that a checkpoint watches for. */
export const operations = { read: 1, write: 2, exec: 4 } as const;

export const failure = {
  missing: 0x01,
  memspace: 0x02,
  length: 0x80,
  parameter: 0x81,
  version: 0x82,
  command: 0x83,
  failed: 0x8f,
} as const;

export function encodeCommand(type: number, id: number, body: Uint8Array, version: number = apiVersion): Buffer {
  const head = Buffer.alloc(commandHeader);
  head.set([startByte, version]);
  head.writeUInt32LE(body.length, 2);
  head.writeUInt32LE(id, 6);
  head[10] = type;
  return Buffer.concat([head, body]);
}

export function encodeResponse(type: number, id: number, body: Uint8Array, error = 0): Buffer {
  const head = Buffer.alloc(responseHeader);
  head.set([startByte, apiVersion]);
  head.writeUInt32LE(body.length, 2);
  head.set([type, error], 6);
  head.writeUInt32LE(id, 8);
  return Buffer.concat([head, body]);
}

export function u16(value: number): number[] {
  return [value & 255, (value >> 8) & 255];
}

export function u32(value: number): number[] {
  return [...u16(value), ...u16(value >>> 16)];
}

/** Text with its length before it, which is a byte. */
export function text(value: string): number[] {
  return counted(Buffer.from(value, 'latin1'), 'A text');
}

/** The name of a file, as the computer has it. */
export function pathText(path: string): number[] {
  return counted(Buffer.from(path), 'The path of a file');
}

function counted(bytes: Uint8Array, what: string): number[] {
  if (bytes.length > 255) throw new RangeError(`${what} for VICE's monitor has ${bytes.length} bytes; it takes 255.`);
  return [bytes.length, ...bytes];
}

/** Items with their lengths before them, and their number before all. */
export function items(all: readonly (readonly number[])[]): Buffer {
  return Buffer.from([...u16(all.length), ...all.flatMap((each) => [each.length, ...each])]);
}

/** The same read again; what does not fit is left out. */
export function* itemsIn(body: Buffer): Generator<Buffer> {
  let at = 2;
  for (let left = body.length < 2 ? 0 : body.readUInt16LE(0); left > 0 && at < body.length; left--) {
    const end = at + 1 + (body[at] ?? 0);
    if (end > body.length) return;
    yield body.subarray(at + 1, end);
    at = end;
  }
}
