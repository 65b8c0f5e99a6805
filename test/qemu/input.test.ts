import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { image as riscv64 } from './guests/riscv64.ts';
import { at as inInt16, image as int16 } from './guests/x86-int16.ts';
import { at, image as ps2 } from './guests/x86-ps2.ts';
import { image as bootSector } from './guests/x86-real.ts';
import { linuxGuest, shell, untilBooted, withBootMs } from './linux-guest.ts';
import { Lab, uBoot, type Vm } from './vm.ts';

const { signal } = new AbortController();

/** Key down, in the codes that a PC's controller gives. */
const codes = { a: 0x1e, ctrl: 0x1d, alt: 0x38, f5: 0x3f, shift: 0x2a } as const;
const up = 0x80;

async function startListener(lab: Lab): Promise<Vm> {
  const vm = await lab.start({ drives: [`${lab.file('ps2.img', ps2)},floppy`], memory: 16 });
  await vm.until('the mouse', () => heard(vm, 'M').length === 1);
  return vm;
}

/** The bytes that the guest has read from its keyboard (K) or its mouse (M). */
function heard(vm: Vm, device: 'K' | 'M', from = 0): number[] {
  const bytes = Buffer.from(vm.output().slice(from), 'latin1');
  return Array.from({ length: bytes.length >> 1 }, (_, at) => at * 2)
    .filter((at) => bytes[at] === device.charCodeAt(0))
    .map((at) => bytes[at + 1] ?? 0);
}

/** Sums of what packets of three bytes say. */
function movement(packets: readonly number[]): { dx: number; dy: number; largest: number } {
  let [dx, dy, largest] = [0, 0, 0];
  for (let at = 0; at + 2 < packets.length; at += 3) {
    const [flags = 0, x = 0, y = 0] = packets.slice(at, at + 3);
    dx += flags & 0x10 ? x - 256 : x;
    // Upwards is positive there.
    dy -= flags & 0x20 ? y - 256 : y;
    largest = Math.max(largest, Math.abs(flags & 0x10 ? x - 256 : x));
  }
  return { dx, dy, largest };
}

test('a chord is held together and let go in reverse; what is held repeats itself', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await startListener(lab);
  const { keyboard, control } = vm.machine;
  const { a, ctrl, alt, f5, shift } = codes;
  await keyboard.press(['ctrl', 'alt', 'f5'], 5, signal);
  await vm.until('the chord', () => heard(vm, 'K').includes(ctrl + up));
  expect(heard(vm, 'K')).toEqual([ctrl, alt, f5, f5 + up, alt + up, ctrl + up]);

  let from = vm.output().length;
  await keyboard.press(['a'], 40, signal);
  await vm.until('its end', () => heard(vm, 'K', from).includes(a + up));
  const repeated = heard(vm, 'K', from);
  expect(new Set(repeated.slice(0, -1))).toEqual(new Set([a]));
  expect(repeated.length, 'as a PS/2 keyboard does it').toBeGreaterThan(2);
  expect(repeated.at(-1)).toBe(a + up);

  // Whatever happens to the one who presses, keys are let go.
  from = vm.output().length;
  const given = new AbortController();
  const pressing = keyboard.press(['shift', 'a'], 3000, given.signal);
  await vm.until('the key', () => heard(vm, 'K', from).includes(a));
  given.abort();
  await expect(pressing).rejects.toThrow();
  await vm.until('its end', () => heard(vm, 'K', from).includes(shift + up));
  expect(heard(vm, 'K', from).filter((code) => code >= up)).toEqual([a + up, shift + up]);

  // Also if the guest is stopped then: QEMU would drop it.
  from = vm.output().length;
  await keyboard.hold(['a']);
  await vm.until('the key', () => heard(vm, 'K', from).length === 1);
  await control.pause();
  await keyboard.hold([]);
  await control.run({ wallMs: 1 }, signal);
  await vm.until('its end', () => heard(vm, 'K', from).length === 2);
  expect(heard(vm, 'K', from)).toEqual([a, a + up]);

  // A finger stays on its key while the power is off and on.
  await keyboard.hold(['a']);
  await control.reset('hard');
  await vm.until('the mouse', () => heard(vm, 'M').length === 2);
  from = vm.output().length;
  await keyboard.hold(['shift']);
  await vm.until('both keys', () => heard(vm, 'K', from).length === 2);
  expect(heard(vm, 'K', from)).toEqual([a + up, shift]);
});

test('a long movement and many clicks of a PS/2 mouse arrive whole', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await startListener(lab);
  const { mouse } = vm.machine;
  for (const [dx, dy] of [
    [7, -3],
    [3000, -400],
    [-1001, 2000],
  ] as const) {
    const from = vm.output().length;
    await mouse.moveBy(dx, dy);
    await vm.until(
      'the movement',
      () => heard(vm, 'M', from).length % 3 === 0 && movement(heard(vm, 'M', from)).dx === dx,
    );
    expect(movement(heard(vm, 'M', from))).toMatchObject({ dx, dy });
    expect(movement(heard(vm, 'M', from)).largest).toBeLessThanOrEqual(127);
  }
  await expect(mouse.moveBy(1e6, 0)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
});

test('typing that a breakpoint interrupts says so', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await startListener(lab);
  const typing = vm.machine.keyboard.type('abcdefghijklmnopqrstuvwxyz'.repeat(4), signal);
  const failure = expect(typing).rejects.toMatchObject({
    type: 'WRONG_STATE',
    message: expect.stringMatching(/^The machine stopped during typing: it took \d+ of 104 characters/),
  });
  await vm.until('some keys', () => heard(vm, 'K').length > 6);
  const here = { type: 'exec', address: at.say, length: 1, logOnly: false, temporary: false } as const;
  await vm.machine.breakpoints.set(here);
  await failure;
});

test('keyboards and tablets without a driver are named', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const bare = await lab.start({ arch: 'riscv64', memory: 32, bios: lab.file('rv.bin', riscv64), gpu: 'on' });
  await bare.printed(/READY/);
  const { keyboard, mouse } = bare.machine;
  await expect(keyboard.type('a', signal)).rejects.toMatchObject({
    type: 'WRONG_STATE',
    message: 'The guest has no driver for its virtio keyboard yet, so keys go nowhere.',
  });
  const tablet = 'The guest has no driver for the QEMU Virtio Tablet yet, so';
  await expect(mouse.moveTo(1, 1)).rejects.toMatchObject({ message: `${tablet} positions go nowhere.` });
  await expect(mouse.button('left', true)).rejects.toMatchObject({ message: `${tablet} clicks go nowhere.` });
  await expect(mouse.moveBy(1, 1)).rejects.toMatchObject({ type: 'MISSING_CAPABILITY' });
  expect(await mouse.reach()).toEqual({ positions: false, movements: false, wheel: false });

  // A keyboard of USB takes the keys from the one that U-Boot reads.
  const vm = await lab.start({ ...uBoot.x86, extra: ['-device', 'usb-kbd,bus=usb.0'] });
  await vm.uBootPrompt();
  await expect(vm.machine.keyboard.press(['a'], 1, signal)).rejects.toMatchObject({
    type: 'WRONG_STATE',
    message: 'The guest has no driver for its USB keyboard yet, so keys go nowhere.',
  });

  const pc = await lab.start({
    drives: [`${lab.file('sector.img', bootSector)},floppy`],
    memory: 16,
    extra: ['-device', 'usb-kbd,bus=usb.0'],
  });
  await pc.printed(/READY/);
  const typed = async () => Buffer.from(await pc.machine.memory.peek('physical', 0x41en, 6)).toString('hex');
  const before = await typed();
  await pc.machine.keyboard.type('usb', signal);
  await pc.until('the BIOS', async () => (await typed()) !== before && /7516731f6230/.test(await typed()));
});

/** What the guest's kernel got from one of its devices, as `type:code:value` without the ends of packets. */
async function eventsIn(vm: Vm, file: string): Promise<string[]> {
  const { output } = await shell(vm, `hexdump -v -e '24/1 "%02x" "\\n"' ${file}`);
  return output
    .split('\n')
    .map((line) => Buffer.from(line.trim(), 'hex'))
    .filter((bytes) => bytes.length === 24 && bytes.readUInt16LE(16) !== 0)
    .map((bytes) => `${bytes.readUInt16LE(16)}:${bytes.readUInt16LE(18)}:${bytes.readInt32LE(20)}`);
}

test('Linux gets keys, positions, clicks and wheel by virtio', { timeout: withBootMs }, async () => {
  await using lab = new Lab();
  const devices = ['virtio-keyboard-pci', 'virtio-tablet-pci'].flatMap((name) => ['-device', name]);
  const vm = await lab.start({ ...linuxGuest(join(lab.folder, 'initrd.cpio')), extra: devices });
  const { keyboard, mouse } = vm.machine;
  await untilBooted(vm);
  const record =
    'for e in /dev/input/event*; do cat $e > "/tmp/$(cat /sys/class/input/$(basename $e)/device/name)" & done';
  await shell(vm, `(${record}) 2>/dev/null`);
  const open = 'for p in $(pidof cat); do ls -l /proc/$p/fd; done | grep -c input/event';
  const all = (await shell(vm, 'ls /dev/input/event* | wc -l')).output;
  await vm.until('the readers', async () => (await shell(vm, open)).output === all);
  await keyboard.type('Hi', signal);
  const keys = "'/tmp/QEMU Virtio Keyboard'";
  await vm.until('the keys', async () => (await eventsIn(vm, keys)).length >= 6);
  expect(await eventsIn(vm, keys)).toEqual(['1:42:1', '1:35:1', '1:35:0', '1:42:0', '1:23:1', '1:23:0']);
  const size = { width: 640, height: 480 };
  await mouse.moveTo(0, 0, size);
  await mouse.moveTo(639, 479, size);
  await mouse.button('right', true);
  await mouse.button('right', false);
  await mouse.wheel(-2);
  await expect(mouse.moveTo(640, 0, size)).rejects.toMatchObject({ fix: 'It has 640x480 pixels.' });
  const tablet = "'/tmp/QEMU Virtio Tablet'";
  await vm.until(
    'the wheel',
    async () => (await eventsIn(vm, tablet)).filter((event) => event === '2:8:-1').length === 2,
  );
  const seen = (await eventsIn(vm, tablet)).filter((event) => !event.startsWith('2:11:'));
  // The middle of the first pixel and of the last, of 32,768 steps.
  expect(seen.slice(0, 4)).toEqual(['3:0:26', '3:1:34', '3:0:32741', '3:1:32733']);
  expect(seen.slice(4).filter((event) => /^(?:1:273|2:8):/.test(event))).toEqual([
    '1:273:1',
    '1:273:0',
    '2:8:-1',
    '2:8:-1',
  ]);
});

test('a program that asks the BIOS now and then gets every key', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ drives: [`${lab.file('int16.img', int16)},floppy`], memory: 16 });
  await vm.printed(/READY\n/);
  const from = vm.output().length;
  const text = 'The quick brown fox jumps over 13 dogs!\n!';
  await vm.machine.keyboard.type(text, signal);
  const wanted = text.replaceAll('\n', '\r');
  await vm.until('all keys', () => vm.output().length >= from + wanted.length);
  expect(vm.output().slice(from)).toBe(wanted);

  // After a Z it asks no more: what the BIOS holds for it is neither lost nor read.
  const failure: unknown = await vm.machine.keyboard
    .type(`Z${'x'.repeat(40)}`, signal)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({
    type: 'WRONG_STATE',
    message: expect.stringMatching(
      /^The guest does not read what the BIOS keeps for it: it took 1[3-6] of 41 .* 1[2-5] wait/,
    ),
  });
  const full = async () => {
    for (let keys = 0; keys < 4; keys++) await vm.machine.keyboard.press(['a'], 1, signal);
  };
  await expect(full()).rejects.toThrow('no key was pressed; 15 wait in the BIOS');
  const read = Buffer.from(await vm.machine.memory.peek('physical', inInt16.deaf, 1));
  expect(read.toString('hex'), 'it sleeps').toBe('f4');
});

test.for([
  // The first instruction is a loop to itself.
  ['arm', { machine: 'versatilepb', extra: ['-device', 'virtio-keyboard-pci'] }, [0xfe, 0xff, 0xff, 0xea]],
  ['ppc', { machine: 'mac99', gpu: 'std' }, undefined],
] as const)(
  '%s: a keyboard of the board gets keys beside one that nobody drives',
  async ([arch, options, code], { skip }) => {
    skip(!existsSync(`/usr/bin/qemu-system-${arch}`), `no qemu-system-${arch}`);
    await using lab = new Lab();
    const kernel = code && { kernel: lab.file('loop.bin', Uint8Array.from(code)) };
    const vm = await lab.start({ arch, memory: 64, ...options, ...kernel });
    expect(await vm.machine.monitor?.execute('hmp', 'info qtree', {})).toContain('dev: virtio-keyboard');
    await vm.machine.keyboard.type('ab', signal);
    await vm.machine.keyboard.press(['shift', 'a'], 1, signal);
  },
);
