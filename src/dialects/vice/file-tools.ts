import { z } from 'zod';
import { hexWord } from '../../formats/hex.ts';
import { MachineError } from '../../machine/errors.ts';
import type { DialectTool } from '../dialect.ts';
import { momentOf } from './moment.ts';

import type { ViceCall } from './vice-call.ts';
import { confirmationToken, viceTool } from './vice-tool.ts';

const path = z.string().min(1).max(4096).describe('Below a path that the server may read');
const unit = z.number().int().min(8).max(11);

const autostart = viceTool({
  name: 'vice.files.autostart',
  title: 'Autostart a file',
  description:
    'Reset, load a PRG, P00, T64, D64, D71, D81, G64, P64, TAP or CRT, or assemble an ASM, and run it ("run":false only loads). Label ' +
    'files, debug files and sources with annotations beside it are loaded too. Answers when the program runs, or says why not.',
  effect: 'destroy',
  openWorld: true,
  input: z.strictObject({
    path,
    index: z.number().int().min(0).max(1000).optional().describe('Which program of a disk or archive, from 0'),
    run: z.boolean().default(true),
  }),
  async call({ path: file, index, run }, call) {
    const address = z.number().optional();
    const shape = {
      firstAddress: address,
      lastAddress: address,
      startAddress: address,
      started: z.boolean().nullish(),
      failure: z.string().nullish(),
      notes: z.array(z.string()),
    };
    const wanted = { path: file, start: run, ...(index !== undefined && { index }) };
    const { firstAddress, lastAddress, startAddress, started, failure, notes } = await call.use(
      'program_autostart',
      wanted,
      shape,
    );
    const strings = z.array(z.string());
    const names = await call.use('symbols_beside', { path: file }, { loaded: strings, notes: strings });
    if (run && (await momentOf(call)).state === 'PAUSED') await call.use('run', { detach: 'real' }, {});
    return {
      path: file,
      started: run && started !== false && typeof failure !== 'string',
      ...(firstAddress !== undefined && { load_address: hexWord(firstAddress) }),
      ...(lastAddress !== undefined && { end_address: hexWord(lastAddress) }),
      ...(startAddress !== undefined && { start_address: hexWord(startAddress) }),
      symbol_files: names.loaded,
      notes: [...notes, ...names.notes],
    };
  },
});

const attachDisk = viceTool({
  name: 'vice.files.attach_disk',
  title: 'Attach a disk image',
  description:
    'Put a disk image into drive 8, 9, 10 or 11. The file itself is not changed; unsaved data of the disk before has to be given up first.',
  effect: 'change',
  openWorld: true,
  input: z.strictObject({
    unit: unit.default(8),
    path,
    read_only: z.boolean().default(false),
    confirmation_token: confirmationToken,
  }),
  async call({ unit: number, path: file, read_only, confirmation_token }, call) {
    const wanted = { slot: `drive${number}`, path: file, readonly: read_only, confirmation_token };
    return { unit: number, path: file, contents: await attach(call, wanted) };
  },
});

const attachTape = viceTool({
  name: 'vice.files.attach_tape',
  title: 'Attach a tape image',
  description: 'Put a tape image (TAP) into the datasette.',
  effect: 'change',
  openWorld: true,
  input: z.strictObject({ path, confirmation_token: confirmationToken }),
  async call({ path: file, confirmation_token }, call) {
    return { path: file, contents: await attach(call, { slot: 'tape', path: file, confirmation_token }) };
  },
});

const attachCartridge = viceTool({
  name: 'vice.files.attach_cartridge',
  title: 'Attach a cartridge image',
  description: 'Plug a cartridge in. This resets the machine.',
  effect: 'change',
  openWorld: true,
  input: z.strictObject({ path, confirmation_token: confirmationToken }),
  async call({ path: file, confirmation_token }, call) {
    return { path: file, contents: await attach(call, { slot: 'cartridge', path: file, confirmation_token }) };
  },
});

const detach = viceTool({
  name: 'vice.files.detach',
  title: 'Detach media',
  description: 'Take out what is in drive 8 to 11, the tape or the cartridge. Unsaved data has to be given up first.',
  effect: 'destroy',
  input: z.strictObject({
    device: z.union([unit, z.string().max(20)]).describe('8 to 11, "tape" or "cartridge"'),
    confirmation_token: confirmationToken,
  }),
  async call({ device, confirmation_token }, call) {
    const wanted = { slot: slotOf(device), confirmation_token };
    const { wasEmpty } = await call.use('media_detach', wanted, { wasEmpty: z.boolean() });
    return { device, detached: !wasEmpty };
  },
});

async function attach(call: ViceCall, wanted: Readonly<Record<string, unknown>>): Promise<string> {
  return (await call.use('media_attach', wanted, { found: z.string() })).found;
}

function slotOf(device: number | string): string {
  const text = String(device).toLowerCase();
  const [, number] = /^(?:drive ?)?(8|9|10|11)$/.exec(text) ?? [];
  if (number !== undefined) return `drive${number}`;
  if (text === 'tape' || text === 'cartridge') return text;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `There is no device ${JSON.stringify(text)}.`,
    'Use 8, 9, 10, 11, "tape" or "cartridge".',
  );
}

export const fileTools: readonly DialectTool[] = [autostart, attachDisk, attachTape, attachCartridge, detach];
