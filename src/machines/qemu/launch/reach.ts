/** Properties that name files, devices, sockets or programs of this computer. */
const outward =
  /^(?:file|\w*romfile|firmware|kernel|initrd|dtb|dumpdtb|splash|path|dir|rootdir|db|script|downscript|host\w*|hidraw|evdev|fds?)$/;

/** Devices that are nothing but a way out of the guest. */
const passage =
  /^(?:vfio|vhost|usb-host|usb-redir|usb-mtp|u2f|ccid-card|canokey|ivshmem|pci-assign|kvm-pci-assign|scsi-(?:block|generic)|tpm|loader|guest-loader|virtio-input-host)/;

/**
 * Whether a value of QEMU's (`WORD,NAME=VALUE,…`) can reach beyond the guest. JSON can write any letter in a way that
 * nothing here would recognise, so it does.
 */
export function reachesOut(value: string): boolean {
  if (/[/{}\\]/.test(value)) return true;
  return value.split(',').some((word) => {
    const [name = ''] = word.split('=');
    // `-global DRIVER.NAME=VALUE`
    const property = name.slice(name.lastIndexOf('.') + 1).trim();
    return passage.test(word.replace(/^driver=/, '').trim()) || (word.includes('=') && outward.test(property));
  });
}
