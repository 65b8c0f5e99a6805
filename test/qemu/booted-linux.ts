import { join } from 'node:path';
import type { Machine } from '../../src/machine/machine.ts';
import { never } from '../contract/context.ts';
import type { AgentTruth, LinuxTruth } from '../contract/subject.ts';
import { linuxGuest, shell, untilBooted } from './linux-guest.ts';
import { Lab } from './vm.ts';

/** A Linux with qemu-ga, as it was saved after its start, with what it said of itself then. */
export interface BootedLinux extends AsyncDisposable {
  readonly folder: string;
  readonly kernel: LinuxTruth;
  readonly agent: AgentTruth;
}

const startAgent =
  'p=$(grep -l org.qemu.guest_agent.0 /sys/class/virtio-ports/*/name | cut -d/ -f5); ' +
  '/usr/sbin/qemu-ga -d -t /tmp -f /tmp/ga.pid -p /dev/$p';

async function panic({ control, console }: Machine): Promise<RegExp> {
  await control?.run({ wallMs: 20 }, never);
  const line = Buffer.from('echo 0 > /proc/sys/kernel/panic; echo c > /proc/sysrq-trigger\r');
  await console?.ports[0]?.write(line, { mode: 'buffered' });
  return /^Kernel panic - not syncing: sysrq triggered crash/;
}

export async function bootLinux(): Promise<BootedLinux> {
  const lab = new Lab();
  try {
    const guest = linuxGuest(join(lab.folder, 'initrd.cpio'), {
      program: { package: 'qemu-guest-agent', path: 'usr/sbin/qemu-ga' },
    });
    const snapshotDir = join(lab.folder, 'kept');
    const vm = await lab.start({ ...guest, guest_agent: true, network: 'isolated', snapshot_dir: snapshotDir });
    await untilBooted(vm);
    const said = async (command: string) => (await shell(vm, command)).output;
    const lines = async (command: string) => (await said(command)).split('\n');
    await said(`${startAgent}; echo "<4>written by its shell" > /dev/kmsg; ip addr add 10.9.8.7/24 dev eth0`);
    const { guestAgent } = vm.machine;
    await vm.until('its agent', async () => (await guestAgent?.about().catch(() => undefined)) !== undefined);
    const kernel = {
      banner: await said('cat /proc/version'),
      logged: { text: 'written by its shell', level: 4 },
      first: { pid: 1, name: await said('cat /proc/1/comm') },
      keepsFrames: (await said('uname -m')) === 'aarch64',
      modules: await lines("cut -d' ' -f1 /proc/modules"),
      mounts: await lines("cut -d' ' -f2 /proc/mounts"),
      symbol: {
        name: 'write_sysrq_trigger',
        address: BigInt(`0x${await said("sed -n 's/ [tT] write_sysrq_trigger$//p' /proc/kallsyms")}`),
      },
      panic,
    };
    await vm.machine.snapshots.save('booted');
    await lab.rack.stop(vm.handle, 'saved');
    return {
      folder: join(snapshotDir, 'booted'),
      kernel,
      agent: { hostname: 'guest', card: { name: 'eth0', address: '10.9.8.7/24' }, echo: '/bin/cat', folder: '/tmp' },
      [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
    };
  } catch (error) {
    await lab[Symbol.asyncDispose]();
    throw error;
  }
}
