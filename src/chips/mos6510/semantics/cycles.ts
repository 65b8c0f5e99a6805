import type { Opcode } from '../opcodes.ts';
import { type fields, interruptRow, resetRow } from '../registers.ts';
import { type Cpu, end, next, pull, push, takeStatus, toStack } from './cpu.ts';
import {
  branches,
  implied,
  type Modify,
  modifies,
  type ReadOperation,
  reads,
  stores,
  type Taken,
} from './operations.ts';

/** One cycle on the bus. */
export type Cycle = ReadCycle | WriteCycle;

interface ReadCycle {
  /** The word that holds the address. */
  readonly from: keyof typeof fields;
  /** What is done with the byte `d`, one after the other; `u` is the micro-op. */
  readonly acts: readonly Act[];
}

interface WriteCycle {
  readonly to: (cpu: Cpu) => number;
  readonly value: (cpu: Cpu) => number;
  readonly acts: readonly Act[];
}

export type Act = ReadOperation | Around;

/** What is the same for many instructions, around what each of them does in its own way. */
export type Around =
  | { readonly around: (cpu: Cpu, d: number, operation: Modify) => void; readonly operation: Modify }
  | { readonly around: (cpu: Cpu, d: number, operation: Taken) => void; readonly operation: Taken };

const read = (from: keyof typeof fields, ...acts: readonly Act[]): ReadCycle => ({ from, acts });
const write = (to: (cpu: Cpu) => number, value: (cpu: Cpu) => number, ...acts: readonly Act[]): WriteCycle => ({
  to,
  value,
  acts,
});

const named = <T>(table: Readonly<Record<string, T>>, name: string): T => {
  const found = table[name];
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
};

// ---- how the address is found; cycle 0, the fetch of the opcode, is the same for all

const operandToAddress = read('pc', (cpu, d) => {
  cpu.address = d;
  next(cpu);
});
const operandToPointer = read('pc', (cpu, d) => {
  cpu.pointer = d;
  next(cpu);
});
const highToAddress = read('pc', (cpu, d) => {
  cpu.address |= d << 8;
  next(cpu);
});
const pointedLow = read('pointer', (cpu, d) => {
  cpu.address = d;
  cpu.pointer = (cpu.pointer + 1) & 255;
});
const pointedHigh = read('pointer', (cpu, d) => {
  cpu.address |= d << 8;
});
/** The page may be wrong, and is put right in the next cycle; a read that does not cross into another page saves that one. */
const putRight = read('address', (cpu) => {
  cpu.address = (cpu.address + (cpu.crossing << 8)) & 0xffff;
});
const indexX: ReadOperation = (cpu, d) => {
  const sum = cpu.address + cpu.x;
  cpu.address = (d << 8) | (sum & 255);
  cpu.crossing = sum >> 8;
};
const indexY: ReadOperation = (cpu, d) => {
  const sum = cpu.address + cpu.y;
  cpu.address = (d << 8) | (sum & 255);
  cpu.crossing = sum >> 8;
};
const indexXSaving: ReadOperation = (cpu, d, u) => {
  const sum = cpu.address + cpu.x;
  cpu.address = (d << 8) | (sum & 255);
  cpu.crossing = sum >> 8;
  if (sum < 256) cpu.step = u + 2;
};
const indexYSaving: ReadOperation = (cpu, d, u) => {
  const sum = cpu.address + cpu.y;
  cpu.address = (d << 8) | (sum & 255);
  cpu.crossing = sum >> 8;
  if (sum < 256) cpu.step = u + 2;
};
const advance: ReadOperation = (cpu) => {
  next(cpu);
};

function addressing({ mode, pattern }: Opcode): readonly Cycle[] {
  const saves = pattern === 'read';
  const byY = saves ? indexYSaving : indexY;
  switch (mode) {
    case 'zeropage':
      return [operandToAddress];
    case 'zeropage,x':
      return [
        operandToAddress,
        read('address', (cpu) => {
          cpu.address = (cpu.address + cpu.x) & 255;
        }),
      ];
    case 'zeropage,y':
      return [
        operandToAddress,
        read('address', (cpu) => {
          cpu.address = (cpu.address + cpu.y) & 255;
        }),
      ];
    case 'absolute':
      return [operandToAddress, highToAddress];
    case 'absolute,x':
      return [operandToAddress, read('pc', advance, saves ? indexXSaving : indexX), putRight];
    case 'absolute,y':
      return [operandToAddress, read('pc', advance, byY), putRight];
    case '(zeropage,x)':
      return [
        operandToPointer,
        read('pointer', (cpu) => {
          cpu.pointer = (cpu.pointer + cpu.x) & 255;
        }),
        pointedLow,
        pointedHigh,
      ];
    case '(zeropage),y':
      return [operandToPointer, pointedLow, read('pointer', byY), putRight];
    default:
      throw new Error(`no addressing cycles for ${mode}`);
  }
}

// ---- stack, jumps, interrupts

const ends: ReadOperation = (cpu) => {
  end(cpu);
};
const pushes: ReadOperation = (cpu) => {
  push(cpu);
};
const pushesAndEnds: ReadOperation = (cpu) => {
  push(cpu);
  end(cpu);
};
const stackTop = (cpu: Cpu) => 256 | cpu.s;
/** As BRK and PHP push it, and as an interrupt does. */
export const statusWithBreak = (cpu: Cpu) =>
  (cpu.n & 128) | (cpu.v << 6) | 48 | (cpu.d << 3) | (cpu.i << 2) | (cpu.z === 0 ? 2 : 0) | cpu.c;
const statusOfInterrupt = (cpu: Cpu) =>
  (cpu.n & 128) | (cpu.v << 6) | 32 | (cpu.d << 3) | (cpu.i << 2) | (cpu.z === 0 ? 2 : 0) | cpu.c;
const pushHigh = write(stackTop, (cpu) => cpu.pc >> 8, pushes);
const pushLow = write(stackTop, (cpu) => cpu.pc & 255, pushes);
const discard = read('pc');
const lookAtStack = read('pc', (cpu) => {
  toStack(cpu);
});
const pulled = read('address', (cpu) => {
  pull(cpu);
  toStack(cpu);
});
const pulledToData = read('address', (cpu, d) => {
  cpu.data = d;
  pull(cpu);
  toStack(cpu);
});
const jumps: ReadOperation = (cpu, d) => {
  cpu.pc = cpu.data | (d << 8);
  end(cpu);
};
/** An NMI that came before the last push takes the sequence over, whatever started it. */
const hijack: ReadOperation = (cpu) => {
  push(cpu);
  if (cpu.pipe & 0x200) {
    cpu.nmiLatch = 0;
    cpu.pipe &= 0xff;
    cpu.vector = 0xfffa;
  }
};
const lowOfVector = read('vector', (cpu, d) => {
  cpu.data = d;
  cpu.i = 1;
  cpu.vector += 1;
});
const toHandler = [
  lowOfVector,
  // The sequence does not look at the interrupt lines at its end: one instruction of the handler always runs.
  read('vector', (cpu, d) => {
    cpu.pc = cpu.data | (d << 8);
    cpu.pipe &= ~0x202;
    if (cpu.vector === 0xfffb) cpu.nmiCount += 1;
    else cpu.irqCount += 1;
    end(cpu);
  }),
];

const own: Readonly<Record<string, readonly Cycle[]>> = {
  BRK: [
    read('pc', (cpu) => {
      next(cpu);
      cpu.vector = 0xfffe;
    }),
    pushHigh,
    pushLow,
    write(stackTop, statusWithBreak, hijack),
    ...toHandler,
  ],
  JSR: [
    read('pc', (cpu, d) => {
      cpu.data = d;
      next(cpu);
      toStack(cpu);
    }),
    read('address'),
    pushHigh,
    pushLow,
    read('pc', jumps),
  ],
  RTS: [
    lookAtStack,
    pulled,
    pulledToData,
    read('address', (cpu, d) => {
      cpu.pc = cpu.data | (d << 8);
    }),
    read('pc', (cpu) => {
      next(cpu);
      end(cpu);
    }),
  ],
  RTI: [
    lookAtStack,
    pulled,
    read('address', (cpu, d) => {
      pull(cpu);
      toStack(cpu);
      takeStatus(cpu, d);
    }),
    pulledToData,
    read('address', jumps),
  ],
  PHA: [discard, write(stackTop, (cpu) => cpu.a, pushesAndEnds)],
  PHP: [discard, write(stackTop, statusWithBreak, pushesAndEnds)],
  PLA: [lookAtStack, pulled, read('address', named(reads, 'LDA'), ends)],
  PLP: [
    lookAtStack,
    pulled,
    read('address', (cpu, d) => {
      takeStatus(cpu, d);
      end(cpu);
    }),
  ],
  JMP: [
    read('pc', (cpu, d) => {
      cpu.data = d;
      next(cpu);
    }),
    read('pc', jumps),
  ],
  'JMP indirect': [
    operandToAddress,
    highToAddress,
    // The page stays the same: a well-known mistake of the chip.
    read('address', (cpu, d) => {
      cpu.data = d;
      cpu.address = (cpu.address & 0xff00) | ((cpu.address + 1) & 255);
    }),
    read('address', jumps),
  ],
  JAM: [
    read('pc', (cpu) => {
      cpu.jammed = 1;
      cpu.pc = cpu.instructionPc;
      cpu.address = 0xffff;
    }),
    read('address', (cpu, _, u) => {
      cpu.step = u;
    }),
  ],
};

/**
 * What the last instruction left in words of its own is cleared, so that the state does not depend on how that instruction was run. An
 * interrupt that was seen in time takes the place of the opcode.
 */
export const fetch = read('pc', (cpu, d) => {
  cpu.instructionPc = cpu.pc;
  cpu.address = 0;
  cpu.pointer = 0;
  cpu.data = 0;
  cpu.crossing = 0;
  cpu.held = 0;
  if (cpu.pipe & 0x404) {
    if (cpu.pipe & 0x400) {
      cpu.nmiLatch = 0;
      cpu.pipe &= 0xff;
      cpu.vector = 0xfffa;
    } else cpu.vector = 0xfffe;
    // The first cycle of `interruptRow`.
    cpu.step = (256 << 3) | 1;
  } else {
    cpu.step = (d << 3) | 1;
    next(cpu);
  }
});

const accumulator = (cpu: Cpu, _: number, operation: Modify) => {
  let m = cpu.a;
  m = operation(cpu, m);
  cpu.a = m;
};
const modifying = (cpu: Cpu, _: number, operation: Modify) => {
  let m = cpu.data;
  m = operation(cpu, m);
  cpu.data = m;
};
const branching = (cpu: Cpu, d: number, operation: Taken) => {
  cpu.data = d;
  next(cpu);
  if (operation(cpu)) cpu.held = cpu.pipe & 0x202;
  else end(cpu);
};

const branchCycles: readonly Cycle[] = [
  // Taken without crossing a page, a branch keeps to what it saw of the interrupt lines in its first cycle.
  read('pc', (cpu) => {
    const target = (cpu.pc + ((cpu.data ^ 128) - 128)) & 0xffff;
    cpu.address = target;
    if (((target ^ cpu.pc) & 0xff00) === 0) {
      cpu.pipe = (cpu.pipe & ~0x202) | cpu.held;
      cpu.pc = target;
      end(cpu);
    } else cpu.pc = (cpu.pc & 0xff00) | (target & 255);
  }),
  read('pc', (cpu) => {
    cpu.pc = cpu.address;
    end(cpu);
  }),
];

const atAddress = (cpu: Cpu) => cpu.address;
const theData = (cpu: Cpu) => cpu.data;

/** The cycles of an instruction after the first. */
function cyclesAfterFetch(row: Opcode): readonly Cycle[] {
  const { mnemonic, mode, pattern } = row;
  switch (pattern) {
    case 'own':
      return named(own, mode === '(absolute)' ? 'JMP indirect' : mnemonic);
    case 'branch':
      return [read('pc', { around: branching, operation: named(branches, mnemonic) }), ...branchCycles];
    case 'implied':
      if (mode !== 'accumulator') return [read('pc', named(implied, mnemonic), ends)];
      return [read('pc', { around: accumulator, operation: named(modifies, mnemonic) }, ends)];
    case 'read': {
      const operation = named(reads, mnemonic);
      if (mode === 'immediate') return [read('pc', advance, operation, ends)];
      return [...addressing(row), read('address', operation, ends)];
    }
    case 'modify':
      return [
        ...addressing(row),
        read('address', (cpu, d) => {
          cpu.data = d;
        }),
        write(atAddress, theData, { around: modifying, operation: named(modifies, mnemonic) }),
        write(atAddress, theData, ends),
      ];
    case 'write': {
      const value = stores[mnemonic];
      if (value) return [...addressing(row), write(atAddress, value, ends)];
      return [
        ...addressing(row).slice(0, -1),
        read('address', named(unstable, mnemonic)),
        write(atAddress, theData, ends),
      ];
    }
  }
}

/** The high byte gets into the value, unless RDY held the processor up in the cycle before the write. */
const unstable: Readonly<Record<string, ReadOperation>> = {
  SHX: (cpu, _, u) => {
    const value = cpu.x;
    const anded = value & ((cpu.address >> 8) + 1);
    cpu.data = cpu.stalled === u ? value : anded;
    cpu.stalled = 0;
    if (cpu.crossing) cpu.address = (anded << 8) | (cpu.address & 255);
  },
  SHY: (cpu, _, u) => {
    const value = cpu.y;
    const anded = value & ((cpu.address >> 8) + 1);
    cpu.data = cpu.stalled === u ? value : anded;
    cpu.stalled = 0;
    if (cpu.crossing) cpu.address = (anded << 8) | (cpu.address & 255);
  },
  SHA: (cpu, _, u) => {
    const value = cpu.a & cpu.x;
    const anded = value & ((cpu.address >> 8) + 1);
    cpu.data = cpu.stalled === u ? value : anded;
    cpu.stalled = 0;
    if (cpu.crossing) cpu.address = (anded << 8) | (cpu.address & 255);
  },
  TAS: (cpu, _, u) => {
    const value = cpu.a & cpu.x;
    const anded = value & ((cpu.address >> 8) + 1);
    cpu.data = cpu.stalled === u ? value : anded;
    cpu.stalled = 0;
    cpu.s = cpu.a & cpu.x;
    if (cpu.crossing) cpu.address = (anded << 8) | (cpu.address & 255);
  },
};

const skipped = read('address', (cpu) => {
  push(cpu);
  toStack(cpu);
});

/** Every bus cycle of every opcode, and of the rows after them: interrupt and reset. */
export function cyclesByRow(opcodes: readonly Opcode[]): ReadonlyMap<number, readonly Cycle[]> {
  const rows = new Map(
    opcodes.map((row): [number, readonly Cycle[]] => [row.opcode, [fetch, ...cyclesAfterFetch(row)]]),
  );
  rows.set(interruptRow, [fetch, discard, pushHigh, pushLow, write(stackTop, statusOfInterrupt, hijack), ...toHandler]);
  rows.set(resetRow, [
    discard,
    lookAtStack,
    skipped,
    skipped,
    read('address', (cpu) => {
      push(cpu);
      cpu.vector = 0xfffc;
    }),
    lowOfVector,
    read('vector', (cpu, d) => {
      cpu.pc = cpu.data | (d << 8);
      cpu.pipe = 0;
      end(cpu);
    }),
  ]);
  return rows;
}

/** Carries out what is done in a cycle, after the access. */
export function act(cpu: Cpu, { acts }: Cycle, d: number, u: number): void {
  for (const each of acts) {
    if (typeof each === 'function') each(cpu, d, u);
    else (each.around as (cpu: Cpu, d: number, operation: Around['operation']) => void)(cpu, d, each.operation);
  }
}
