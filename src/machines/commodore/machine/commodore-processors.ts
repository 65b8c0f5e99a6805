import type { AddressCapability } from '../../../machine/addresses.ts';
import type { MemoryCapability } from '../../../machine/memory.ts';
import type { Processor, ProcessorsCapability } from '../../../machine/processors.ts';
import { PlainSymbols } from '../../shared/plain-symbols.ts';
import type { RealDrive } from '../drive/real-drive.ts';
import { CommodoreCpu, type CpuWires } from './commodore-cpu.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import { driveNamed, mainProcessor, nameOf } from './drive-watch.ts';

/** The computer's processor, and those of the drives that have one and are switched on. */
export class CommodoreProcessors implements ProcessorsCapability {
  readonly #engine: CommodoreEngine;
  readonly #main: Processor;

  constructor(engine: CommodoreEngine, main: Processor) {
    this.#engine = engine;
    this.#main = main;
  }

  get names(): readonly string[] {
    return [mainProcessor, ...this.#engine.board.drives.real.map(({ unit }) => nameOf(unit))];
  }

  async named(name: string): Promise<Processor> {
    if (name === mainProcessor) return this.#main;
    const { board } = this.#engine;
    const drive = driveNamed(board, name);
    const memory = ownMemory(this.#main.memory, name);
    // The names are those of the computer's memory.
    const addresses: AddressCapability = { format: this.#main.addresses.format, symbols: new PlainSymbols() };
    return { cpu: new CommodoreCpu(driveWires(this.#engine, drive), memory, addresses.symbols), memory, addresses };
  }
}

/** The computer's own processor. */
export function mainWires(name: string, engine: CommodoreEngine): CpuWires {
  const { board } = engine;
  return {
    name,
    space: 'cpu',
    state: () => board.cpu.state,
    pc: () => engine.pc,
    peek: (address) => board.peek('cpu', address),
    stacked: (slot) => board.peek('ram', 0x100 + slot),
    replay: (frames, visit) => engine.replay(frames, visit),
    revisit: (frames, visit, present) => engine.replayInPieces(frames, visit, present),
    write: (register, value) => engine.input({ type: 'register', name: register, value }),
  };
}

function driveWires(engine: CommodoreEngine, drive: RealDrive): CpuWires {
  const { board } = engine;
  const now = () => {
    board.catchUp();
    return drive;
  };
  return {
    name: '6502',
    space: nameOf(drive.unit),
    state: () => now().parts.cpu,
    pc: () => now().pc,
    peek: (address) => now().peek(address),
    stacked: (slot) => now().peek(0x100 + slot),
    // The stack alone has to tell.
    replay: () => {},
    revisit: async (_frames, _visit, present) => present(),
    write: (register, value) => engine.input({ type: 'register', unit: drive.unit, name: register, value }),
  };
}

/** What a drive's processor sees, of all the memory that there is. */
function ownMemory(memory: MemoryCapability, space: string): MemoryCapability {
  return {
    spaces: memory.spaces.filter(({ name }) => name === space),
    peek: (name, address, length) => memory.peek(name, address, length),
    poke: (name, address, bytes) => memory.poke(name, address, bytes),
  };
}
