import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import type { Machine } from '../../src/machine/machine.ts';
import { consoleKind } from '../../src/machines/console/console-kind.ts';
import { dosKind } from '../../src/machines/dos/dos-kind.ts';
import { toyKind } from '../toy-kind.ts';
import { never, patientMs } from './context.ts';
import { type Bench, describeMachine } from './machine.contract.ts';
import { abilities, needsAnotherProgram } from './subject.ts';

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
      access: { address: read },
      change: { address: written },
      in: { address: 0x61n },
      out: { address: 0x80n },
      port: { address: 0x61n },
      interrupt: { address: 0x60n },
      time: { address: 100_000n },
    },
    elsewhere: { program: needsAnotherProgram },
  };
}

/** Runs code at 1800:0000 to its last instruction, a jump to itself, and shows registers. */
function readByX86(code: string, ...names: readonly string[]) {
  return async ({ memory, cpu, control }: Machine): Promise<readonly unknown[]> => {
    const bytes = Buffer.from(`${code}EBFE`.replaceAll(' ', ''), 'hex');
    await memory?.poke('cpu', 0x18000n, bytes);
    await cpu?.setRegister('cs', 0x1800n);
    await cpu?.setRegister('ip', 0n);
    await control?.run({ address: 0x18000n + BigInt(bytes.length - 2), wallMs: patientMs }, never);
    const registers = (await cpu?.registers()) ?? [];
    return names.map((name) => String(registers.find((each) => each.name.toLowerCase() === name)?.value));
  };
}

const notADos = 'it is built for the boards of Commodores, cycle by cycle';

describeMachine({
  kind: dosKind,
  options: async () => ({ run_to_prompt: false }),
  bench: dosBench,
  assembly: 'org 100h\nmov dx, text\nmov ah, 9\nint 21h\nret\ntext: db "XYZZY$"\n',
  sees: {
    // Counts how long each axis is charged, and keeps the buttons.
    joystick: readByX86(
      'BA0102EE31F631FF31DB31EDB90004ECA801740146A802740147A804740143A808740145E2E924F0',
      'esi',
      'edi',
      'ebx',
      'ebp',
      'eax',
    ),
    mouse: readByX86('B80300 CD33', 'ebx', 'ecx', 'edx'),
  },
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
    'symbols.unload': 'names are in its book of names (names_import)',
    cycles: 'its time is instructions',
    network: 'it has no network card',
    monitor: 'it is built in: tools do what a monitor would',
  },
});
