import { join } from 'node:path';
import { guestCache } from '../debian-package.ts';
import { linuxGuest } from '../qemu/linux-guest.ts';

/** What differs between the computers that the tests run on: the guest is of the same kind. */
const boards = {
  aarch64: ['-M', 'virt', '-cpu', 'cortex-a57'],
  x86_64: ['-M', 'pc', '-cpu', 'max'],
} as const;

/** A Linux that asks for a name and a password, made of Debian's kernel and busybox: how to start it under QEMU. */
export function linuxImage(): { readonly program: string; readonly initrd: string; readonly args: readonly string[] } {
  const guest = linuxGuest(join(guestCache, `initrd-${process.pid}.cpio`), { asks: true });
  const { arch, memory, kernel, initrd, append } = guest;
  const args = ['-m', String(memory), '-kernel', kernel, '-initrd', initrd, '-append', append];
  return { program: `qemu-system-${arch}`, initrd, args: [...boards[arch], ...args] };
}
