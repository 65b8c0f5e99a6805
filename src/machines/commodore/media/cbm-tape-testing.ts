/** Pulses as the KERNAL writes them, in units of eight cycles. */
const short = 0x30;
const medium = 0x42;
const long = 0x56;

/** A TAP image with one program on it, recorded as SAVE does: a header, then the data, each of them twice. */
export function tapOf(name: string, address: number, body: Uint8Array): Uint8Array {
  const end = address + body.length;
  const header = new Uint8Array(192).fill(0x20);
  header.set([1, address & 255, address >> 8, end & 255, end >> 8]);
  header.set(
    Array.from(name, (character) => character.charCodeAt(0)),
    5,
  );
  return tapFile([...block(header, 0x6a00 / 4), ...block(body, 0x1a00)]);
}

/** A TAP image (version 1) of these bytes. */
export function tapFile(data: readonly number[]): Uint8Array {
  const file = new Uint8Array(20 + data.length);
  file.set(Array.from('C64-TAPE-RAW', (character) => character.charCodeAt(0)));
  file[12] = 1;
  new DataView(file.buffer).setUint32(16, data.length, true);
  file.set(data, 20);
  return file;
}

function block(bytes: Uint8Array, leader: number): number[] {
  return [...copy(bytes, leader, 0x80), ...copy(bytes, 0x4f, 0), ...new Array<number>(0x4e).fill(short)];
}

function copy(bytes: Uint8Array, leader: number, flag: number): number[] {
  const countdown = [9, 8, 7, 6, 5, 4, 3, 2, 1].map((number) => number | flag);
  const sum = bytes.reduce((each, byte) => each ^ byte, 0);
  const pulses = new Array<number>(leader).fill(short);
  for (const byte of [...countdown, ...bytes, sum]) pulses.push(...encoded(byte));
  return [...pulses, long, short];
}

function encoded(byte: number): number[] {
  const pulses = [long, medium];
  let parity = 1;
  for (let bit = 0; bit < 8; bit++) {
    const value = (byte >> bit) & 1;
    parity ^= value;
    pulses.push(...(value ? [medium, short] : [short, medium]));
  }
  return [...pulses, ...(parity ? [medium, short] : [short, medium])];
}
