import { demangle } from '../../../src/formats/demangle.ts';
import { at, form, tag } from '../../../src/formats/dwarf/dwarf-constants.ts';
import { abbreviation, indexOf, text } from '../../../src/formats/dwarf/dwarf-testing.ts';
import { TypeReader } from '../../../src/formats/dwarf/dwarf-types.ts';
import { expressionAt } from '../../../src/formats/dwarf/location.ts';
import { variablesAt } from '../../../src/formats/dwarf/scope.ts';
import { readCoreFile } from '../../../src/formats/elf/core-file.ts';
import { CoreMemory } from '../../../src/formats/elf/core-memory.ts';
import { buildCore, bytesAsFile } from '../../../src/formats/elf/core-testing.ts';
import { buildElf, buildLines } from '../../../src/formats/elf/elf-testing.ts';
import { PcapFile } from '../../../src/formats/pcap/pcap-file.ts';
import { summarisePacket } from '../../../src/formats/pcap/summarise-packet.ts';
import { AllowedFiles } from '../../../src/host/files/allowed-files.ts';
import { MachineError } from '../../../src/machine/errors.ts';
import { readAppendix, writtenAppendix } from '../../../src/machines/qemu/core/core-appendix.ts';
import { CoreMachine } from '../../../src/machines/qemu/core/core-machine.ts';
import { stateFromNotes } from '../../../src/machines/qemu/core/core-notes.ts';
import type { CoreState } from '../../../src/machines/qemu/core/core-state.ts';
import { parseDrive } from '../../../src/machines/qemu/disk/drive-spec.ts';
import { openImage } from '../../../src/machines/qemu/disk/image-file.ts';
import { readQcow2Header } from '../../../src/machines/qemu/disk/qcow2-header.ts';
import { checkExtraArguments } from '../../../src/machines/qemu/launch/extra-arguments.ts';
import { isPlainProcessor, machineProblem } from '../../../src/machines/qemu/launch/known-machine.ts';
import { hmpProblem, hmpText, parseHmp } from '../../../src/machines/qemu/monitor/check-hmp.ts';
import { qmpProblem } from '../../../src/machines/qemu/monitor/check-qmp.ts';
import { openCapture } from '../../../src/machines/qemu/network/open-capture.ts';
import { OpenedFiles } from '../../../src/machines/qemu/opened-files.ts';
import { qemuOptions } from '../../../src/machines/qemu/qemu-options.ts';
import { parsePpm, parsePpmHeader } from '../../../src/machines/qemu/screen/ppm.ts';
import { openSnapshotFolder } from '../../../src/machines/qemu/snapshots/snapshot-folder.ts';
import { QemuSymbols } from '../../../src/machines/qemu/symbols/qemu-symbols.ts';
import { SymbolLoader } from '../../../src/machines/qemu/symbols/symbol-loader.ts';
import { type FuzzTarget, fileOf, long, textOf } from '../fuzz-target.ts';
import { fileWith, scratchFolder } from '../scratch.ts';

const hex = (digits: string) => new Uint8Array(Buffer.from(digits.replaceAll(/\s/g, ''), 'hex'));

/** In 64-bit mode, with tables at 0x1000 that lead to themselves. */
const x86Note = fileOf(
  440,
  [8 + 16 * 8, long(0x1000)],
  [160, long(0xa09b00)],
  [392, long(0x80000011)],
  [416, long(0x1000)],
  [424, long(0x20)],
);
const coreMemory = [[0x1000n, fileOf(8192, [0, [...long(0x1003), 0, 0, 0, 0]], [8, long(0x2083)])]] as const;
const coreState: CoreState = {
  arch: 'riscv64',
  description: {
    architecture: 'riscv:rv64',
    registers: ['zero', 'ra', 'sp', 'pc', 'satp', 'priv', 'mcause'].map((name, number) => ({
      name,
      number,
      bits: 64,
      type: 'int',
      feature: '',
      group: '',
    })),
    flags: new Map(),
  },
  processors: [
    {
      general: new Uint8Array(32),
      others: new Map([
        [4, hex('0100000000000080')],
        [5, hex('0100000000000000')],
        [6, hex('0500000000000000')],
      ]),
      monitor: '',
    },
  ],
  pieces: [{ physical: 0xe000ed00n, bytes: new Uint8Array(16) }],
  selected: 0,
  log: {
    exceptions: [{ family: 'riscv', code: 5, pc: 0x1000n, values: { tval: 8n } }],
    past: [],
    count: 1,
    isOn: true,
  },
  timeMs: 5,
  isWhole: true,
};

/** A CIE and an FDE, as compilers write them. */
const frames = hex(`
  14000000 00000000 017a5200 01781001 1b0c0708 90010000
  1c000000 1c000000 e0ffffff 08000000 00410e10 8602430d 06000000 00000000`);

const elf = (wide: boolean, little: boolean, version: number) => {
  const shape = { wide, little };
  const symbols = [
    { name: '_ZN4core3fmt9Formatter3newE', address: 0x1000n, size: 16 },
    { name: 'main', address: 0x1010n, size: 8, global: true },
    { name: '_RNvCs1234_7mycrate3foo', address: 0x1020n },
  ];
  return buildElf(shape, symbols, {
    '.debug_line': buildLines(shape, version, 0x1000n),
    '.eh_frame': frames,
    '.debug_frame': frames,
  });
};

const ethernet = '52550a000202 525400123456';
const packets = [
  `${ethernet} 0806 0001080006040001 525400123456 0a00020f 000000000000 0a000202`,
  `${ethernet} 0800 4500001c00010000 40010000 0a00020f0a000202 0800000000070003`,
  `${ethernet} 0800 4500003c00010000 40110000 0a00020f0a000202 1234003500280000 123401000001000000000000 0377777707657861 6d706c6503636f6d 0000010001`,
  `${ethernet} 86dd 6000000000083aff fe800000000000000000000000000001 ff0200000000000000000000000000fb 8000000000070003`,
  `${ethernet} 0800 4500002800010000 40060000 0a00020f0a000202 00160050 00000001 00000000 5002ffff00000000`,
];

const pcap = () => {
  const records = packets.map((packet) => {
    const bytes = hex(packet);
    return Buffer.concat([Buffer.from([...long(1), ...long(2), ...long(bytes.length), ...long(bytes.length)]), bytes]);
  });
  const head = fileOf(24, [0, [0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0]], [16, [...long(65_535), ...long(1)]]);
  return Buffer.concat([head, ...records]);
};

const qcow2 = (backing: string) => {
  const name = Buffer.from(backing);
  return fileOf(
    600,
    [0, [0x51, 0x46, 0x49, 0xfb, 0, 0, 0, 3]],
    [8, [0, 0, 0, 0, 0, 0, 0, name.length > 0 ? 0x88 : 0, 0, 0, 0, name.length, 0, 0, 0, 16]],
    [24, [0, 0, 0, 0, 0, 0x10, 0, 0]],
    [100, [0, 0, 0, 104, 0xe2, 0x79, 0x2a, 0xca, 0, 0, 0, 3, 0x72, 0x61, 0x77]],
    [136, name],
  );
};

const host = { files: new AllowedFiles({ read: [scratchFolder], write: [] }), runtimeDir: scratchFolder };

async function withFiles(work: (files: OpenedFiles) => Promise<unknown>): Promise<void> {
  using files = new OpenedFiles(host);
  await work(files);
}

const snapshot = JSON.stringify({
  format: 'frontpanel qemu snapshot 1',
  qemu: '7.2.0',
  name: 'one',
  snapshots: [{ name: 'one', tag: 'one~1', virtualMs: 5, running: false, boardTime: ['0123456789abcdef'] }],
  options: { arch: 'x86_64', memory: 16, drives: ['disk.img'] },
});

const [unitEntry, variableEntry, pointerEntry, structureEntry, functionEntry] = [1, 2, 3, 4, 5];
const tables = [
  ...abbreviation(unitEntry, tag.compileUnit, true, [at.name, form.string]),
  ...abbreviation(variableEntry, tag.variable, false, [
    at.name,
    form.string,
    at.type,
    form.ref4,
    at.location,
    form.exprloc,
  ]),
  ...abbreviation(pointerEntry, tag.pointerType, false, [at.type, form.ref4]),
  ...abbreviation(structureEntry, tag.structureType, true, [at.name, form.string, at.byteSize, form.udata]),
  ...abbreviation(functionEntry, tag.subprogram, true, [
    at.name,
    form.string,
    at.lowPc,
    form.addr,
    at.highPc,
    form.data4,
  ]),
];
const entries = [
  ...[unitEntry, ...text('a.c')],
  ...[structureEntry, ...text('node'), 16, variableEntry, ...text('next'), ...long(16), 2, 0x91, 0x7c, 0],
  ...[variableEntry, ...text('first'), ...long(16), 3, 0x03, 0, 0x10],
  ...[functionEntry, ...text('main'), 0, 16, 0, 0, 0, 0, 0, 0, ...long(32)],
  ...[variableEntry, ...text('at'), ...long(60), 2, 0x91, 0x70, pointerEntry, ...long(16), 0, 0],
];

export const qemuTargets: readonly FuzzTarget[] = [
  {
    name: 'dwarf',
    seeds: () => [Uint8Array.from(entries)],
    read: async (input) => {
      const index = await indexOf(tables, input);
      const reader = new TypeReader(
        (offset) => index.entry(offset),
        (name) => index.type(name),
      );
      for (const name of ['first', 'at']) {
        const entry = index.variable(name);
        if (!entry) continue;
        JSON.stringify([reader.of(entry).name, reader.of(entry).bytes]);
        expressionAt(entry.attributes.get(at.location), entry.unit, 0x1000n);
      }
      const around = index.functionAt(0x1000n);
      if (around) variablesAt(index, around, 0x1000n);
    },
    refusals: [RangeError],
  },
  {
    name: 'core',
    seeds: () => [
      buildCore({ machine: 62, wide: true, notes: [['QEMU', 0, x86Note]], memory: coreMemory }),
      buildCore({ machine: 183, wide: true, notes: [['CORE', 1, Buffer.alloc(392, 3)]], memory: coreMemory }),
      Buffer.concat([
        buildCore({ machine: 243, wide: true, memory: coreMemory }),
        writtenAppendix({ ...coreState, arch: 'riscv64' }),
      ]),
    ],
    focus: [
      [0, 176],
      [232, 700],
    ],
    read: async (input) => {
      const file = { ...bytesAsFile(input), path: 'core', close: () => {} };
      const core = await readCoreFile(file);
      const state = (await readAppendix(file, core)) ?? stateFromNotes(core);
      const memory = new CoreMemory(file, core.segments);
      const disassembler = { listing: async () => '', [Symbol.asyncDispose]: async () => {} };
      const machine = await CoreMachine.open({ file, memory, state, disassembler });
      machine.status();
      machine.introduction();
      const questions = [
        () => machine.cpu.allRegisters(),
        () => machine.cpu.callStack(),
        () => machine.memory.peek('virtual', 0x1000n, 64),
        () => machine.memory.peek('physical', 0x1000n, 64),
        () => machine.paging.walk(0xffffffff81000000n),
        () => machine.paging.ranges({ from: 0n, limit: 20 }),
        () => machine.crash.explain(),
        () => machine.linux.overview(),
      ];
      for (const ask of questions) {
        await ask().catch((error: unknown) => {
          if (!(error instanceof MachineError)) throw error;
        });
      }
    },
    refusals: [RangeError, MachineError],
  },
  {
    name: 'elf',
    seeds: () => [
      elf(true, true, 5),
      elf(false, true, 4),
      elf(true, false, 2),
      'ffffffff81000000 T _text\n0000000000001000 t name [mod]\n',
    ],
    read: async (input) => {
      const symbols = new QemuSymbols();
      const loader = new SymbolLoader(symbols);
      await loader.load({ name: 'f', bytes: input }, 0n);
      await loader.linesRead;
      for (const address of [0x1000n, 0x1004n, 0x1010n, 2n ** 64n - 1n]) {
        symbols.nameOf(address);
        symbols.lineOf(address);
        symbols.frameAt(address);
      }
      symbols.address('main');
    },
    refusals: [MachineError],
  },
  {
    name: 'demangle',
    seeds: () => [
      '_ZN4core3fmt9Formatter3newE',
      '_ZNSt6vectorIiSaIiEE9push_backERKi',
      '_RNvCs1234_7mycrate3foo',
      '_RINvNtC3std3mem8align_ofdE',
      '_ZN3foo17h0123456789abcdefE',
      '_ZL3barIXplLi1ELi2EEE',
    ],
    words: [
      'S_',
      'S0_',
      'T_',
      'I',
      'E',
      'N',
      'Z',
      'L',
      'X',
      'J',
      'D',
      'B_',
      'u4',
      '99999999999',
      'St',
      'Sa',
      'P',
      'R',
      'K',
      'F',
      'cv',
    ],
    read: (input) => demangle(textOf(input)),
    refusals: [],
  },
  {
    name: 'pcap',
    seeds: () => [pcap()],
    read: async (input) => {
      const path = fileWith('pcap', input);
      const file = new PcapFile(
        (flags) => openCapture(path, flags),
        (ms) => ms + 1,
      );
      const { packets: read } = await file.packets(0, 100);
      for (const { bytes, length } of read) summarisePacket(bytes, length);
      await file.settle();
    },
    refusals: [MachineError],
  },
  {
    name: 'packet',
    seeds: () => packets.map(hex),
    read: (input) => summarisePacket(input, input.length),
    refusals: [],
  },
  {
    name: 'ppm',
    seeds: () => ['P6\n2 2\n255\n123456789012', 'P6 1 1 255\nabc'],
    words: ['P6', '\n', '#', '255', '99999999'],
    read: (input) => [parsePpmHeader(input), parsePpm(input)],
    refusals: [MachineError],
  },
  {
    name: 'qcow2',
    seeds: () => [
      qcow2(''),
      qcow2('base.img'),
      qcow2('/etc/passwd'),
      qcow2('nbd:localhost:10809'),
      'KDMV',
      '# Disk DescriptorFile\n',
    ],
    focus: [[0, 160]],
    words: ['base.img', '../', '/etc/passwd', 'json:{', 'nbd:'],
    read: async (input) => {
      fileWith('base.img', new Uint8Array(512));
      const path = fileWith('image', input);
      await readQcow2Header(path);
      await withFiles((files) => openImage(path, undefined, 'read', files));
    },
    refusals: [MachineError],
  },
  {
    name: 'qemu-snapshot',
    seeds: () => [snapshot],
    words: ['"options":', '"drives":', '../', '"tag":', '{', '}', '[', ']', 'null', '1e999', '"__proto__":'],
    read: async (input) => {
      fileWith('snapshot.json', input);
      await withFiles((files) => openSnapshotFolder(qemuOptions.parse({ from_snapshot: scratchFolder }), files));
    },
    refusals: [MachineError],
  },
  {
    name: 'qmp-command',
    seeds: () => [
      'query-status {}',
      'blockdev-add {"driver":"raw"}',
      'transaction {"actions":[{"type":"drive-backup","data":{}}]}',
      'device_add {"driver":"usb-mouse"}',
    ],
    words: ['{', '}', '"type":', '"data":', 'drive-backup', '"filename":"/etc/passwd"', 'null', '[', ']'],
    read: (input) => {
      const [name = '', ...rest] = textOf(input).split(' ');
      const given: unknown = parsed(rest.join(' '));
      return qmpProblem(name, typeof given === 'object' && given !== null ? { ...given } : {});
    },
    refusals: [],
  },
  {
    name: 'hmp-command',
    seeds: () => [
      'info status',
      'x /4xb 0x1000',
      'device_add usb-mouse,id=m',
      'qemu-io node "write -s f 0 512"',
      'stop; cont',
    ],
    words: ['"', '\\', ';', ',', '=', '/', 'info ', 'savevm ', '0x', '\n'],
    read: (input) => {
      const line = parseHmp(textOf(input));
      hmpProblem(line);
      return hmpText(line);
    },
    refusals: [MachineError],
  },
  {
    name: 'qemu-arguments',
    seeds: () => [
      '-device\nusb-mouse,id=a',
      '-smp\n2',
      '-fw_cfg\nname=opt/a,string=b',
      '-object\nrng-random,id=r,filename=/dev/urandom',
    ],
    words: ['-device\n', '-drive\n', ',', '=', 'file=/etc/passwd', '{"driver":"', '}', '\n', '--', '-'],
    read: (input) => {
      const words = textOf(input).split('\n');
      machineProblem(words[0] ?? '');
      isPlainProcessor(words[0] ?? '');
      checkExtraArguments(words, false);
    },
    refusals: [MachineError],
  },
  {
    name: 'drive-spec',
    seeds: () => ['a.img,readonly', 'cdrom', 'a,,b.img,virtio,write', 'x.iso,cdrom,ide'],
    words: [',', 'cdrom', 'floppy', 'write', 'raw', 'qcow2', ':'],
    read: (input) => parseDrive(textOf(input)),
    refusals: [MachineError],
  },
];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
