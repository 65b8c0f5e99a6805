import { MachineError } from '../../../machine/errors.ts';
import type { QemuSession } from '../qemu-session.ts';

/** QEMU takes ports that the board has no place for without a word; nobody would ever answer there. */
export async function requireSerialPorts(session: Pick<QemuSession, 'execute'>, wanted: number): Promise<void> {
  if (wanted < 2) return;
  const answer = await session.execute('query-chardev');
  const connected = new Set<unknown>();
  for (const device of Array.isArray(answer) ? answer : []) {
    if (device['frontend-open'] === true) connected.add(device.label);
  }
  const missing = Array.from({ length: wanted }, (_, port) => port).find((port) => !connected.has(`ser${port}`));
  if (missing === undefined || missing === 0) return;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `This board has ${missing} serial port${missing === 1 ? '' : 's'}, not ${wanted}.`,
    `Use "serial_ports":${missing}; "channels" are further lines for a guest with virtio.`,
  );
}
