import { DosError } from '../../../drives/dos-error.ts';
import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import { linear } from '../far-pointer.ts';
import { quoted, readAsciz, readText } from '../guest-text.ts';
import type { ProgramArguments } from '../program-loader.ts';

const modes = ['run', 'load', '?', 'load overlay', '?', 'set execution state'];
const run = 0;
const load = 1;
const overlay = 3;
const executionState = 5;

/** EXEC. */
export const exec: DosFunction = {
  number: 0x4b,
  name: 'execute',
  failure: 'carry',
  describe(guest, dos) {
    const path = quoted(readAsciz(guest.memory, guest.ds, guest.dx));
    const tail = guest.al <= load ? ` ${quoted(tailText(guest, dos))}` : '';
    return `${modes[guest.al] ?? '?'} ${path}${tail}`;
  },
  run(guest, dos) {
    if (guest.al === executionState) return undefined;
    if (guest.al !== run && guest.al !== load && guest.al !== overlay) throw new DosError('invalidFunction');
    const { memory, loader, paths, processes, area } = dos;
    const path = paths.resolve(readAsciz(guest.memory, guest.ds, guest.dx));
    const block = linear(guest.es, guest.bx);
    if (guest.al === overlay) {
      loader.loadOverlay(path, memory.read16(block), memory.read16(block + 2));
      return undefined;
    }
    const program = loader.load(guest, path, programArguments(dos, block));
    const drives = loader.fcbDrives(program.process);
    if (guest.al === run) {
      loader.enter(guest, program, drives);
      return undefined;
    }
    const sp = (program.sp - 2) & 0xffff;
    memory.write16(linear(program.ss, sp), drives);
    memory.write16(block + 0x0e, sp);
    memory.write16(block + 0x10, program.ss);
    memory.write16(block + 0x12, program.ip);
    memory.write16(block + 0x14, program.cs);
    processes.current = program.process;
    area.transferArea = ((program.process << 16) | 0x80) >>> 0;
    return undefined;
  },
};

function programArguments({ memory }: Dos, block: number): ProgramArguments {
  const far = (offset: number) => linear(memory.read16(block + offset + 2), memory.read16(block + offset));
  return {
    environment: memory.read16(block),
    tail: memory.bytes(far(2), 128),
    firstFcb: memory.bytes(far(6), 16),
    secondFcb: memory.bytes(far(10), 16),
  };
}

function tailText(guest: Guest, { memory }: Dos): string {
  const block = linear(guest.es, guest.bx);
  const tail = linear(memory.read16(block + 4), memory.read16(block + 2));
  return readText(memory, tail + 1, Math.min(memory.read8(tail), 126));
}
