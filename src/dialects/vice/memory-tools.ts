import { z } from 'zod';
import { hex, hexWord } from '../../formats/hex.ts';
import { MachineError } from '../../machine/errors.ts';
import type { DialectTool } from '../dialect.ts';
import { placeIn } from './memory-banks.ts';
import { type AddressInput, addressInput } from './numbers.ts';
import type { ViceCall } from './vice-call.ts';
import { confirmationToken, viceTool } from './vice-tool.ts';

const addressSpace = 0x10000;
const bank = z
  .string()
  .max(40)
  .default('cpu')
  .describe('cpu, main, rom, io, color_ram, char_rom, kernal_rom, basic_rom, cartridge, drive8 …');
const hexText = z
  .string()
  .min(1)
  .max(3 * addressSpace);
/** Differences that an answer shows. */
const mostShown = 1000;

const read = viceTool({
  name: 'vice.memory.read',
  title: 'Read memory',
  description: 'A range of memory in any bank, as numbers and as hexadecimal text.',
  effect: 'read',
  input: z.strictObject({ address: addressInput, size: z.number().int().min(1).max(addressSpace).default(1), bank }),
  async call({ address, size, bank: name }, call) {
    const first = await call.address(address);
    const bytes = await bytesOf(call, first, size, name);
    const pairs = [...bytes].map((byte) => hex(byte, 2)).join(' ');
    return { address: hexWord(first), size, bank: name, data: [...bytes], hex: pairs };
  },
});

const write = viceTool({
  name: 'vice.memory.write',
  title: 'Write memory',
  description:
    'Bytes ([169, 0], or "A9 00" as data or hex) to memory. Pause first. More than 4 KB has to be confirmed.',
  effect: 'change',
  idempotent: true,
  guard: { whileRunning: 'write memory' },
  input: z.strictObject({
    address: addressInput,
    data: z.union([z.array(z.number().int().min(0).max(255)).min(1).max(addressSpace), hexText]).optional(),
    hex: hexText.optional(),
    bank,
    confirmation_token: confirmationToken,
  }),
  async call({ address, data: numbers, hex: digits, bank: name, confirmation_token }, call) {
    const data = numbers ?? digits;
    if (data === undefined || (numbers !== undefined && digits !== undefined)) {
      throw new MachineError('INVALID_ARGUMENT', 'Which bytes?', 'Give either "data" or "hex".');
    }
    const bytes = typeof data === 'string' ? wholeBytes(data) : Buffer.from(data).toString('hex');
    const first = await call.address(address);
    const place = await placeOf(call, first, 1, name);
    if (/(^|_)rom$/.test(name)) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `${name} cannot be written.`,
        'Use cpu, main, io, color_ram or drive8.',
      );
    }
    const wanted = {
      address: hexWord(place.address),
      bytes,
      confirmation_token,
      ...(place.space && { space: place.space }),
    };
    const { length } = await call.use('memory_write', wanted, { length: z.number() });
    return { address: hexWord(first), size: length, bank: name };
  },
});

const search = viceTool({
  name: 'vice.memory.search',
  title: 'Search memory',
  description: 'Addresses at which a byte pattern lies: "A9 ?? 8D" (?? is any byte), or [169, 0].',
  effect: 'read',
  input: z.strictObject({
    pattern: z.union([z.string().min(1).max(1000), z.array(z.number().int().min(0).max(255)).min(1).max(300)]),
    start: addressInput.default(0),
    end: addressInput.default(addressSpace - 1).describe('The last address that is looked at'),
    max_results: z.number().int().min(1).max(500).default(100),
  }),
  async call({ pattern, start, end, max_results }, call) {
    const [from, to] = [await call.address(start), await call.address(end)];
    if (to < from) {
      throw new MachineError(
        'ADDRESS_OUT_OF_BOUNDS',
        'Invalid address range',
        'The end must not be before the start.',
        {
          requested_address: hexWord(from),
          valid_range: '$0000-$FFFF',
        },
      );
    }
    const bytes = typeof pattern === 'string' ? pattern : Buffer.from(pattern).toString('hex');
    const wanted = { pattern: bytes, from: hexWord(from), length: to - from + 1, limit: max_results };
    const found = { addresses: z.array(z.number()), more: z.boolean() };
    const { addresses, more } = await call.use('memory_search', wanted, found);
    return { matches: addresses.map(hexWord), truncated: more };
  },
});

const compare = viceTool({
  name: 'vice.memory.compare',
  title: 'Compare memory',
  description: 'Where two regions of memory differ.',
  effect: 'read',
  input: z.strictObject({
    address1: addressInput,
    address2: addressInput,
    size: z.number().int().min(1).max(addressSpace),
  }),
  async call({ address1, address2, size }, call) {
    const [first, second] = [await call.bytes(address1, size), await call.bytes(address2, size)];
    const differing = [...first.keys()].filter((offset) => first[offset] !== second[offset]);
    const differences = differing
      .slice(0, mostShown)
      .map((offset) => ({ offset, value1: first[offset], value2: second[offset] }));
    return { differences, total: differing.length };
  },
});

/** "A9 0" may have lost a digit: a pattern to search for needs both as well. */
function wholeBytes(text: string): string {
  const half = text.split(/[\s,:;]+/).find((group) => /^(?:0x|\\x)?[0-9a-f]$/i.test(group));
  if (half === undefined) return text;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `The byte "${half}" has only one digit.`,
    'Write two digits each: "A9 00".',
  );
}

async function placeOf(call: ViceCall, address: number, size: number, name: string) {
  const { spaces } = await call.use('facts_read', {}, { spaces: z.array(z.string()) });
  return placeIn(call.machine.kind, spaces, name, address, size);
}

async function bytesOf(call: ViceCall, address: AddressInput, size: number, name: string): Promise<Uint8Array> {
  const place = await placeOf(call, await call.address(address), size, name);
  return call.bytes(place.address, size, place.space);
}

export const memoryTools: readonly DialectTool[] = [read, write, search, compare];
