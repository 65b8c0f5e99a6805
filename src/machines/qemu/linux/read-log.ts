import type { LogRecord } from '../../../machine/linux.ts';
import type { Structures } from './structures.ts';

const maxRecords = 20_000;
const maxTextBytes = 2048;
const maxLogBytes = 8 * 1024 * 1024;
const [committed, finalized] = [1n, 2n];

/** The ring of messages that `dmesg` shows, Linux 5.10 and later. */
export async function readLog(s: Structures, ring: bigint): Promise<LogRecord[]> {
  const descriptors = ring + s.offset('printk_ringbuffer', 'desc_ring');
  const texts = ring + s.offset('printk_ringbuffer', 'text_data_ring');
  const countBits = await s.number(descriptors, 4, 'prb_desc_ring', 'count_bits');
  const sizeBits = await s.number(texts, 4, 'prb_data_ring', 'size_bits');
  if (countBits > 26n || sizeBits > 30n) return [];
  const ids = {
    first: await s.number(descriptors, 8, 'prb_desc_ring', 'tail_id'),
    last: await s.number(descriptors, 8, 'prb_desc_ring', 'head_id'),
  };
  const wires: Wires = {
    s,
    countBits,
    sizeBits,
    descs: await s.pointer(descriptors, 'prb_desc_ring', 'descs'),
    infos: await s.pointer(descriptors, 'prb_desc_ring', 'infos'),
    data: await s.pointer(texts, 'prb_data_ring', 'data'),
  };
  const mask = (1n << 62n) - 1n;
  const count = Number((ids.last - ids.first) & mask) + 1;
  const most = Math.min(count, maxRecords, 1 << Number(countBits));
  const records: LogRecord[] = [];
  let bytes = 0;
  for (let n = count - most; n < count && bytes < maxLogBytes; n++) {
    const record = await recordOf(wires, (ids.first + BigInt(n)) & mask);
    if (!record) continue;
    records.push(record);
    bytes += record.text.length;
  }
  return records;
}

interface Wires {
  readonly s: Structures;
  readonly countBits: bigint;
  readonly sizeBits: bigint;
  readonly descs: bigint;
  readonly infos: bigint;
  readonly data: bigint;
}

async function recordOf(
  { s, countBits, sizeBits, descs, infos, data }: Wires,
  id: bigint,
): Promise<LogRecord | undefined> {
  const index = BigInt.asUintN(Number(countBits), id);
  const desc = descs + index * BigInt(s.bytes('prb_desc'));
  const state = await s.number(desc, 8, 'prb_desc', 'state_var');
  const phase = state >> 62n;
  if ((state & ((1n << 62n) - 1n)) !== id || (phase !== committed && phase !== finalized)) return undefined;
  const info = infos + index * BigInt(s.bytes('printk_info'));
  const begin = await s.number(desc, 8, 'prb_desc', 'text_blk_lpos.begin');
  const next = await s.number(desc, 8, 'prb_desc', 'text_blk_lpos.next');
  const length = Math.min(Number(await s.number(info, 2, 'printk_info', 'text_len')), maxTextBytes);
  const flags = await s.number(info, 1, 'printk_info', 'flags');
  const nanoseconds = await s.number(info, 8, 'printk_info', 'ts_nsec');
  return {
    seq: await s.number(info, 8, 'printk_info', 'seq'),
    seconds: Number(nanoseconds) / 1e9,
    // Five bits of flags, three of the level.
    level: Number(flags >> 5n),
    text: await textOf(s, { begin, next, sizeBits, data, length }),
  };
}

interface Block {
  readonly begin: bigint;
  readonly next: bigint;
  readonly sizeBits: bigint;
  readonly data: bigint;
  readonly length: number;
}

/** A text that would not fit before the end of the ring is at its beginning. Odd positions mean that there is none. */
async function textOf({ memory }: Structures, { begin, next, sizeBits, data, length }: Block): Promise<string> {
  if ((begin & 1n) === 1n || length === 0) return '';
  const isWrapped = begin >> sizeBits !== next >> sizeBits && BigInt.asUintN(Number(sizeBits), next) !== 0n;
  const at = isWrapped ? 0n : BigInt.asUintN(Number(sizeBits), begin);
  const bytes = await memory.read(data + at + 8n, length);
  return bytes
    ? Buffer.from(bytes)
        .toString('utf8')
        .replaceAll(/[^\x20-\x7e\n\u{a0}-\u{10ffff}]/gu, '?')
    : '';
}
