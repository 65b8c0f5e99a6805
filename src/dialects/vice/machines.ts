import { MachineError } from '../../machine/errors.ts';

/** The chips that have tools of their own. */
export type ViceChip = 'vic2' | 'vic' | 'ted' | 'sid' | 'cia1' | 'cia2' | 'via1' | 'via2';

/** What the original's clients are told of a machine. */
export interface ViceMachineFacts {
  /** As the original writes it. */
  readonly name: string;
  readonly cpu: string;
  readonly videoChip: string;
  readonly soundChip: string;
  readonly sprites: number;
  readonly chips: readonly ViceChip[];
  /** Address of the video chip's first register. */
  readonly videoBase: number;
  readonly expansionPorts: readonly string[];
}

const plus4: ViceMachineFacts = {
  name: 'Plus/4',
  cpu: '7501',
  videoChip: 'TED',
  soundChip: 'TED',
  sprites: 0,
  chips: ['ted'],
  videoBase: 0xff00,
  expansionPorts: ['expansion_port', 'serial_port', 'cassette_port', 'user_port', 'control_port_1', 'control_port_2'],
};

/** By the kind of machine. */
export const viceMachines: Readonly<Record<string, ViceMachineFacts>> = {
  c64: {
    name: 'C64',
    cpu: '6510',
    videoChip: 'VIC-II',
    soundChip: 'SID',
    sprites: 8,
    chips: ['vic2', 'sid', 'cia1', 'cia2'],
    videoBase: 0xd000,
    expansionPorts: ['expansion_port', 'serial_port', 'cassette_port', 'user_port', 'control_port_1', 'control_port_2'],
  },
  vic20: {
    name: 'VIC-20',
    cpu: '6502',
    videoChip: 'VIC',
    soundChip: 'VIC',
    sprites: 0,
    chips: ['vic', 'via1', 'via2'],
    videoBase: 0x9000,
    expansionPorts: ['expansion_port', 'serial_port', 'cassette_port', 'user_port', 'control_port_1'],
  },
  plus4,
  c16: { ...plus4, name: 'C16', expansionPorts: plus4.expansionPorts.filter((port) => port !== 'user_port') },
};

const chipNames: Readonly<Record<ViceChip, string>> = {
  vic2: 'VIC-II',
  vic: 'VIC',
  ted: 'TED',
  sid: 'SID',
  cia1: 'CIA',
  cia2: 'CIA',
  via1: 'VIA',
  via2: 'VIA',
};

export function factsOf(kind: string): ViceMachineFacts {
  const facts = viceMachines[kind];
  if (facts) return facts;
  throw new MachineError('INVALID_ARGUMENT', `${kind} is not a machine of this dialect.`, `Machines: ${kindList()}.`);
}

/** The kind of machine that a name means, however it is written. */
export function kindNamed(name: string): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  return Object.keys(viceMachines).find((kind) => [kind, factsOf(kind).name].map(plain).includes(plain(name)));
}

export function kindList(): string {
  return Object.keys(viceMachines).join(', ');
}

/** Why a machine has none of the tools for a chip. */
export function lackOf(chip: ViceChip, { name, chips }: ViceMachineFacts): string {
  const lack = `${name} does not have ${chipNames[chip]} chip`;
  if (!chip.startsWith('cia') || !chips.includes('via1')) return lack;
  return `${lack}; its VIAs are read with vice.via1.registers.get and vice.via2.registers.get`;
}
