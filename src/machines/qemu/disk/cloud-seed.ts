import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isoImage } from '../../../formats/iso/iso-image.ts';
import type { CloudInit } from '../qemu-options.ts';
import { directNode } from './block-node.ts';
import type { PreparedDrive } from './prepare-drives.ts';

/** By this name cloud-init knows the disk ("NoCloud"). */
const label = 'cidata';

/** A disk with what cloud-init does at the first boot. */
export async function cloudSeed(seed: CloudInit, name: string, workDir: string): Promise<PreparedDrive> {
  const bytes = isoImage(label, seedFiles(seed, name));
  const path = join(workDir, 'seed.iso');
  await writeFile(path, bytes, { mode: 0o600 });
  const image = { path, grantedPath: path, format: 'raw', sizeBytes: bytes.length } as const;
  const medium = { node: directNode('seed-image', image, true), source: 'seed for cloud-init', overlay: false };
  return { id: 'seed', type: 'disk', interface: 'virtio', medium };
}

export function seedFiles(seed: CloudInit, name: string) {
  const { meta_data: meta, network_config: network, user_data: own } = seed;
  const named = { 'instance-id': `frontpanel-${name}`, 'local-hostname': seed.hostname ?? name };
  return [
    { name: 'meta-data', bytes: textBytes(meta ?? JSON.stringify(named)) },
    { name: 'user-data', bytes: textBytes(own ?? cloudConfig(seed)) },
    ...(network === undefined ? [] : [{ name: 'network-config', bytes: textBytes(network) }]),
  ];
}

/** JSON is YAML: what people type cannot change its structure. */
function cloudConfig({ hostname, user, password, ssh_keys: keys, run }: CloudInit): string {
  const account = {
    name: user,
    sudo: 'ALL=(ALL) NOPASSWD:ALL',
    shell: '/bin/sh',
    lock_passwd: password === undefined,
    ...(password !== undefined && { plain_text_passwd: password }),
    ...(keys.length > 0 && { ssh_authorized_keys: keys }),
  };
  const settings = {
    ...(hostname !== undefined && { hostname }),
    ...(user !== undefined
      ? { users: ['default', account] }
      : {
          ...(password !== undefined && { password, chpasswd: { expire: false } }),
          ...(keys.length > 0 && { ssh_authorized_keys: keys }),
        }),
    ...(password !== undefined && { ssh_pwauth: true }),
    ...(run.length > 0 && { runcmd: run }),
  };
  return `#cloud-config\n${JSON.stringify(settings, undefined, 1)}\n`;
}

function textBytes(text: string): Uint8Array {
  return Buffer.from(text.endsWith('\n') ? text : `${text}\n`);
}
