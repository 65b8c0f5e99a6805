import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildKernel, kernelFolder } from '../../examples/kernel/build-kernel.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { qemuKind } from '../../src/machines/qemu/qemu-kind.ts';
import { never, patientMs } from '../contract/context.ts';
import { describeMachine } from '../contract/machine.contract.ts';
import { type BootedLinux, bootLinux } from './booted-linux.ts';
import { at, image } from './guests/riscv64.ts';
import { withBootMs } from './linux-guest.ts';

const folder = mkdtempSync(join(tmpdir(), 'fp-contract-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bios = join(folder, 'loop.bin');
writeFileSync(bios, image);

const counter = 0x80001000n;
const builtIn = 'only built-in machines have it';

/** A small kernel of a PC with page tables and debug information, which does what it is told to fail at. */
const kernelThat = (fault: string) => async () => {
  const shape = { memory: 32, gpu: 'none', network: 'none', on_reset: 'pause', paused: true };
  return { ...shape, kernel: buildKernel(), append: fault };
};
const kernelSource = readFileSync(join(kernelFolder, 'kernel.c'), 'utf8').split('\n');
const lineOf = (text: string) => kernelSource.findIndex((each) => each.includes(text)) + 1;

/** With the kernel's symbols, and stopped at the first address of a line. */
async function runTo({ symbols, addresses, control }: Machine, text: string): Promise<void> {
  const kernel = buildKernel();
  await symbols?.load({ name: kernel, bytes: readFileSync(kernel) }, 0n);
  const address = addresses?.resolve?.(`kernel.c:${lineOf(text)}`);
  if (address === undefined) throw new Error(`no address of ${text}`);
  expect(await control?.run({ address, wallMs: patientMs }, never)).toMatchObject({ cause: 'breakpoint' });
}

/** Booted once; every machine of these scenes goes on from there. */
let linux: BootedLinux;
beforeAll(async () => {
  linux = await bootLinux();
}, withBootMs);
afterAll(() => linux?.[Symbol.asyncDispose]());

describeMachine({
  kind: qemuKind,
  options: async () => ({
    arch: 'riscv64',
    memory: 16,
    bios,
    paused: true,
    gpu: 'on',
    network: 'isolated',
    guest_agent: true,
  }),
  deaf: 'this guest has no driver for a keyboard',
  medium: { name: 'some.img', bytes: new Uint8Array(1024 * 1024).fill(7), readOnly: false },
  symbolFile: (name, address) => `${address.toString(16).padStart(16, '0')} T ${name}`,
  monitorShows: [
    {
      language: 'qmp',
      command: 'query-status',
      answer: /"running": ?false/,
      refuses: ['savevm', 'dumpdtb', 'frobnicate', ''],
    },
    {
      language: 'hmp',
      command: 'info status',
      answer: /paused/,
      refuses: ['savevm x', 'dumpdtb /tmp/x', 'frobnicate', ''],
    },
    { language: 'log', command: 'tail', answer: /^/, refuses: ['frobnicate'] },
  ],
  scenes: {
    paged: {
      options: kernelThat('null'),
      async arrive(machine) {
        await runTo(machine, 'struct task *found = find_task(7);');
        return { mapped: 0x100123n, physical: 0x100123n, unmapped: 0x7f00_0000_0000n };
      },
    },
    faulted: {
      options: kernelThat('division'),
      async arrive(machine) {
        await runTo(machine, 'print("PANIC');
        return { exception: /division/i, summary: /divided by zero/, function: 'average' };
      },
    },
    inFunction: {
      options: kernelThat('null'),
      async arrive(machine) {
        await runTo(machine, 'if (each->id == id) return each;');
        return {
          function: 'find_task',
          file: 'kernel.c',
          line: lineOf('if (each->id == id) return each;'),
          argument: { name: 'id', value: 7n },
          pointer: { name: 'each', members: ['id', 'name', 'ticks', 'next'] },
          callers: 'found',
        };
      },
    },
    linux: {
      options: async () => ({ from_snapshot: linux.folder, paused: true }),
      arrive: async () => linux.kernel,
    },
    agent: {
      options: async () => ({ from_snapshot: linux.folder }),
      async arrive({ guestAgent }) {
        // Its channel is open a moment after the machine runs.
        await expect.poll(() => guestAgent?.about().catch(String), { timeout: patientMs }).toHaveProperty('version');
        return linux.agent;
      },
    },
  },
  keepsMedia: 'this guest has no driver that would let go of a disk',
  anyMedium: 'any file is a disk of raw sectors',
  async bench({ control }) {
    await control?.run({ address: at.outer, wallMs: patientMs }, never);
    return {
      call: at.outer,
      inside: at.level1,
      afterCall: at.after_level1,
      unwinds: false,
      written: counter,
      read: counter + 0x40n,
      register: 's11',
      stops: {
        exec: { address: at.count_store },
        hardware: { address: at.count_store },
        read: { address: counter + 8n, length: 8 },
        write: { address: counter, length: 8 },
        access: { address: counter, length: 8 },
        change: { address: counter, length: 8 },
      },
    };
  },
  lacks: {
    joystick: 'guests have USB and serial devices, and QEMU no joystick',
    paddles: 'QEMU has none',
    lightPen: 'QEMU has none',
    program: 'a guest loads its own: kernel, disk or file_put',
    cycles: 'QEMU counts none',
    audio: 'sound of guests is not taken',
    functions: builtIn,
    graph: builtIn,
    names: 'names come from the files of symbols_load',
    callLog: builtIn,
    trace: builtIn,
    configuration: 'QEMU adds and removes devices, which are media and cards here',
    annotations: 'the files of symbols_load have none for guests',
    moments: builtIn,
    frameTrace: builtIn,
    profile: builtIn,
    busTrace: builtIn,
    routines: builtIn,
    past: builtIn,
    film: builtIn,
    twin: 'there is no guest of ours that does the same',
    'control.rewind': 'this one is not recorded',
    'control.frames': 'a virtual machine runs in real time',
    'control.runFreely': 'it always does',
    'memory.freeze': builtIn,
    'snapshots.peek': 'QEMU can only load a state',
    'snapshots.pack': 'a snapshot is a folder (snapshot_dir), which QEMU itself reads',
  },
});
