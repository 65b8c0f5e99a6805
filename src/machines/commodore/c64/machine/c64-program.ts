import { fields } from '../../../../chips/mos6510/registers.ts';
import type { SymbolTable } from '../../../../machine/addresses.ts';
import { MachineError } from '../../../../machine/errors.ts';
import type { LoadedProgram, ProgramCapability, ProgramSource } from '../../../../machine/program.ts';
import { detectMedia } from '../../media/detect-media.ts';
import { readP00 } from '../../media/p00.ts';
import { writePrg } from '../../media/prg.ts';
import { readT64 } from '../../media/t64.ts';
import { assembleSafely, tokeniseSafely } from '../../workshop/read-safely.ts';
import type { C64Keyboard } from './c64-keyboard.ts';
import type { C64Media } from './c64-media.ts';
import type { C64Screen } from './c64-screen.ts';
import type { Engine } from './engine.ts';
import { TapeAutostart } from './tape-autostart.ts';

const basicStart = 0x0801;
/** Where BASIC keeps the end of the program; variables, arrays and their end follow it. */
const endPointers = [0x2d, 0x2f, 0x31];
/** A long program from a drive takes its time. */
const loadFrames = 15_000;
const cartridgeFrames = 100;
const loadWallMs = 40_000;
const framesBetweenLooks = 10;
/** BASIC's warm start vector in its ROM: where a program that returns arrives. */
const warmStartVector = 0xa002;

interface Image {
  readonly bytes: Uint8Array;
  readonly notes: readonly string[];
}

/** Puts programs into memory and starts them as a person would with RUN or SYS. */
export class C64Program implements ProgramCapability {
  readonly formats = ['prg', 'p00', 't64', 'd64', 'd71', 'd81', 'g64', 'crt', 'tap', 'asm', 'basic'];
  readonly #engine: Engine;
  readonly #keyboard: C64Keyboard;
  readonly #media: C64Media;
  readonly #tape: TapeAutostart;
  readonly #symbols: SymbolTable;

  constructor(engine: Engine, keyboard: C64Keyboard, media: C64Media, screen: C64Screen, symbols: SymbolTable) {
    this.#engine = engine;
    this.#keyboard = keyboard;
    this.#media = media;
    this.#tape = new TapeAutostart(engine, keyboard, screen);
    this.#symbols = symbols;
  }

  async load(source: ProgramSource, start: boolean, signal: AbortSignal): Promise<LoadedProgram> {
    const kind = isText(source.format) ? undefined : detectMedia(source.bytes, source.name);
    if (kind === 'crt') return this.#fromMedium('cartridge', source, start, signal);
    if (isDisk(kind)) return this.#fromMedium('drive8', source, start, signal);
    if (kind === 'tap') return this.#fromTape(source, start, signal);
    const { bytes, notes } = await this.#image(kind === undefined ? source : { ...source, format: kind }, signal);
    const [low = 0, high = 0] = bytes;
    const firstAddress = low | (high << 8);
    const body = bytes.subarray(2);
    if (body.length === 0 || firstAddress + body.length > 0x10000) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `${source.name}: ${body.length} bytes do not fit at $${firstAddress.toString(16)}.`,
        'A PRG begins with its load address, low byte first.',
      );
    }
    this.#engine.input({ type: 'poke', bank: 'ram', address: firstAddress, bytes: body });
    const loaded = {
      firstAddress: BigInt(firstAddress),
      lastAddress: BigInt(firstAddress + body.length - 1),
      notes,
    };
    if (firstAddress === basicStart) {
      this.#setBasicEnd(firstAddress + body.length);
      if (start) await this.#keyboard.type('RUN\n', signal);
      return loaded;
    }
    if (start) this.#call(firstAddress);
    return start ? { ...loaded, startAddress: BigInt(firstAddress) } : loaded;
  }

  async #image(source: ProgramSource, signal: AbortSignal): Promise<Image> {
    switch (source.format) {
      case 'prg':
        return { bytes: source.bytes, notes: [] };
      case 'p00':
        return { bytes: readP00(source.bytes).bytes, notes: [] };
      case 't64': {
        const [first, ...others] = readT64(source.bytes).files;
        if (!first) throw new MachineError('INVALID_ARGUMENT', `${source.name} holds no file.`, 'Use another one.');
        return { bytes: writePrg(first), notes: others.length > 0 ? [`the first of ${others.length + 1} files`] : [] };
      }
      case 'asm':
      case 's':
        return this.#assembled(new TextDecoder().decode(source.bytes), source.name, signal);
      case 'basic':
      case 'bas': {
        const text = new TextDecoder().decode(source.bytes);
        const { bytes, errors } = await tokeniseSafely(text, source.name, signal);
        refuseErrors('BASIC', errors);
        return { bytes, notes: [] };
      }
      default:
        throw new MachineError(
          'INVALID_ARGUMENT',
          `A C64 cannot load ${source.format} files.`,
          `It loads: ${this.formats.join(', ')}.`,
        );
    }
  }

  async #assembled(text: string, fileName: string, signal: AbortSignal): Promise<Image> {
    const { origin, bytes, symbols, errors, warnings } = await assembleSafely(text, fileName, signal);
    refuseErrors('Assembler', errors);
    this.#symbols.add(symbols.map(([name, value]) => [name, BigInt(value)]));
    const notes = [
      `${symbols.length} symbols defined`,
      ...warnings.slice(0, 5).map(({ line, message }) => `line ${line}: ${message}`),
    ];
    return { bytes: Uint8Array.of(origin & 255, origin >> 8, ...bytes), notes };
  }

  /** Puts a medium in and starts what is on it as a person would. */
  async #fromMedium(slot: string, source: ProgramSource, start: boolean, signal: AbortSignal): Promise<LoadedProgram> {
    const found = await this.#media.attach(slot, { name: source.name, bytes: source.bytes, readOnly: false });
    if (start && slot === 'drive8') {
      await this.#keyboard.type('LOAD"*",8,1\n', signal);
      const isThrough = await this.#until(() => this.#waitsForKeys(), loadFrames, signal);
      if (!isThrough) {
        const note = 'it is still loading: run {"screen_text":"READY."}, then input_send {"text":"RUN\\n"}';
        return { firstAddress: BigInt(basicStart), lastAddress: BigInt(basicStart), notes: [found, note] };
      }
      await this.#keyboard.type('RUN\n', signal);
    } else if (start) await this.#engine.run({ frames: cartridgeFrames, wallMs: 20_000 }, signal);
    return { firstAddress: BigInt(basicStart), lastAddress: BigInt(basicStart), notes: [found] };
  }

  async #fromTape(source: ProgramSource, start: boolean, signal: AbortSignal): Promise<LoadedProgram> {
    const found = await this.#media.attach('tape', { name: source.name, bytes: source.bytes, readOnly: false });
    if (!start) return { firstAddress: BigInt(basicStart), lastAddress: BigInt(basicStart), notes: [found] };
    const loaded = await this.#tape.start(signal);
    return { ...loaded, notes: [found, ...loaded.notes] };
  }

  /** The KERNAL blinks the cursor, and no key waits to be looked at. */
  async #waitsForKeys(): Promise<boolean> {
    const { ram } = this.#engine.board;
    return ram[0xc6] === 0 && ram[0xcc] === 0;
  }

  async #until(holds: () => Promise<boolean>, frames: number, signal: AbortSignal): Promise<boolean> {
    const end = performance.now() + loadWallMs;
    for (let left = frames; left > 0 && performance.now() < end && !signal.aborted; left -= framesBetweenLooks) {
      if (await holds()) return true;
      await this.#engine.run({ frames: framesBetweenLooks, wallMs: loadWallMs }, signal);
    }
    return false;
  }

  #setBasicEnd(end: number): void {
    for (const address of endPointers) {
      this.#engine.input({ type: 'poke', bank: 'ram', address, bytes: Uint8Array.of(end & 255, end >> 8) });
    }
  }

  /** As SYS does: a return from the program arrives at BASIC's warm start. */
  #call(address: number): void {
    const { board } = this.#engine;
    const back = (board.peek('rom', warmStartVector) | (board.peek('rom', warmStartVector + 1) << 8)) - 1;
    const top = board.cpu.state[fields.s];
    const pushed = Uint8Array.of(back & 255, (back >> 8) & 255);
    this.#engine.input({ type: 'poke', bank: 'ram', address: 0x100 + ((top - 1) & 255), bytes: pushed });
    this.#engine.input({ type: 'register', name: 'SP', value: (top - 2) & 255 });
    this.#engine.input({ type: 'register', name: 'PC', value: address });
  }
}

function isText(format: string): boolean {
  return ['asm', 's', 'basic', 'bas'].includes(format);
}

function refuseErrors(
  what: string,
  errors: readonly { readonly line: number; readonly column: number; readonly message: string }[],
): void {
  if (errors.length === 0) return;
  const list = errors.slice(0, 10).map(({ line, column, message }) => `${line}:${column} ${message}`);
  throw new MachineError('INVALID_ARGUMENT', `${what}: ${list.join('\n')}`, 'Mend these lines and call again.', {
    errors,
  });
}

function isDisk(kind: string | undefined): boolean {
  return kind !== undefined && ['d64', 'd71', 'd81', 'g64'].includes(kind);
}
