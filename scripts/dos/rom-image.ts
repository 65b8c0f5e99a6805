import { readFileSync } from 'node:fs';
import { stateWords as timerWords } from '../../src/chips/i8254/fields.ts';
import { I8254 } from '../../src/chips/i8254/i8254.ts';
import { I8259Pair, stateWords as picWords } from '../../src/chips/i8259/i8259-pair.ts';

import type { Instruction } from '../../src/chips/x86/instruction.ts';
import { X86Memory } from '../../src/chips/x86/memory.ts';
import { stateWords } from '../../src/chips/x86/registers.ts';
import { X86 } from '../../src/chips/x86/x86.ts';
import type { RomExpectation } from './rom-expectations.ts';

const imageStart = 0xf0000;
const mostInstructions = 60_000_000;
const codePort = 0x999;
const textPort = 0x998;
const instructionsPerSecond = 333_333;

export interface RomRun {
  readonly cpu: X86;
  readonly ram: Uint8Array;
  /** Written to port 999h. */
  readonly codes: readonly number[];
  /** Why the image did not come to its HLT; empty when it did. */
  readonly why: string;
}

/** Runs 64 KiB at F0000h from F000:FFF0 to HLT: a processor, memory, and for some images a timer. */
export function runRomImage(
  path: string,
  { a20 = false, timer = false, timerHandler = 0 }: RomExpectation,
  onInstruction?: (node: Instruction, cpu: X86) => void,
): RomRun {
  const ram = new Uint8Array(0x110100);
  ram.set(readFileSync(path), imageStart);
  if (timerHandler > 0) ram.set([timerHandler & 0xff, timerHandler >> 8, 0x00, 0xf0], 8 * 4);
  const memory = new X86Memory(ram);
  const codes: number[] = [];
  let text = '';
  const time = { now: () => cpu.instructions, instructionsPerSecond };
  const pic = new I8259Pair(new Int32Array(picWords), { int: (level) => cpu.setInterruptLine(level !== 0) });
  const pit = new I8254(new Int32Array(timerWords), { ...time, out0: (level) => pic.setIrq(0, level) });
  const cpu: X86 = new X86({
    model: '80386',
    state: new Int32Array(stateWords),
    memory,
    wires: {
      in: (_port, width) => (width === 32 ? -1 : (1 << width) - 1),
      out(port, _width, value) {
        if (port === codePort) codes.push(value & 0xff);
        else if (port === textPort) text += String.fromCharCode(value & 0xff);
        else if (timer && port >= 0x40 && port <= 0x43) pit.write(port, value);
        else if (timer && (port & 0xfffe) === 0x20) pic.write(port, value);
        if (timer) cpu.stop();
      },
      callback: () => 'done',
      interruptVector: () => pic.acknowledge(),
    },
  });
  pic.powerOn();
  pit.powerOn();
  for (const [port, value] of [
    [0x20, 0x11],
    [0x21, 0x08],
    [0x21, 0x04],
    [0x21, 0x01],
  ] as const)
    pic.write(port, value);
  cpu.reset();
  memory.a20 = a20;
  cpu.set('cs', 0xf000);
  cpu.set('eip', 0xfff0);
  if (onInstruction) cpu.onInstruction = (node) => onInstruction(node, cpu);
  let why = '';
  while (!cpu.halted && why === '') {
    const next = timer ? Math.max(pit.nextEvent(), cpu.instructions + 1) : mostInstructions;
    const end = cpu.run(Math.min(next, mostInstructions));
    if (timer) pit.catchUp(cpu.instructions);
    if (end.reason === 'unsupported') why = end.what;
    else if (end.reason === 'shutdown') why = 'the processor shut down';
    else if (!cpu.halted && cpu.instructions >= mostInstructions) why = 'no HLT';
  }
  return { cpu, ram, codes, why: why && text ? `${why}; ${text}` : why };
}
