import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listPorts } from './list-ports.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sys-'));
});
afterEach(() => rm(root, { recursive: true }));

/** A part of sysfs as Linux lays it out. */
async function port(name: string, device: string | undefined, files: Record<string, string> = {}): Promise<void> {
  const folder = join(root, 'sys/class/tty', name);
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), `${text}\n`);
  if (device === undefined) return;
  await mkdir(join(root, device), { recursive: true });
  await symlink(join(root, device), join(folder, 'device'));
}

test('ports are listed with the numbers and names of their USB devices, and the names that last', async () => {
  await port('tty1', undefined);
  await port('ttyS0', 'sys/devices/platform/serial8250', { type: '4' });
  await port('ttyS1', 'sys/devices/platform/serial8250', { type: '0' });
  const usb = 'sys/devices/pci0000:00/usb1/1-2';
  await port('ttyUSB10', `${usb}/1-2:1.0/ttyUSB10`);
  await port('ttyUSB9', 'sys/devices/pci0000:00/usb1/1-3/1-3:1.0/ttyUSB9');
  const said = {
    idVendor: '0403',
    idProduct: '6001',
    manufacturer: 'FTDI',
    product: 'FT232R\x07 UART',
    serial: 'A50285BI',
  };
  for (const [file, text] of Object.entries(said)) await writeFile(join(root, usb, file), `${text}\n`);
  const byId = join(root, 'dev/serial/by-id');
  await mkdir(byId, { recursive: true });
  await symlink('../../ttyUSB10', join(byId, 'usb-FTDI_FT232R-if00-port0'));
  expect(await listPorts(root, 'linux')).toEqual([
    { path: '/dev/ttyS0' },
    { path: '/dev/ttyUSB9' },
    {
      path: '/dev/ttyUSB10',
      stableName: '/dev/serial/by-id/usb-FTDI_FT232R-if00-port0',
      usb: {
        vendorId: '0403',
        productId: '6001',
        manufacturer: 'FTDI',
        product: 'FT232R  UART',
        serialNumber: 'A50285BI',
      },
    },
  ]);
});

test('a computer without any has none', async () => {
  expect(await listPorts(root, 'linux')).toEqual([]);
});

test('this computer can be asked though udevadm is not there', () => {
  const code = `const { listPorts } = await import('./src/links/serial/list-ports.ts'); console.log((await listPorts()).length >= 0)`;
  const asked = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    cwd: new URL('../../../', import.meta.url).pathname,
    env: { PATH: '/nonexistent' },
    encoding: 'utf8',
  });
  expect(asked).toMatchObject({ status: 0, stdout: 'true\n' });
});
