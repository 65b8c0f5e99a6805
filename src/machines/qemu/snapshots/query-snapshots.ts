import type { QemuSession } from '../qemu-session.ts';

/** Bytes of the state of each snapshot in a node, by tag; undefined when there is no such node. */
export async function storedSnapshots(
  session: QemuSession,
  node: string,
): Promise<ReadonlyMap<string, number> | undefined> {
  const nodes = await session.query('query-named-block-nodes', { flat: true });
  const found = nodes.find((each) => each['node-name'] === node);
  if (found === undefined) return undefined;
  const { snapshots = [] } = found.image;
  return new Map(snapshots.map((each) => [each.name, each['vm-state-size']]));
}

/** The exact machine behind a name like `pc`, which means another one in another version of QEMU. */
export async function machineType(
  session: QemuSession,
  asked: string | undefined,
): Promise<{ readonly machine: string; readonly qemu: string }> {
  const type = await session.execute('qom-get', { path: '/machine', property: 'type' });
  const [, ...properties] = (asked ?? '').split(',');
  const machine = [String(type).replace(/-machine$/, ''), ...properties].join(',');
  return { machine, qemu: versionOf(session) };
}

/** `7.2.22` */
export function versionOf(session: QemuSession): string {
  const { major, minor, micro } = session.client.version;
  return `${major}.${minor}.${micro}`;
}
