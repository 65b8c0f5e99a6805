import type { Machine } from '../../src/machine/machine.ts';
import { c64Kind } from '../../src/machines/commodore/c64/c64-kind.ts';
import { c16Kind, plus4Kind } from '../../src/machines/commodore/plus4/plus4-kind.ts';
import { vic20Kind } from '../../src/machines/commodore/vic20/vic20-kind.ts';
import { ofCommodores, printing, readByCode } from './commodore.ts';
import { type Bench, describeMachine } from './machine.contract.ts';
import { needsAnotherProgram } from './subject.ts';

/** INC written; LDA read; STA register; JSR inside; JMP to the first; inside: INX; RTS */
function mos6502(base: number, data: number, register: number) {
  const word = (value: number) => [value & 255, value >> 8];
  const code = [
    [0xee, ...word(data)],
    [0xad, ...word(data + 2)],
    [0x8d, ...word(register)],
    [0x20, ...word(base + 15)],
    [0x4c, ...word(base)],
    [0xe8, 0x60],
  ].flat();
  return async (machine: Machine): Promise<Bench> => {
    const { memory, cpu } = machine;
    await memory?.poke('ram', BigInt(base), Uint8Array.from(code));
    await cpu?.setRegister('PC', BigInt(base));
    await cpu?.setRegister('SP', 0xffn);
    const [written, read] = [BigInt(data), BigInt(data + 2)];
    return {
      call: BigInt(base + 9),
      inside: BigInt(base + 15),
      afterCall: BigInt(base + 12),
      unwinds: true,
      written,
      read,
      register: 'Y',
      stops: {
        exec: { address: BigInt(base) },
        read: { address: read },
        write: { address: written },
        change: { address: written },
        raster: { address: 100n },
        chip_write: { address: BigInt(register) },
        composite: { address: 0n, tree: { operator: 'and', of: [writes(written), { condition: 'X >= 0' }] } },
      },
      elsewhere: {
        irq: needsAnotherProgram,
        nmi: needsAnotherProgram,
        brk: needsAnotherProgram,
        ...(machine.kind === 'c64' && { sprite_sprite: needsAnotherProgram, sprite_background: needsAnotherProgram }),
      },
    };
  };
}

const writes = (address: bigint) => ({ type: 'write', address, length: 1 });

const notACommodores = {
  monitor: 'it is built in: tools do what a monitor would',
  network: 'it has no network',
  console: 'nothing is plugged into its user port that a line could lead to',
  paging: 'a 6502 has no page tables',
  crash: 'a 6502 has no exceptions',
  linux: 'no Linux runs on a 6502',
  guestAgent: 'no program of QEMU runs on a 6502',
  twin: 'it is what a VICE is compared with',
  source: 'its lines of source come without types',
};

/** Pots of the first port and the lines of its buttons. */
const c64Pots = readByCode(0xc100, 'AD19D4', 'AD1AD4', 'AD01DC');

describeMachine({
  kind: c64Kind,
  options: async () => ({ roms: 'own', boot: false }),
  ...ofCommodores,
  bench: mos6502(0xc000, 0x0340, 0xd020),
  assembly: printing('$c000'),
  sees: {
    joystick: readByCode(0xc100, 'AD00DC', 'AD01DC'),
    mouse: c64Pots,
    paddles: c64Pots,
    lightPen: readByCode(0xc100, 'AD13D0', 'AD14D0'),
  },
  lacks: notACommodores,
});

describeMachine({
  kind: vic20Kind,
  options: async () => ({ roms: 'own', boot: false }),
  ...ofCommodores,
  bench: mos6502(0x1400, 0x1600, 0x900f),
  assembly: printing('$1400'),
  sees: {
    joystick: readByCode(0x1500, 'AD1191', 'A97F8D2291AD2091'),
    paddles: readByCode(0x1500, 'AD0890', 'AD0990', 'AD1191', 'A97F8D2291AD2091'),
    lightPen: readByCode(0x1500, 'AD0690', 'AD0790'),
  },
  lacks: { ...notACommodores, mouse: 'the 1351 fits no VIC-20' },
});

for (const kind of [plus4Kind, c16Kind]) {
  describeMachine({
    kind,
    options: async () => ({ roms: 'own', boot: false }),
    ...ofCommodores,
    bench: mos6502(0x1400, 0x1600, 0xff19),
    assembly: printing('$1400'),
    sees: { joystick: readByCode(0x1500, 'A9FF8D30FDA9FA8D08FFAD08FF', 'A9FF8D30FDA9FD8D08FFAD08FF') },
    lacks: {
      ...notACommodores,
      mouse: 'the 1351 fits no control port of it',
      paddles: 'a TED measures none',
      lightPen: 'a TED knows nothing of one',
    },
  });
}
