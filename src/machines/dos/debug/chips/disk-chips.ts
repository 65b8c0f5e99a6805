import { fields as ata, transfers } from '../../../../chips/ata/fields.ts';
import { fields as atapi, packetBytes, phases as packetPhases } from '../../../../chips/atapi/fields.ts';
import { fields as fdc, phases } from '../../../../chips/i8272/fields.ts';
import { hex } from '../../../../formats/hex.ts';
import type { DosSystem } from '../../board/dos-system.ts';
import type { ChipView, View } from './chip-view.ts';

/** Floppy controller and IDE channels. */
export function diskChips(system: DosSystem): readonly ChipView[] {
  return [
    {
      name: 'floppy',
      description: '8272 at 3F0h, IRQ 6, DMA 2',
      parts: [{ name: 'registers', description: 'phase, drives, what waits', read: () => floppy(system) }],
    },
    {
      name: 'ide',
      description: 'IDE channels: disks at 1F0h, IRQ 14; CD-ROM drives at 170h, IRQ 15',
      parts: [
        { name: 'registers', description: 'disks: registers and transfer', read: () => ide(system) },
        { name: 'packets', description: 'CD-ROM drives: registers and the last packet', read: () => packets(system) },
      ],
    },
  ];
}

const nameOf = (table: Readonly<Record<string, number>>, value: number) =>
  Object.entries(table).find(([, each]) => each === value)?.[0] ?? '';

function floppy({ board, disks }: DosSystem): View {
  const { fdc: words } = board.parts;
  const word = (field: keyof typeof fdc, index = 0) => words[fdc[field] + index] ?? 0;
  const drives = [0, 1].map((drive) => ({ cylinder: word('cylinders', drive), disk: disks.has(drive) }));
  const numbers = {
    phase: nameOf(phases, word('phase')),
    output: word('dor'),
    rate: word('rate'),
    irq: word('irq') !== 0,
    seeking: word('seeking'),
    cylinder_a: word('cylinders'),
    cylinder_b: word('cylinders', 1),
  };
  return {
    lines: [
      `${numbers.phase}, output register ${hex(numbers.output, 2)}h, interrupt ${numbers.irq ? 'waits' : 'none'}`,
      ...drives.map(
        ({ cylinder, disk }, index) =>
          `drive ${'AB'[index]}: cylinder ${cylinder}${(numbers.seeking >> index) & 1 ? ', seeking' : ''}, ${disk ? 'disk in' : 'empty'}`,
      ),
    ],
    numbers,
  };
}

function ide({ board, disks }: DosSystem): View {
  const { ata: words } = board.parts;
  const word = (field: keyof typeof ata) => words[ata[field]] ?? 0;
  const numbers = {
    status: word('status'),
    error: word('error'),
    count: word('count'),
    sector: word('sector'),
    cylinder: word('cylinderLow') | (word('cylinderHigh') << 8),
    drive: word('drive'),
    command: word('command'),
    transfer: nameOf(transfers, word('transfer')),
    sectors_left: word('left'),
    irq: word('irq') !== 0,
  };
  const named = [0x80, 0x81].map(
    (number, index) => `${index === 0 ? 'master' : 'slave'} ${disks.has(number) ? 'there' : 'none'}`,
  );
  return {
    lines: [
      named.join(', '),
      `status ${hex(numbers.status, 2)}h, error ${hex(numbers.error, 2)}h, drive and head ${hex(numbers.drive, 2)}h, cylinder ${numbers.cylinder}, sector ${numbers.sector}, count ${numbers.count}`,
      `last command ${hex(numbers.command, 2)}h, transfer ${numbers.transfer}, ${numbers.sectors_left} sectors left, interrupt ${numbers.irq ? 'waits' : 'none'}`,
    ],
    numbers,
  };
}

function packets({ board }: DosSystem): View {
  const { atapi: words } = board.parts;
  const word = (field: keyof typeof atapi, index = 0) => words[atapi[field] + index] ?? 0;
  const senseOf = (drive: number) => hex(word('sense', drive), 6);
  const numbers = {
    status: word('status'),
    error: word('error'),
    reason: word('reason'),
    bytes: word('countLow') | (word('countHigh') << 8),
    drive: word('drive'),
    command: word('command'),
    phase: nameOf(packetPhases, word('phase')),
    packet: Array.from({ length: packetBytes }, (_, index) => word('packet', index)),
    sectors_left: word('left'),
    sense_master: word('sense'),
    sense_slave: word('sense', 1),
    irq: word('irq') !== 0,
  };
  const present = ['master', 'slave'].map((name, index) => `${name} ${board.cds[index] ? 'there' : 'none'}`);
  return {
    lines: [
      present.join(', '),
      `status ${hex(numbers.status, 2)}h, error ${hex(numbers.error, 2)}h, reason ${numbers.reason}, ${numbers.bytes} bytes a block, drive ${hex(numbers.drive, 2)}h`,
      `last command ${hex(numbers.command, 2)}h, phase ${numbers.phase}, ${numbers.sectors_left} sectors left, interrupt ${numbers.irq ? 'waits' : 'none'}`,
      `last packet ${numbers.packet.map((byte) => hex(byte, 2)).join(' ')}, sense ${senseOf(0)}h and ${senseOf(1)}h`,
    ],
    numbers,
  };
}
