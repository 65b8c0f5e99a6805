import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AllowedFiles } from '../src/host/files/allowed-files.ts';
import { openPolicy } from '../src/host/policy/open-policy-testing.ts';
import type { Machine, MachineWith } from '../src/machine/machine.ts';
import type { Rack } from '../src/rack/rack.ts';
import { atMost, type Bench, type Row } from './harness/bench.ts';
import { built } from './harness/built.ts';
import { timedMs } from './harness/clock.ts';
import { median, ratio } from './harness/statistics.ts';
import { RawQemu } from './qemu/raw-qemu.ts';

const { qemuKind }: typeof import('../src/machines/qemu/qemu-kind.ts') = await built('machines/qemu/qemu-kind.js');
const racks: typeof import('../src/rack/rack.ts') = await built('rack/rack.js');

const firmware = '/usr/lib/u-boot/qemu-x86/u-boot.rom';
const rounds = 7;
const memoryBytes = 256 * 1024;
const memoryAddress = 0x100000;
const chunkBytes = 2048;
const reads = 2000;
const steps = 300;
const target = 1.3;

type Vm = Pick<
  MachineWith<'control' | 'cpu' | 'memory' | 'screen' | 'snapshots'>,
  'control' | 'cpu' | 'memory' | 'screen' | 'snapshots'
>;

interface Pair {
  readonly what: string;
  readonly ours: () => Promise<unknown>;
  readonly raw: () => Promise<unknown>;
  readonly show?: (ms: number) => string;
}

export const qemuBench: Bench = {
  summary: 'QEMU: what a capability of the machine costs, against the bare QMP and gdb round trips in the same rounds.',
  async run(progress) {
    const folder = mkdtempSync(join(tmpdir(), 'fpb-'));
    const rack = rackIn(folder);
    try {
      progress('start …');
      const rows: Row[] = [await starts(rack)];
      const { machine } = await rack.start('qemu', options);
      const vm = complete(machine);
      await using raw = await RawQemu.start('qemu-system-i386', rawArguments(folder));
      await Promise.all([booted(vm), boot(raw)]);
      for (const pair of pairs(vm, raw)) {
        progress(`${pair.what} …`);
        rows.push(await compare(pair));
      }
      return [
        {
          title: 'The price of a capability',
          rows,
          notes: [
            `U-Boot on i386 with a 1024x768 display, stopped; ${rounds} rounds, the two sides taking turns.`,
            'The bare side sends one packet, waits for the answer and decodes nothing; ours are the calls that tools make, ' +
              'with queueing, checks and decoding. It is not MCP.',
          ],
        },
      ];
    } finally {
      await rack.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const options = { arch: 'i386', memory: 64, bios: firmware, gpu: 'std' };

function rawArguments(folder: string): readonly string[] {
  const state = join(folder, 'raw.qcow2');
  execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', state, '64M']);
  const disk = `driver=qcow2,node-name=vmstate,file.driver=file,file.filename=${state}`;
  return ['-m', '64', '-bios', firmware, '-vga', 'std', '-blockdev', disk, '-device', 'ide-hd,drive=vmstate'];
}

async function starts(rack: Rack): Promise<Row> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    let handle = '';
    ours.push(
      await timedMs(async () => {
        ({ handle } = await rack.start('qemu', options));
      }),
    );
    await rack.stop(handle, 'measured');
    const raw = await RawQemu.start('qemu-system-i386', ['-m', '64', '-bios', firmware, '-vga', 'std']);
    bare.push(raw.startMs);
    await raw[Symbol.asyncDispose]();
  }
  return row('start to first controllable moment', ours, bare, milliseconds);
}

function pairs(vm: Vm, raw: RawQemu): readonly Pair[] {
  const signal = new AbortController().signal;
  const perSecond = (count: number) => (ms: number) => `${Math.round((count / ms) * 1000).toLocaleString('en-US')} /s`;
  return [
    { what: 'screenshot', ours: () => shoot(vm), raw: () => raw.screenshot() },
    {
      what: `registers, ${reads} times`,
      ours: () => repeated(reads, () => vm.cpu.registers()),
      raw: () => repeated(reads, () => raw.gdb('g')),
      show: perSecond(reads),
    },
    {
      what: `memory, ${memoryBytes / 1024} KiB`,
      ours: () => vm.memory.peek('virtual', BigInt(memoryAddress), memoryBytes),
      raw: async () => {
        for (let at = 0; at < memoryBytes; at += chunkBytes) {
          await raw.gdb(`m${(memoryAddress + at).toString(16)},${chunkBytes.toString(16)}`);
        }
      },
      show: (ms) => `${(((memoryBytes / ms) * 1000) / 1e6).toFixed(1)} MB/s`,
    },
    {
      what: `${steps} steps`,
      ours: () => vm.control.step({ kind: 'into', count: steps, back: false, wallMs: 20_000 }, signal),
      raw: () => repeated(steps, () => raw.gdb('vCont;s')),
      show: perSecond(steps),
    },
    {
      what: 'snapshot save',
      ours: () => vm.snapshots.save('bench'),
      raw: () => raw.hmp('savevm bench'),
    },
    {
      what: 'snapshot restore',
      ours: () => vm.snapshots.restore('bench'),
      raw: () => raw.hmp('loadvm bench'),
    },
  ];
}

async function repeated(times: number, action: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time++) await action();
}

async function shoot({ screen }: Vm): Promise<void> {
  const shot = await screen.png?.();
  if (!shot || shot.png.length < 100) throw new Error('no picture');
}

async function compare({ what, ours, raw, show = milliseconds }: Pair): Promise<Row> {
  const measured: number[] = [];
  const bare: number[] = [];
  await ours();
  await raw();
  for (let round = 0; round < rounds; round++) {
    measured.push(await timedMs(ours));
    bare.push(await timedMs(raw));
  }
  return row(what, measured, bare, show);
}

function row(what: string, ours: readonly number[], bare: readonly number[], show: (ms: number) => string): Row {
  const times = ratio(ours, bare);
  return {
    what,
    ratio: times.toFixed(2),
    measured: show(median(ours)),
    best: show(Math.min(...ours)),
    reference: show(median(bare)),
    target: atMost(times, target, `≤ ${target}x`),
  };
}

function milliseconds(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
}

async function booted(vm: Vm): Promise<void> {
  await vm.control.run({ wallMs: 4000 }, new AbortController().signal);
  await vm.control.pause();
}

async function boot(raw: RawQemu): Promise<void> {
  await raw.qmp('cont');
  await new Promise((resolve) => setTimeout(resolve, 4000));
  await raw.qmp('stop');
}

function complete(machine: Machine): Vm {
  const { control, cpu, memory, screen, snapshots } = machine;
  if (!control || !cpu || !memory || !screen || !snapshots) throw new Error('the machine lacks something');
  return { control, cpu, memory, screen, snapshots };
}

function rackIn(folder: string): Rack {
  return new racks.Rack(
    [qemuKind],
    {
      runtimeDir: folder,
      settings: {
        terminal: 'auto',
        serialLinks: false,
        allowCommands: false,
        maxAnnotations: 1000,
        romFolders: [],
        lock: undefined,
        environment: process.env,
        selfCommand: [],
      },
      files: new AllowedFiles({ read: [], write: ['/'] }),
      policy: openPolicy,
      guardProcessGroup: () => () => {},
      log: () => {},
    },
    { machines: 100, traceBytes: 10_000_000, idleTimeoutMs: 0 },
  );
}
