import { fields } from '../../../../chips/mos6510/registers.ts';
import type { SymbolTable } from '../../../../machine/addresses.ts';
import { MachineError } from '../../../../machine/errors.ts';
import type { LoadedProgram, ProgramCapability, ProgramSource } from '../../../../machine/program.ts';
import { assemble } from '../../assembler/assemble.ts';
import { tokenise } from '../../basic/tokenise.ts';
import type { C64Keyboard } from './c64-keyboard.ts';
import type { Engine } from './engine.ts';

const basicStart = 0x0801;
/** Where BASIC keeps the end of the program; variables, arrays and their end follow it. */
const endPointers = [0x2d, 0x2f, 0x31];
/** BASIC's warm start vector in its ROM: where a program that returns arrives. */
const warmStartVector = 0xa002;

/** Puts programs into memory and starts them as a person would with RUN or SYS. */
export class C64Program implements ProgramCapability {
  readonly formats = ['prg', 'asm', 'basic'];
  readonly #engine: Engine;
  readonly #keyboard: C64Keyboard;
  readonly #symbols: SymbolTable;

  constructor(engine: Engine, keyboard: C64Keyboard, symbols: SymbolTable) {
    this.#engine = engine;
    this.#keyboard = keyboard;
    this.#symbols = symbols;
  }

  async load(source: ProgramSource, start: boolean, signal: AbortSignal): Promise<LoadedProgram> {
    const { bytes, notes } = this.#image(source);
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
    const loaded = { firstAddress, lastAddress: firstAddress + body.length - 1, notes };
    if (firstAddress === basicStart) {
      this.#setBasicEnd(firstAddress + body.length);
      if (start) await this.#keyboard.type('RUN\n', signal);
      return loaded;
    }
    if (start) this.#call(firstAddress);
    return start ? { ...loaded, startAddress: firstAddress } : loaded;
  }

  #image(source: ProgramSource): { readonly bytes: Uint8Array; readonly notes: readonly string[] } {
    switch (source.format) {
      case 'prg':
        return { bytes: source.bytes, notes: [] };
      case 'asm':
      case 's':
        return this.#assembled(new TextDecoder().decode(source.bytes), source.name);
      case 'basic':
      case 'bas': {
        const { bytes, errors } = tokenise(new TextDecoder().decode(source.bytes));
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

  #assembled(text: string, fileName: string): { readonly bytes: Uint8Array; readonly notes: readonly string[] } {
    const { origin, bytes, symbols, errors, warnings } = assemble(text, { fileName });
    refuseErrors('Assembler', errors);
    this.#symbols.add([...symbols.values()].map(({ name, value }) => [name, value]));
    const notes = [
      `${symbols.size} symbols defined`,
      ...warnings.slice(0, 5).map(({ line, message }) => `line ${line}: ${message}`),
    ];
    return { bytes: Uint8Array.of(origin & 255, origin >> 8, ...bytes), notes };
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
