import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A serial port of this computer. */
export interface ListedPort {
  readonly path: string;
  /** The name under which it is found again, whatever else is plugged in. */
  readonly stableName?: string;
  readonly usb?: {
    /** As four hexadecimal digits. */
    readonly vendorId: string;
    readonly productId: string;
    readonly manufacturer?: string;
    readonly product?: string;
    readonly serialNumber?: string;
  };
}

const maxTextBytes = 200;
/** USB ports hang a few levels below the device that has the numbers. */
const maxLevels = 8;

/**
 * The serial ports there are. Linux: from its own files, because the package serialport asks `udevadm`, which is not
 * installed everywhere. Elsewhere the package answers.
 */
export async function listPorts(root = '/', platform: NodeJS.Platform = process.platform): Promise<ListedPort[]> {
  return platform === 'linux' ? listLinuxPorts(root) : listByPackage();
}

async function listLinuxPorts(root: string): Promise<ListedPort[]> {
  const folder = join(root, 'sys/class/tty');
  const stable = await stableNames(root);
  const ports: ListedPort[] = [];
  for (const name of (await readdir(folder).catch(() => [])).sort(byNumber)) {
    const device = await realpath(join(folder, name, 'device')).catch(() => undefined);
    // Without a device it is a terminal of people; a 16550 of type 0 is a place where none is.
    if (device === undefined || (await readText(join(folder, name, 'type'))) === '0') continue;
    const usb = await usbOf(device);
    const link = stable.get(name);
    ports.push({ path: `/dev/${name}`, ...(link && { stableName: link }), ...(usb && { usb }) });
  }
  return ports;
}

/** Links that udev makes, by the device they lead to. */
async function stableNames(root: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const kind of ['by-path', 'by-id']) {
    const folder = join(root, 'dev/serial', kind);
    for (const link of await readdir(folder).catch(() => [])) {
      const target = await readlink(join(folder, link)).catch(() => undefined);
      if (target !== undefined) names.set(basename(target), `/dev/serial/${kind}/${link}`);
    }
  }
  return names;
}

async function usbOf(device: string): Promise<ListedPort['usb']> {
  let folder = device;
  for (let level = 0; level < maxLevels && dirname(folder) !== folder; level++, folder = dirname(folder)) {
    const vendorId = await readText(join(folder, 'idVendor'));
    const productId = await readText(join(folder, 'idProduct'));
    if (vendorId === undefined || productId === undefined) continue;
    const manufacturer = await readText(join(folder, 'manufacturer'));
    const product = await readText(join(folder, 'product'));
    const serialNumber = await readText(join(folder, 'serial'));
    return {
      vendorId,
      productId,
      ...(manufacturer !== undefined && { manufacturer }),
      ...(product !== undefined && { product }),
      ...(serialNumber !== undefined && { serialNumber }),
    };
  }
  return undefined;
}

async function listByPackage(): Promise<ListedPort[]> {
  const { SerialPort } = await import('serialport');
  const found = await SerialPort.list();
  return found.map(({ path, vendorId, productId, manufacturer, serialNumber }) => ({
    path,
    ...(vendorId !== undefined &&
      productId !== undefined && {
        usb: {
          vendorId,
          productId,
          ...(manufacturer !== undefined && { manufacturer }),
          ...(serialNumber !== undefined && { serialNumber }),
        },
      }),
  }));
}

/** What devices say of themselves is no more than a name. */
async function readText(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text?.slice(0, maxTextBytes).replace(/\p{C}/gu, ' ').trim() || undefined;
}

function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
