import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { qemuKind } from '../../src/machines/qemu/qemu-kind.ts';
import { never, patientMs } from '../contract/context.ts';
import { describeMachine } from '../contract/machine.contract.ts';
import { at, image } from './guests/riscv64.ts';

const folder = mkdtempSync(join(tmpdir(), 'fp-contract-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bios = join(folder, 'loop.bin');
writeFileSync(bios, image);

const counter = 0x80001000n;
const builtIn = 'only built-in machines have it';

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
    'symbols.unload': 'names and types of all files of a guest are one index',
    'snapshots.peek': 'QEMU can only load a state',
    'snapshots.pack': 'a snapshot is a folder (snapshot_dir), which QEMU itself reads',
  },
});
