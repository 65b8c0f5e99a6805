import { disassemble } from '../../../chips/mos6510/disassemble.ts';
import { fields as cpu, getStatus, type Mos6510State } from '../../../chips/mos6510/registers.ts';
import { type Via6522State, fields as via } from '../../../chips/via6522/fields.ts';
import { type Decoded, DecodedChip, flagNames, hexByte, hexWord, registerReadings } from './decoded-chip.ts';
import { viaRegisters } from './register-names.ts';
import { viaNumbers, viaValues } from './via-chip.ts';

const flags = ['C', 'Z', 'I', 'D', 'B', '-', 'V', 'N'];
const motorBit = 4;
const lightBit = 8;
const protectBit = 16;
const syncBit = 128;
const uses = [
  { portA: 'unused', portB: 'serial bus, device number', lines: 'attention' },
  { portA: 'byte under the head', portB: 'stepper, motor, light, density, SYNC', lines: 'byte ready, read or write' },
] as const;

/** A 1541 as it is wired. */
export interface DriveView {
  readonly unit: number;
  readonly cpu: Mos6510State;
  readonly via1: Via6522State;
  readonly via2: Via6522State;
  /** Where the head is; halves lie between two tracks. */
  track(): number;
  /** What its processor sees. */
  peek(address: number): number;
  /** Brings the drive up to the present. */
  catchUp(): void;
}

/** The computer in a drive: where its processor is, what its head does, both of its VIAs. */
export function driveChip(view: DriveView): DecodedChip {
  const fresh = <Answer>(decode: () => Answer): Answer => {
    view.catchUp();
    return decode();
  };
  return new DecodedChip(`drive${view.unit}`, `the 1541 that is drive ${view.unit}: its 6502, head and VIAs`, [
    {
      name: 'registers',
      count: 1,
      description: "the processor's registers and next instruction, the head, motor and light",
      decode: () => fresh(() => processor(view)),
    },
    {
      name: 'via',
      count: 2,
      description: '0 is on the serial bus ($1800), 1 on the mechanics ($1C00)',
      decode: (index) =>
        fresh(() => ({
          values: viaValues({ state: index === 0 ? view.via1 : view.via2, uses: index === 0 ? uses[0] : uses[1] }),
          numbers: viaNumbers(index === 0 ? view.via1 : view.via2),
          registers: registerReadings(index === 0 ? 0x1800 : 0x1c00, viaRegisters, (register) =>
            view.peek((index === 0 ? 0x1800 : 0x1c00) + register),
          ),
        })),
    },
  ]);
}

function processor({ cpu: state, via2, ...view }: DriveView): Decoded {
  const isBetween = (state[cpu.step] & 7) === 0;
  const pc = isBetween ? state[cpu.pc] : state[cpu.instructionPc];
  // A pin that is an input drives nothing.
  const driven = via2[via.pbOut] & via2[via.ddrb];
  const bytes = [0, 1, 2].map((offset) => view.peek((pc + offset) & 0xffff));
  return {
    numbers: {
      track: view.track(),
      motor: (driven & motorBit) !== 0,
      light: (driven & lightBit) !== 0,
      density: (driven >> 5) & 3,
      stepper: driven & 3,
      write_protected: (via2[via.pbIn] & protectBit) === 0,
      sync: (via2[via.pbIn] & syncBit) === 0,
    },
    values: {
      pc: hexWord(pc),
      instruction: disassemble(bytes, pc).text,
      a: hexByte(state[cpu.a]),
      x: hexByte(state[cpu.x]),
      y: hexByte(state[cpu.y]),
      sp: hexByte(state[cpu.s]),
      flags: flagNames(flags, getStatus(state) & ~0x30),
      track: view.track(),
      motor: (driven & motorBit) !== 0,
      light: (driven & lightBit) !== 0,
    },
  };
}
