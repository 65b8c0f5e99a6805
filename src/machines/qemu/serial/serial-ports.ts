import { MachineError } from '../../../machine/errors.ts';
import type { QemuSession } from '../qemu-session.ts';

/** QEMU takes ports that the board has no place for without a word; nobody would ever answer there. */
export async function requireSerialPorts(session: Pick<QemuSession, 'query'>, wanted: number): Promise<void> {
  if (wanted < 2) return;
  const devices = await session.query('query-chardev');
  const connected = new Set(devices.filter((device) => device['frontend-open']).map(({ label }) => label));
  const missing = Array.from({ length: wanted }, (_, port) => port).find((port) => !connected.has(`ser${port}`));
  if (missing === undefined || missing === 0) return;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `This board has ${missing} serial port${missing === 1 ? '' : 's'}, not ${wanted}.`,
    `Use "serial_ports":${missing}; "channels" are further lines for a guest with virtio.`,
  );
}
