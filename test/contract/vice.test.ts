import { describe } from 'vitest';
import type { Machine } from '../../src/machine/machine.ts';
import { viceKind } from '../../src/machines/commodore/vice/vice-kind.ts';
import { hasVice } from '../support/real-vice.ts';
import { ofCommodores, printing } from './commodore.ts';
import { type Bench, describeMachine } from './machine.contract.ts';

/** INC written; LDA read; JSR inside; JMP to the first; inside: INX; RTS. Interrupts are off: they would take turns with it. */
const code = 'EE4003 AD4203 200CC0 4C00C0 E860';

async function bench({ memory, cpu }: Machine): Promise<Bench> {
  await memory?.poke('ram', 0xc000n, Buffer.from(code.replaceAll(' ', ''), 'hex'));
  for (const [name, value] of Object.entries({ PC: 0xc000n, SP: 0xffn, P: 0x24n })) await cpu?.setRegister(name, value);
  return {
    call: 0xc006n,
    inside: 0xc00cn,
    afterCall: 0xc009n,
    unwinds: true,
    written: 0x0340n,
    read: 0x0342n,
    register: 'Y',
    stops: {
      exec: { address: 0xc000n },
      read: { address: 0x0342n },
      write: { address: 0x0340n },
      change: { address: 0x0340n },
      raster: { address: 100n },
    },
  };
}

/** The lines of both ports. */
async function controlPorts({ memory }: Machine): Promise<unknown> {
  return [...((await memory?.peek('io', 0xdc00n, 2)) ?? [])];
}

const noWatching = "VICE's monitor tells nothing of what happens between two stops; the built-in machines do";
const noDevice = "VICE's monitor moves joysticks alone";

describe.skipIf(!hasVice)('a real VICE', () => {
  describeMachine({
    kind: viceKind,
    options: async () => ({ roms: 'own', boot: false }),
    bench,
    ...ofCommodores,
    assembly: printing('$c000'),
    monitorShows: [
      {
        language: 'vice',
        command: 'd c000 c002',
        answer: /INC \$0340/,
        refuses: ['quit', 'save "x" 0 0 ff', 'frobnicate', ''],
      },
    ],
    sees: { joystick: controlPorts },
    deaf: "VICE's monitor reaches the keyboard buffer, not the keys",
    lacks: {
      'control.rewind': 'VICE keeps no past',
      past: 'VICE keeps no past',
      film: 'VICE keeps no past',
      cycles: "VICE's monitor keeps no log of interrupts",
      moments: noWatching,
      trace: noWatching,
      coverage: noWatching,
      frameTrace: noWatching,
      profile: noWatching,
      busTrace: noWatching,
      functions: noWatching,
      graph: noWatching,
      callLog: noWatching,
      routines: noWatching,
      'memory.freeze': noWatching,
      audio: 'it was not started with "sound":"file"',
      processors: 'it has one; those of the drives are not built for VICE, and the built-in machines have them',
      'snapshots.peek': 'what is in a VSF file is known to VICE alone',
      'snapshots.pack': 'VICE does not validate VSF files, so it is given none from elsewhere',
      configuration: "VICE's monitor cannot list its resources; the options of machine_start decide",
      mouse: noDevice,
      paddles: noDevice,
      lightPen: noDevice,
      network: 'it has no network',
      console: 'nothing is plugged into its user port that a line could lead to',
      paging: 'a 6502 has no page tables',
      crash: 'a 6502 has no exceptions',
      linux: 'no Linux runs on a 6502',
      guestAgent: 'no program of QEMU runs on a 6502',
      source: 'its lines of source come without types',
    },
  });
});
