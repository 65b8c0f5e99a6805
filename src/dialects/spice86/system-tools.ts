import { z } from 'zod';
import type { Caller, ToolHost } from '../../api/tool-host.ts';
import { type DialectTool, defineDialectTool } from '../dialect.ts';
import { changes, hexBytes, nothing, partNumbers, partState, reads, writePart } from './chip-calls.ts';
import { definePausingTool, dosMachine, executionError, use } from './dos-machine.ts';

const pageBytes = 0x4000;
const frameLinear = 0xe0000;
const mostBytes = 4096;
const driveLetter = z.string().regex(/^[a-z]:?$/i, 'a letter');
const handle = z.number().int().min(0).max(0xffff);
const offset = z.number().int().min(0).max(0xffffffff);
const length = z.number().int().min(1).max(mostBytes);
const limit = z.number().int().min(1).max(500).default(100);
const pattern = z.string().max(2000);
const search = { pattern, length: z.number().int().min(0).default(0), limit } as const;
const idempotent = { ...changes, idempotentHint: true } as const;
const numberOfLetter = (letter: string) => letter.toUpperCase().charCodeAt(0) - 0x41;

const readBiosData = defineDialectTool({
  name: 'read_bios_data_area',
  title: 'Read the BIOS data area',
  description: 'Its words, by name.',
  annotations: reads,
  input: nothing,
  call: (_input, host, caller) => partState(host, caller, { chip: 'bios', part: 'data' }),
});

const readDos = defineDialectTool({
  name: 'read_dos_state',
  title: 'Read the state of DOS',
  description: 'Version, drives, current drive and directory, running program, last error.',
  annotations: reads,
  input: nothing,
  call: (_input, host, caller) => partState(host, caller, { chip: 'dos', part: 'state' }),
});

const readDirectory = defineDialectTool({
  name: 'read_dos_current_directory',
  title: 'Read the current directory',
  description: 'Of a drive.',
  annotations: reads,
  input: z.strictObject({ driveLetter }),
  call: ({ driveLetter: letter }, host, caller) => currentDirectory(host, caller, letter),
});

const setDirectory = definePausingTool({
  name: 'dos_set_current_directory',
  title: 'Change the current directory',
  description: 'Of the drive that the path names, or of the current one.',
  annotations: idempotent,
  input: z.strictObject({ path: z.string().min(1).max(120) }),
  async call({ path }, host, caller) {
    const { driveLetter: current } = await partState(host, caller, { chip: 'dos', part: 'state' });
    const letter = /^([a-z]):/i.exec(path)?.[1] ?? String(current ?? 'C');
    await writePart(host, caller, { chip: 'dos', part: 'directory', index: numberOfLetter(letter) }, path);
    const { currentDirectory: now } = await currentDirectory(host, caller, letter);
    const wanted = path
      .replace(/^[a-z]:/i, '')
      .replaceAll('/', '\\')
      .replace(/\\$/, '')
      .toUpperCase();
    const isThere = wanted.includes('.') || now.slice(2).replace(/\\$/, '').endsWith(wanted);
    if (!isThere) throw executionError(`there is no directory ${path}; it is still ${now}.`);
    return { success: true, currentDirectory: now };
  },
});

const readProgram = defineDialectTool({
  name: 'read_dos_program_state',
  title: 'Read the running program',
  description: 'Its PSP, parent, path, arguments, environment and open files.',
  annotations: reads,
  input: nothing,
  call: (_input, host, caller) => partState(host, caller, { chip: 'dos', part: 'processes' }),
});

const setDrive = definePausingTool({
  name: 'dos_set_default_drive',
  title: 'Change the current drive',
  description: 'By its letter.',
  annotations: idempotent,
  input: z.strictObject({ driveLetter }),
  async call({ driveLetter: letter }, host, caller) {
    await writePart(host, caller, { chip: 'dos', part: 'state' }, { drive: numberOfLetter(letter) });
    return { success: true, driveLetter: letter.slice(0, 1).toUpperCase() };
  },
});

const readEms = defineDialectTool({
  name: 'read_ems_state',
  title: 'Read expanded memory’s state',
  description: 'Pages, handles and what the page frame shows.',
  annotations: reads,
  input: nothing,
  call: (_input, host, caller) => partState(host, caller, { chip: 'ems', part: 'handles' }),
});

const readEmsFrame = defineDialectTool({
  name: 'read_ems_page_frame',
  title: 'Read the page frame',
  description: 'Bytes of one of its four physical pages.',
  annotations: reads,
  input: z.strictObject({ physicalPage: z.number().int().min(0).max(3), offset, length }),
  async call({ physicalPage, offset: from, length: count }, host, caller) {
    if (from + count > pageBytes) throw executionError(`a page has ${pageBytes} bytes.`);
    const address = frameLinear + physicalPage * pageBytes + from;
    const { bytes } = await use(host, caller, 'memory_peek', { address, length: count }, { bytes: z.string() });
    return { physicalPage, offset: from, length: count, data: bytes };
  },
});

const readEmsMemory = defineDialectTool({
  name: 'read_ems_memory',
  title: 'Read expanded memory',
  description: 'Bytes of a handle’s logical page, mapped or not.',
  annotations: reads,
  input: z.strictObject({ handle, logicalPage: handle, offset, length }),
  async call({ handle: wanted, logicalPage, offset: from, length: count }, host, caller) {
    const data = await spaceBytes(host, caller, `ems${wanted}`, logicalPage * pageBytes + from, count);
    return { handle: wanted, logicalPage, offset: from, length: count, data };
  },
});

const searchEms = defineDialectTool({
  name: 'search_ems_memory',
  title: 'Search expanded memory',
  description:
    'For hexadecimal bytes (?? for any) in a handle’s pages, from a logical page on; 0 as length is up to the end.',
  annotations: reads,
  input: z.strictObject({ handle, logicalPage: handle, startOffset: offset.default(0), ...search }),
  async call({ handle: wanted, logicalPage, startOffset, ...rest }, host, caller) {
    const from = logicalPage * pageBytes + startOffset;
    const { addresses, truncated } = await found(host, caller, `ems${wanted}`, from, rest);
    const matches = addresses.map((at) => ({ logicalPage: Math.floor(at / pageBytes), offset: at % pageBytes }));
    return { handle: wanted, matches, truncated };
  },
});

const readXms = defineDialectTool({
  name: 'read_xms_state',
  title: 'Read extended memory’s state',
  description: 'Blocks with their handles, A20, high memory.',
  annotations: reads,
  input: nothing,
  call: (_input, host, caller) => partState(host, caller, { chip: 'xms', part: 'handles' }),
});

const readXmsMemory = defineDialectTool({
  name: 'read_xms_memory',
  title: 'Read extended memory',
  description: 'Bytes of a handle’s block.',
  annotations: reads,
  input: z.strictObject({ handle, offset, length }),
  async call({ handle: wanted, offset: from, length: count }, host, caller) {
    const data = await spaceBytes(host, caller, `xms${wanted}`, from, count);
    return { handle: wanted, offset: from, length: count, data };
  },
});

const searchXms = defineDialectTool({
  name: 'search_xms_memory',
  title: 'Search extended memory',
  description: 'For hexadecimal bytes (?? for any) in a handle’s block; 0 as length is up to its end.',
  annotations: reads,
  input: z.strictObject({ handle, startOffset: offset.default(0), ...search }),
  async call({ handle: wanted, startOffset, ...rest }, host, caller) {
    const { addresses, truncated } = await found(host, caller, `xms${wanted}`, startOffset, rest);
    return { handle: wanted, matches: addresses, truncated };
  },
});

const sendPacket = defineDialectTool({
  name: 'send_mouse_packet',
  title: 'Send a mouse packet',
  description:
    'Three bytes of a PS/2 mouse as hexadecimal text: buttons and signs, movement to the right, movement up.',
  annotations: changes,
  input: z.strictObject({ packetData: z.string().max(40) }),
  async call({ packetData }, host, caller) {
    const [flags = 0, right = 0, up = 0] = hexBytes(packetData, 3);
    const moved = { dx: right - ((flags & 0x10) << 4), dy: ((flags & 0x20) << 3) - up };
    for (const [bit, button] of [
      [1, 'left'],
      [2, 'right'],
      [4, 'middle'],
    ] as const) {
      await use(host, caller, 'button_set', { button, pressed: (flags & bit) !== 0 }, {});
    }
    await use(host, caller, 'pointer_move', moved, {});
    return { success: true, ...moved, buttons: flags & 7 };
  },
});

const about = defineDialectTool({
  name: 'mcp_about',
  title: 'About this server',
  description: 'What it is, and the machine it runs.',
  annotations: reads,
  input: nothing,
  async call(_input, host) {
    const machine = dosMachine(host);
    return {
      server: 'frontpanel',
      dialect: 'spice86',
      machine: machine?.handle ?? null,
      description: 'A DOS PC with the tool names of Spice86; answers are ours.',
    };
  },
});

async function currentDirectory(host: ToolHost, caller: Caller, letter: string) {
  const index = numberOfLetter(letter);
  const { path } = await partNumbers(host, caller, { chip: 'dos', part: 'directory', index });
  if (typeof path !== 'string') throw executionError(`there is no drive ${letter.slice(0, 1).toUpperCase()}:.`);
  return { driveLetter: letter.slice(0, 1).toUpperCase(), currentDirectory: path };
}

async function spaceBytes(host: ToolHost, caller: Caller, space: string, from: number, count: number): Promise<string> {
  const wanted = { space, address: `0x${from.toString(16)}`, length: count };
  const { bytes } = await use(host, caller, 'memory_read', wanted, { bytes: z.string() });
  return bytes.toUpperCase();
}

async function found(
  host: ToolHost,
  caller: Caller,
  space: string,
  from: number,
  wanted: { readonly pattern: string; readonly length: number; readonly limit: number },
): Promise<{ readonly addresses: readonly number[]; readonly truncated: unknown }> {
  const spaced = wanted.pattern.replaceAll(/\s/g, '').match(/../g)?.join(' ') ?? wanted.pattern;
  const range = wanted.length === 0 ? {} : { length: wanted.length };
  const asked = { space, from: `0x${from.toString(16)}`, pattern: spaced, limit: wanted.limit, ...range };
  const shape = { addresses: z.array(z.number()), more: z.unknown() };
  const { addresses, more } = await use(host, caller, 'memory_search', asked, shape);
  return { addresses, truncated: more };
}

/** BIOS, DOS and the memories beyond the first. */
export const systemTools: readonly DialectTool[] = [
  about,
  sendPacket,
  readBiosData,
  readDos,
  readDirectory,
  setDirectory,
  readProgram,
  setDrive,
  readEms,
  readEmsFrame,
  readEmsMemory,
  searchEms,
  readXms,
  readXmsMemory,
  searchXms,
];
