import { expect, test } from 'vitest';
import type { PreparedDrive } from '../disk/prepare-drives.ts';
import { qemuOptions } from '../qemu-options.ts';
import { boardOf } from './board.ts';
import { commandLine } from './command-line.ts';

const paths = {
  qmp: '/r/m',
  gdb: '/r/g',
  tpm: '/run/t',
  virtiofs: '/run/v',
  counts: '/run/counts',
  agent: '/run/a',
  debugConsole: '/run/d',
  serial: (port: number) => `/r/s${port}`,
  channel: (index: number) => `/r/c${index}`,
};

function lineFor(given: Record<string, unknown>, drives: readonly PreparedDrive[] = []): string {
  const options = qemuOptions.parse(given);
  const board = boardOf(options.arch, options.machine, options.cpu);
  return commandLine({ options, launched: options, board, drives, paths, accel: 'tcg' }).join(' ');
}

function drive(id: string, extra: Partial<PreparedDrive> & { readonly path?: string }): PreparedDrive {
  const { path, ...rest } = extra;
  const node = {
    driver: 'qcow2',
    'node-name': `${id}-image`,
    'read-only': false,
    file: { driver: 'file', filename: path ?? '' },
  } as const;
  const medium = path === undefined ? undefined : { node, source: path, overlay: true };
  return { id, type: 'disk', interface: 'virtio', medium, ...rest };
}

test('it always waits for us, with its monitor, debugger and first serial port', () => {
  const line = lineFor({});
  expect(line).toMatch(
    /^-nodefaults -no-user-config -S -display none -audiodev none,id=sound -qmp unix:\/r\/m,server=on,wait=off -gdb unix:path=\/r\/g,/,
  );
  expect(line).toContain('-chardev socket,id=ser0,path=/r/s0,server=on,wait=off -serial chardev:ser0');
  expect(line).toContain('-machine pc -accel tcg -m 256 -chardev');
  expect(line).toContain('-vga std -device qemu-xhci,id=usb -device usb-tablet,bus=usb.0');
  expect(line).toContain('-nic none');
});

test('boards get what they can take', () => {
  const virt = lineFor({ arch: 'aarch64', gpu: 'on', channels: ['data'], hotplug_slots: 1 });
  expect(virt).toContain('-machine virt -cpu cortex-a57');
  expect(virt).toContain('-device virtio-gpu-pci -device virtio-keyboard-pci -device virtio-tablet-pci');
  expect(virt).toContain('-device pcie-root-port,id=slot0,chassis=1');
  expect(virt).toContain('-device virtserialport,bus=channels.0,nr=1,chardev=chan0,name=data');
  expect(lineFor({ arch: 'riscv64' })).not.toMatch(/-cpu|gpu|tablet|vga/);
  expect(lineFor({ arch: 'aarch64', machine: 'raspi3b' }), 'what the board has is left to it').not.toMatch(
    / -m | -smp /,
  );
  expect(lineFor({ smp: 2, memory: 64 })).toContain('-m 64 -smp 2');
  const ide = [drive('drive0', { interface: 'ide' }), drive('cd0', { interface: 'ide', type: 'cdrom' })];
  expect(lineFor({ machine: 'q35' }, ide)).toContain(
    '-device ide-hd,bus=ide.0,id=drive0 -device ide-cd,bus=ide.1,id=cd0',
  );
  expect(lineFor({}, ide), 'two on a cable').toContain(
    '-device ide-hd,bus=ide.0,unit=0,id=drive0 -device ide-cd,bus=ide.0,unit=1,id=cd0',
  );
  const lines = lineFor({ arch: 'aarch64', serial_ports: 2 });
  expect(lines).toContain('-serial chardev:ser0 -chardev socket,id=ser1,path=/r/s1,server=on,wait=off');
  expect(lines, 'what the board has not is plugged in').toContain('-device pci-serial,chardev=ser1');
  expect(lineFor({ serial_ports: 2 })).toContain('-serial chardev:ser1');
  expect(lineFor({ arch: 's390x' })).toContain('-device sclpconsole,chardev=ser0');
  expect(lineFor({ machine: 'microvm', network: 'user' })).toContain('-device virtio-net-device,netdev=net0');
  expect(lineFor({ machine: 'q35', gpu: 'none' })).not.toMatch(/vga|tablet/);
  expect(lineFor({ serial_ports: 0 })).not.toContain('-serial');
  expect(() => lineFor({ arch: 'm68k', machine: 'q800', gpu: 'on' })).toThrow('No display is known');
  for (const gpu of ['VGA,romfile=/etc/passwd', 'VGA,romfile=passwd', 'usb-mtp,rootdir=..']) {
    expect(() => lineFor({ gpu })).toThrow('is not a display');
  }
});

test('networks', () => {
  expect(lineFor({ network: 'user', forward: ['2222:22', 'udp:5353:53'] })).toContain(
    '-netdev user,id=net0,hostfwd=tcp:127.0.0.1:2222-:22,hostfwd=udp:127.0.0.1:5353-:53 -device virtio-net-pci,netdev=net0',
  );
  expect(lineFor({ network: 'isolated', nic: 'e1000' })).toContain('-netdev user,id=net0,restrict=on -device e1000,');
  expect(lineFor({ network: 'tap', tap: 'tap0' })).toContain(
    'tap,id=net0,ifname=tap0,script=no,downscript=no,vnet_hdr=off',
  );
  expect(() => lineFor({ network: 'tap' })).toThrow('needs the name');
  expect(() => lineFor({ network: 'user', forward: ['99999:22'] })).toThrow('1 to 65535');
});

test('drives; a comma in a path stays one', () => {
  const line = lineFor({ share: '/data,1' }, [
    drive('drive0', { path: '/a,b.img' }),
    drive('drive1', { path: '/c.img', interface: 'ide' }),
    drive('drive2', { path: '/d,,1.img', interface: 'sd' }),
    drive('cd0', { type: 'cdrom', interface: 'scsi' }),
    drive('floppy0', { type: 'floppy', interface: 'floppy', path: '/f.img' }),
  ]);
  expect(line).toContain('"filename":"/a,b.img"}} -device virtio-blk-pci,id=drive0,drive=drive0-image');
  expect(line).toContain('-device ide-hd,bus=ide.0,unit=0,id=drive1,drive=drive1-image');
  expect(line).toContain(
    '-drive if=sd,id=drive2,file=json:{"driver":"qcow2",,"node-name":"drive2-image",,"read-only":false,,"file":{"driver":"file",,"filename":"/d,,,,1.img"}}',
  );
  expect(line).toContain('-device virtio-scsi-pci,id=scsi');
  expect(line).toContain('-device scsi-cd,bus=scsi.0,id=cd0');
  expect(line).toContain('-device floppy,id=floppy0,drive=floppy0-image');
  expect(line).toContain('-fsdev local,id=share,path=/data,,1,security_model=none,readonly=on');
});

test('a folder by virtiofs: the guest has memory that another program can read', () => {
  const line = lineFor({ arch: 'aarch64', share: '/data', share_by: 'virtiofs', memory: 64 });
  expect(line).toContain('-machine virt,memory-backend=ram ');
  expect(line).toContain('-object memory-backend-memfd,id=ram,size=64M,share=on');
  expect(line).toContain('-chardev socket,id=sharefs,path=/run/v -device vhost-user-fs-pci,chardev=sharefs,tag=share');
  expect(line).not.toContain('fsdev');
});
