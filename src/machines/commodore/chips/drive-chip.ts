import { disassemble } from '../../../chips/mos6510/disassemble.ts';
import { fields as cpu, getStatus } from '../../../chips/mos6510/registers.ts';
import { fields as via } from '../../../chips/via6522/fields.ts';
import { phase, type Wd1770State, fields as wd, status as wdStatus } from '../../../chips/wd1770/fields.ts';
import { hexByte, hexWord } from '../../../formats/hex.ts';
import type { DriveModel, RealDrive } from '../drive/real-drive.ts';
import { ciaNumbers, ciaValues } from './cia-chip.ts';
import {
  type Decoded,
  DecodedChip,
  type DecodedPart,
  flagNames,
  registerReadings,
  registerRows,
} from './decoded-chip.ts';
import { ciaRegisters, controllerRegisters, viaRegisters } from './register-names.ts';
import { viaNumbers, viaValues } from './via-chip.ts';

const flags = ['C', 'Z', 'I', 'D', 'B', '-', 'V', 'N'];
const protectBit = 16;
const syncBit = 128;
const viaBases = [0x1800, 0x1c00] as const;
const viaUses = [
  { portA: 'unused', portB: 'serial bus, device number', lines: 'attention' },
  { portA: 'byte under the head', portB: 'stepper, motor, light, density, SYNC', lines: 'byte ready, read or write' },
] as const;
const firstViaOf1571 = { ...viaUses[0], portA: 'track 0, side, clock, byte ready' };

/** Where its other chips are, and what the ports of its CIA are for. */
const others: Readonly<
  Partial<Record<DriveModel, { cia: number; controller: number; uses: readonly [string, string] }>>
> = {
  1571: { cia: 0x4000, controller: 0x2000, uses: ['unused', 'unused'] },
  1581: { cia: 0x4000, controller: 0x6000, uses: ['side, motor, device number, lights, disk change', 'serial bus'] },
};

/** The computer in a drive: where its processor is, what its head does, its other chips. */
export function driveChip(drive: RealDrive, catchUp: () => void): DecodedChip {
  const fresh = <Answer>(decode: () => Answer): Answer => {
    catchUp();
    return decode();
  };
  const chips = [...(drive.parts.vias.length > 0 ? ['VIAs'] : []), ...(drive.parts.cia ? ['CIA', 'WD177x'] : [])];
  const text = `the ${drive.model} that is drive ${drive.unit}: its 6502, head and ${chips.join(', ')}`;
  return new DecodedChip(`drive${drive.unit}`, text, [
    {
      name: 'registers',
      count: 1,
      description: "the processor's registers and next instruction, the head, motor and light",
      decode: () => fresh(() => processor(drive)),
    },
    ...(drive.parts.vias.length > 0 ? [viaPart(drive, fresh)] : []),
    ...otherParts(drive, fresh),
  ]);
}

type Fresh = <Answer>(decode: () => Answer) => Answer;

function viaPart(drive: RealDrive, fresh: Fresh): DecodedPart {
  return {
    name: 'via',
    count: 2,
    description: '0 is on the serial bus ($1800), 1 on the mechanics ($1C00)',
    decode: (index) =>
      fresh(() => {
        const state = drive.parts.vias[index];
        if (!state) throw new RangeError(`no VIA ${index}`);
        const base = viaBases[index] ?? 0;
        const uses = index === 0 && drive.model === '1571' ? firstViaOf1571 : (viaUses[index] ?? viaUses[0]);
        return {
          values: viaValues({ state, uses }),
          numbers: viaNumbers(state),
          registers: registerReadings(base, viaRegisters, (register) => drive.peek(base + register)),
        };
      }),
  };
}

function otherParts(drive: RealDrive, fresh: Fresh): readonly DecodedPart[] {
  const { cia, controller } = drive.parts;
  const places = others[drive.model];
  if (!cia || !controller || !places) return [];
  const at = (base: number) => (register: number) => drive.peek(base + register);
  return [
    {
      name: 'cia',
      count: 1,
      description: `at ${hexWord(places.cia)}`,
      decode: () =>
        fresh(() => ({
          values: { ...ciaValues(cia, places.uses), ...registerRows(places.cia, 16, at(places.cia)) },
          numbers: ciaNumbers(cia),
          registers: registerReadings(places.cia, ciaRegisters, at(places.cia)),
        })),
    },
    {
      name: 'controller',
      count: 1,
      description: `the WD177x at ${hexWord(places.controller)}: what it does, and its registers`,
      decode: () =>
        fresh(() => ({
          ...controllerState(controller, at(places.controller)(0)),
          registers: registerReadings(places.controller, controllerRegisters, at(places.controller)),
        })),
    },
  ];
}

const phaseNames = Object.fromEntries(Object.entries(phase).map(([name, value]) => [value, name]));

function controllerState(state: Wd1770State, status: number): Decoded {
  const names = Object.entries(wdStatus).flatMap(([name, bit]) => ((status & bit) !== 0 ? [name] : []));
  return {
    values: {
      command: hexByte(state[wd.command]),
      status: `${hexByte(status)} ${names.join(' ')}`.trim(),
      track: state[wd.track],
      sector: state[wd.sector],
      data: hexByte(state[wd.data]),
      doing: phaseNames[state[wd.phase]] ?? '',
      place: state[wd.place],
    },
    numbers: {
      command: state[wd.command],
      status,
      track: state[wd.track],
      sector: state[wd.sector],
      data: state[wd.data],
      place: state[wd.place],
    },
  };
}

function processor(drive: RealDrive): Decoded {
  const { cpu: state, vias } = drive.parts;
  const { pc, track, side, isMotorOn: motor, isLightOn: light } = drive;
  const bytes = [0, 1, 2].map((offset) => drive.peek((pc + offset) & 0xffff));
  const mechanics = vias[1];
  // A pin that is an input drives nothing.
  const driven = mechanics ? mechanics[via.pbOut] & mechanics[via.ddrb] : 0;
  const sides = drive.model === '1541' ? {} : { side };
  return {
    numbers: {
      track,
      ...sides,
      motor,
      light,
      ...(mechanics
        ? {
            density: (driven >> 5) & 3,
            stepper: driven & 3,
            write_protected: (mechanics[via.pbIn] & protectBit) === 0,
            sync: (mechanics[via.pbIn] & syncBit) === 0,
          }
        : { write_protected: drive.isProtected }),
    },
    values: {
      pc: hexWord(pc),
      instruction: disassemble(bytes, pc).text,
      a: hexByte(state[cpu.a]),
      x: hexByte(state[cpu.x]),
      y: hexByte(state[cpu.y]),
      sp: hexByte(state[cpu.s]),
      flags: flagNames(flags, getStatus(state) & ~0x30),
      track,
      ...sides,
      motor,
      light,
    },
  };
}
