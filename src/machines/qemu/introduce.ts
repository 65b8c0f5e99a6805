import type { ConsolePort } from '../../machine/console.ts';
import { networkCardsOf } from './launch/network-arguments.ts';
import type { QemuEngine } from './qemu-engine.ts';

const maxWarnings = 400;
/** Of processors whose newest features software lacks, and of cards on boards that were given no network. */
const usual = /^TCG doesn't support requested feature|^nic \S+ has no peer/;

/** What an agent should know at once. */
export async function introduce(engine: QemuEngine, ports: readonly ConsolePort[]): Promise<string[]> {
  const { plan, session } = engine;
  const { options, board, drives, accel } = plan;
  const { major, minor, micro } = session.client.version;
  const memory = options.memory ?? board.memoryMib;
  const hardware = [options.arch, board.machine ?? 'default board', ...(memory ? [`${memory} MiB`] : []), accel].join(
    ', ',
  );
  const lines = [`QEMU ${major}.${minor}.${micro}: ${hardware}`];
  if (ports.length > 0) lines.push(`Consoles: ${ports.map(({ name, link }) => `${name} (${link.target})`).join(', ')}`);
  if (ports[0]) lines.push(`A person can watch and type: frontpanel attach ${ports[0].name}`);
  for (const { id, medium, type } of drives) {
    if (!medium) continue;
    const fate = medium.node['read-only']
      ? 'read only'
      : medium.overlay
        ? 'changes are discarded at the end'
        : 'changes are kept';
    lines.push(`${id}: ${type} ${medium.source}, ${fate}`);
  }
  const { vcpus } = engine.debugger;
  if (vcpus > 1)
    lines.push(
      `Processors: vcpu0 to vcpu${vcpus - 1}; tools of the debugger mean the one that stopped last, or the one you name: "cpu":"vcpu1"`,
    );
  const cards = networkCardsOf(options);
  if (cards.length > 1)
    lines.push(`Network cards: ${cards.map(({ netdev, network }) => `${netdev} (${network})`).join(', ')}`);
  for (const { forward } of cards) for (const rule of forward) lines.push(`Port forward (host:guest): ${rule}`);
  if (options.count) lines.push('Counts how often code runs, with a plugin');
  if (options.tpm) lines.push('TPM 2.0 (swtpm)');
  if (options.cloud_init) lines.push('Seed for cloud-init: a disk named cidata');
  if (options.guest_agent) lines.push('Channel for qemu-ga in the guest');
  if (options.share !== undefined) {
    const type = options.share_by === 'virtiofs' ? 'virtiofs' : '9p -o trans=virtio,version=9p2000.L';
    lines.push(`Share ${options.share}: mount -t ${type} share /mnt`);
  }
  if (options.vnc) lines.push(await describeVnc(engine));
  const warnings = warningsIn(engine.complaints);
  if (warnings !== '') lines.push(`QEMU warns: ${warnings}`);
  return lines;
}

/** What QEMU did not do as it was asked, such as a network card that the board has no place for. */
function warningsIn(complaints: string): string {
  const warnings = complaints.split('\n').flatMap((line) => /warning: (.*)/i.exec(line)?.[1] ?? []);
  const text = [...new Set(warnings)].filter((warning) => !usual.test(warning)).join('; ');
  return text.length > maxWarnings ? `${text.slice(0, maxWarnings)} …` : text;
}

async function describeVnc({ session, vncPassword }: QemuEngine): Promise<string> {
  const { host, service } = await session.query('query-vnc');
  return `VNC for a person: ${host}:${service}, password ${vncPassword}`;
}
