import { fields as cia, stateWords as ciaWords, type Mos6526State } from '../../../chips/mos6526/fields.ts';
import { fields as sid, stateWords as sidWords } from '../../../chips/sid/fields.ts';
import { commands, text } from '../../../links/vice/wire.ts';
import type { Chip, ChipPart, ChipReading, ChipsCapability, ChipWrites } from '../../../machine/chips.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import { pokesFor } from '../chips/chip-fields.ts';
import { ciaChip } from '../chips/cia-chip.ts';
import type { DecodedChip } from '../chips/decoded-chip.ts';
import { sidChip } from '../chips/sid-chip.ts';
import { tedChip } from '../chips/ted-chip.ts';
import { vic1Chip } from '../chips/vic1-chip.ts';
import { vic2Chip } from '../chips/vic2-chip.ts';
import { parseCia, parseRasterIrq } from './io-text.ts';
import type { ViceModel } from './vice-models.ts';
import type { ViceSession } from './vice-session.ts';

const ciaUses = {
  cia1: ['keyboard columns, joystick 2', 'keyboard rows, joystick 1'],
  cia2: ['VIC bank, serial bus', 'user port'],
} as const;

/** A chip as our decoders see it, with what has to be read before they do. */
interface Source {
  readonly chip: DecodedChip;
  /** Parts of which VICE tells all that is shown. */
  readonly parts: readonly string[];
  load(): Promise<void>;
}

/** A chip of VICE's, read over the wire and decoded as our own. */
class ViceChip implements Chip {
  readonly name: string;
  readonly description: string;
  readonly parts: readonly ChipPart[];
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
    this.name = source.chip.name;
    this.description = source.chip.description;
    this.parts = source.chip.parts.filter(({ name }) => source.parts.includes(name));
  }

  async read(part: string, index: number): Promise<ChipReading> {
    if (!this.parts.some(({ name }) => name === part)) throw new RangeError(part);
    await this.#source.load();
    return this.#source.chip.read(part, index);
  }

  async fields(part: string, index: number) {
    await this.#source.load();
    return this.parts.some(({ name }) => name === part) ? this.#source.chip.fields(part, index) : undefined;
  }
}

/** The chips of which VICE's monitors tell enough. */
export class ViceChips implements ChipsCapability {
  readonly chips: readonly ViceChip[];
  readonly #session: ViceSession;

  constructor(session: ViceSession, model: ViceModel) {
    this.#session = session;
    const sources = {
      vic2: () => [
        vic2Source(session),
        sidSource(session, model),
        ...(['cia1', 'cia2'] as const).map((name) => ciaSource(session, name)),
      ],
      vic: () => [vicSource(session, model)],
      ted: () => [tedSource(session, model)],
      crtc: () => [],
    };
    this.chips = (model.video ? sources[model.video]() : []).map((source) => new ViceChip(source));
  }

  async write(chip: string, part: string, index: number, values: ChipWrites): Promise<void> {
    const fields = await this.chips.find(({ name }) => name === chip)?.fields(part, index);
    if (!fields) {
      const fix = advice`${call('chip_read')} without arguments lists what can be written.`;
      throw new MachineError('INVALID_ARGUMENT', `${part} of ${chip} cannot be written.`, fix);
    }
    for (const { bank, address, value } of pokesFor(`${part} of ${chip}`, fields, values)) {
      await this.#session.poke(this.#session.banks.get(bank) ?? 0, address, Uint8Array.of(value));
    }
  }
}

function vic2Source(session: ViceSession): Source {
  let registers: Uint8Array = new Uint8Array(0x40);
  let seen: Uint8Array = new Uint8Array(0x4000);
  let characters: Uint8Array = new Uint8Array(0x1000);
  let [start, irqLine] = [0, 0];
  // Two of the four banks show the character ROM.
  const isCharacterRom = (address: number) => (start & 0x4000) === 0 && (address & 0x3000) === 0x1000;
  const chip = vic2Chip({
    register: (index) => registers[index] ?? 0,
    fetch: (address) => (isCharacterRom(address) ? characters[address & 0xfff] : seen[address & 0x3fff]) ?? 0,
    isCharacterRom,
    bankStart: () => start,
    beam: () => ({ line: session.now.line, cycle: session.now.cycle, irqLine }),
  });
  const load = async () => {
    const [io = 0, ram = 0, rom = 0] = ['io', 'ram', 'rom'].map((name) => session.banks.get(name));
    registers = await session.peek(io, 0xd000, 0x40);
    const [port = 0] = await session.peek(io, 0xdd00, 1);
    start = (~port & 3) << 14;
    seen = await session.peek(ram, start, 0x4000);
    characters = await session.peek(rom, 0xd000, 0x1000);
    irqLine = parseRasterIrq(await session.command('io d000'));
  };
  return { chip, load, parts: ['registers', 'sprite', 'character', 'charset'] };
}

/** What its envelopes and oscillators are doing, VICE does not tell. */
function sidSource(session: ViceSession, { clockHz }: ViceModel): Source {
  const state = new Int32Array(sidWords);
  let registers: Uint8Array = new Uint8Array(0x20);
  let model: '6581' | '8580' = '6581';
  const chip = sidChip({
    name: 'sid',
    base: 0xd400,
    state,
    clockHz,
    get model() {
      return model;
    },
    register: (index) => registers[index] ?? 0,
    catchUp: () => {},
  });
  const load = async () => {
    registers = await session.peek(session.banks.get('io') ?? 0, 0xd400, 0x20);
    state.set(registers, sid.registers);
    const answer = await session.ask(commands.resourceGet, text('SidModel'));
    model = (answer[2] ?? 0) === 0 ? '6581' : '8580';
  };
  return { chip, load, parts: ['registers'] };
}

function ciaSource(session: ViceSession, name: 'cia1' | 'cia2'): Source {
  const base = name === 'cia1' ? 0xdc00 : 0xdd00;
  const state = new Int32Array(ciaWords) as Mos6526State;
  let registers: Uint8Array = new Uint8Array(16);
  const chip = ciaChip({
    name,
    base,
    uses: ciaUses[name],
    state,
    register: (index) => registers[index] ?? 0,
    catchUp: () => {},
  });
  const load = async () => {
    registers = await session.peek(session.banks.get('io') ?? 0, base, 16);
    const told = parseCia(await session.command(`io ${base.toString(16)}`), registers);
    for (const [field, value] of Object.entries(told)) state[cia[field as keyof typeof told]] = value;
  };
  return { chip, load, parts: ['registers', 'timer'] };
}

function vicSource(session: ViceSession, { clockHz }: ViceModel): Source {
  let registers: Uint8Array = new Uint8Array(16);
  let [low, high]: Uint8Array[] = [new Uint8Array(0x2000), new Uint8Array(0x2000)];
  const chip = vic1Chip({
    clockHz,
    register: (index) => registers[index] ?? 0,
    // What the VIC has at $2000 the processor has at $0000, and what it has at $0000 at $8000.
    fetch: (address) => (address & 0x2000 ? low : high)?.[address & 0x1fff] ?? 0,
    beam: () => ({ line: session.now.line, cycle: session.now.cycle }),
  });
  const load = async () => {
    registers = await session.peek(0, 0x9000, 16);
    low = await session.peek(0, 0, 0x2000);
    high = await session.peek(0, 0x8000, 0x2000);
  };
  return { chip, load, parts: ['registers', 'voice', 'character', 'charset'] };
}

/** Whether its timers run, and what the first starts from, VICE does not tell. */
function tedSource(session: ViceSession, { clockHz }: ViceModel): Source {
  let registers: Uint8Array = new Uint8Array(0x20);
  let graphics: Uint8Array = new Uint8Array(0x10000);
  const chip = tedChip({
    clockHz,
    register: (index) => registers[index] ?? 0,
    fetch: (address) => graphics[address & 0xffff] ?? 0,
    beam: () => ({ line: session.now.line, cycle: session.now.cycle }),
    timers: () => [],
    reload: () => 0,
    isSingleClock: () => ((registers[0x13] ?? 0) & 2) !== 0,
  });
  const load = async () => {
    registers = await session.peek(0, 0xff00, 0x20);
    const name = (registers[0x12] ?? 0) & 4 ? 'rom' : 'ram';
    graphics = await session.peek(session.banks.get(name) ?? 0, 0, 0x10000);
  };
  return { chip, load, parts: ['registers', 'voice', 'character', 'charset'] };
}
