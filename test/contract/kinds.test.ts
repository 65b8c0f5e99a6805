import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import type { Machine } from '../../src/machine/machine.ts';
import { c64Kind } from '../../src/machines/commodore/c64/c64-kind.ts';
import { c16Kind, plus4Kind } from '../../src/machines/commodore/plus4/plus4-kind.ts';
import { vic20Kind } from '../../src/machines/commodore/vic20/vic20-kind.ts';
import { consoleKind } from '../../src/machines/console/console-kind.ts';
import { dosKind } from '../../src/machines/dos/dos-kind.ts';
import { toyKind } from '../toy-kind.ts';
import { type Bench, describeMachine } from './machine.contract.ts';
import { abilities } from './subject.ts';

let guest: Server;
beforeAll(async () => {
  // A machine that is disposed of at once may cut the line before the greeting is sent.
  guest = createServer((socket) => socket.on('error', () => {}).end('hello\r\n')).listen(0, '127.0.0.1');
  await new Promise((resolve) => guest.once('listening', resolve));
});
afterAll(() => void guest.close());

/** All but these, for the same reason. */
function allBut(present: readonly string[], reason: string) {
  return Object.fromEntries(abilities.filter((each) => !present.includes(each)).map((each) => [each, reason]));
}

describeMachine({
  kind: toyKind,
  options: async () => ({}),
  timeless: 'it has no clock',
  eventless: 'it is sixteen bytes for tests of the rack',
  lacks: allBut(['control', 'control.frames', 'memory'], 'it is sixteen bytes for tests of the rack'),
});

describeMachine({
  kind: consoleKind,
  async options() {
    const address = guest.address();
    return { port: typeof address === 'object' && address !== null ? address.port : 0 };
  },
  lacks: allBut(['console'], 'only its line is known'),
});

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
        irq: needsMore,
        nmi: needsMore,
        brk: needsMore,
        ...(machine.kind === 'c64' && { sprite_sprite: needsMore, sprite_background: needsMore }),
      },
    };
  };
}

const needsMore = 'it needs a program of its own, and has one in the tests of the machine';
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

const atTheirPrompt = {
  prompt: /^READY\./im,
  medium: { name: 'blank.d64', bytes: new Uint8Array(174_848), readOnly: false },
};

describeMachine({
  kind: c64Kind,
  options: async () => ({ roms: 'own', boot: false }),
  ...atTheirPrompt,
  bench: mos6502(0xc000, 0x0340, 0xd020),
  lacks: notACommodores,
});

describeMachine({
  kind: vic20Kind,
  options: async () => ({ roms: 'own', boot: false }),
  ...atTheirPrompt,
  bench: mos6502(0x1400, 0x1600, 0x900f),
  lacks: { ...notACommodores, mouse: 'the 1351 fits no VIC-20' },
});

for (const kind of [plus4Kind, c16Kind]) {
  describeMachine({
    kind,
    options: async () => ({ roms: 'own', boot: false }),
    ...atTheirPrompt,
    bench: mos6502(0x1400, 0x1600, 0xff19),
    lacks: {
      ...notACommodores,
      mouse: 'the 1351 fits no control port of it',
      paddles: 'a TED measures none',
      lightPen: 'a TED knows nothing of one',
    },
  });
}

/** inc byte [200h]; mov al,[201h]; in al,61h; out 80h,al; int 60h; call 12h; jmp 0; 12h: inc cx; ret; 20h: iret */
const x86Code = 'FE060002 A00102 E461 E680 CD60 E80200 EBEE 41C3';

async function dosBench({ memory, cpu }: Machine): Promise<Bench> {
  const base = 0x10000n;
  await memory?.poke('cpu', base, Buffer.from(x86Code.replaceAll(' ', ''), 'hex'));
  await memory?.poke('cpu', base + 0x20n, Uint8Array.of(0xcf));
  await memory?.poke('cpu', 4n * 0x60n, Uint8Array.of(0x20, 0, 0, 0x10));
  const registers = { cs: 0x1000n, ip: 0n, ds: 0x1000n, ss: 0x2000n, sp: 0x100n };
  for (const [name, value] of Object.entries(registers)) await cpu?.setRegister(name, value);
  const [written, read] = [base + 0x200n, base + 0x201n];
  return {
    call: base + 0xdn,
    inside: base + 0x12n,
    afterCall: base + 0x10n,
    unwinds: true,
    written,
    read,
    register: 'EDX',
    stops: {
      exec: { address: base },
      read: { address: read },
      write: { address: written },
      change: { address: written },
      in: { address: 0x61n },
      out: { address: 0x80n },
      interrupt: { address: 0x60n },
      time: { address: 100_000n },
    },
    elsewhere: { program: needsMore },
  };
}

const notADos = 'it is built for the boards of Commodores, cycle by cycle';

describeMachine({
  kind: dosKind,
  options: async () => ({ run_to_prompt: false }),
  bench: dosBench,
  prompt: /^[A-Z]:\\>/im,
  medium: { name: 'blank.img', bytes: new Uint8Array(1_474_560), readOnly: false },
  lacks: {
    processors: 'it has one',
    configuration: 'what it is made of is decided when it starts',
    annotations: 'names are in its book of names, with what is known of them',
    moments: notADos,
    frameTrace: notADos,
    profile: notADos,
    busTrace: notADos,
    routines: notADos,
    past: notADos,
    paging: 'page tables are walked for QEMU guests; not built for the DOS PC',
    source: 'its programs come without debug information',
    variables: 'its programs come without debug information',
    linux: 'it runs DOS',
    guestAgent: 'no program of QEMU runs there',
    twin: 'there is no DOS PC of others here to compare it with',
    crash: 'it stops at what a program did wrong; exceptions of protected mode go to its handlers',
    paddles: 'a joystick has its axes',
    lightPen: 'nobody had one at a VGA',
    symbols: 'names are in its book of names (names_import)',
    cycles: 'its time is instructions',
    network: 'it has no network card',
    monitor: 'it is built in: tools do what a monitor would',
  },
});
