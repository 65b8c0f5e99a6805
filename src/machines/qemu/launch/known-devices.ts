/**
 * What may be plugged into a machine by `extra`, `gpu`, `nic` and the monitor. None of these drivers is a way out of the
 * guest: what QEMU can read, write or connect to for a device hangs on a node, a netdev or a chardev, which only this
 * server makes. A driver that is not here needs a permission.
 */
const families: Readonly<Record<string, string>> = {
  bridges:
    'i82801b11-bridge ioh3420 pci-bridge pci-bridge-seat pcie-pci-bridge pcie-root-port pxb pxb-pcie x3130-upstream ' +
    'xio3130-downstream usb-hub zpci',
  usbControllers:
    'ich9-usb-ehci1 ich9-usb-ehci2 ich9-usb-uhci1 ich9-usb-uhci2 ich9-usb-uhci3 ich9-usb-uhci4 ich9-usb-uhci5 ' +
    'ich9-usb-uhci6 nec-usb-xhci pci-ohci piix3-usb-uhci piix4-usb-uhci qemu-xhci usb-ehci',
  storage:
    'ahci am53c974 dc390 floppy ich9-ahci ide-cd ide-hd isa-fdc isa-ide lsi lsi53c810 lsi53c895a megasas megasas-gen2 ' +
    'mptsas1068 nvme nvme-ns nvme-subsys piix3-ide piix4-ide pvscsi scsi-cd scsi-hd sd-card sdhci-pci usb-bot ' +
    'usb-storage usb-uas virtio-blk virtio-scsi',
  network:
    'e1000 e1000-82540em e1000-82544gc e1000-82545em e1000e i82550 i82551 i82557a i82557b i82557c i82558a i82558b ' +
    'i82559a i82559b i82559c i82559er i82562 i82801 igb lan9118 ne2k_isa ne2k_pci pcnet rtl8139 smc91c111 ' +
    'spapr-vlan sunhme tulip usb-net virtio-net vmxnet3',
  input:
    'i8042 usb-kbd usb-mouse usb-tablet usb-wacom-tablet virtio-keyboard virtio-mouse virtio-multitouch virtio-tablet ' +
    'vmmouse',
  ports:
    'isa-debugcon isa-parallel isa-serial pci-serial pci-serial-2x pci-serial-4x sclpconsole sclplmconsole usb-serial ' +
    'virtconsole virtio-serial virtserialport',
  display:
    'VGA ati-vga bochs-display cirrus-vga isa-cirrus-vga isa-vga qxl qxl-vga ramfb secondary-vga virtio-gpu virtio-vga ' +
    'vmware-svga',
  sound:
    'AC97 ac97 adlib cs4231a ES1370 es1370 gus hda-duplex hda-micro hda-output ich9-intel-hda intel-hda sb16 usb-audio ' +
    'virtio-sound',
  memory: 'acpi-erst nvdimm pc-dimm virtio-balloon virtio-mem virtio-pmem',
  watchdogs: 'diag288 i6300esb ib700 itco',
  sensors: 'at24c-eeprom ds1338 emc1413 emc1414 i2c-ddc led m41t80 pca9546 pca9548 pca9552 tmp105 tmp421 tmp422 tmp423',
  others:
    'amd-iommu AMDVI-PCI ctucan_pci edu hyperv-testdev intel-iommu ipmi-bmc-sim isa-debug-exit isa-ipmi-bt isa-ipmi-kcs ' +
    'kvaser_pci mc146818rtc mioe3680_pci pc-testdev pci-ipmi-bt pci-ipmi-kcs pci-testdev pcm3680_pci pvpanic pvpanic-pci ' +
    'smbus-ipmi virtio-crypto virtio-iommu virtio-rng vmcoreinfo vmgenid',
};

/** Ways in which a virtio device is built: `virtio-net-pci`, `virtio-net-device` … */
const virtioForms = /-(?:pci|pci-transitional|pci-non-transitional|device|ccw)$/;
/** Processors that are added while the machine runs. */
const processor = /^[\w.+-]{1,60}-cpu(?:-core)?$/;

const drivers: ReadonlySet<string> = new Set(Object.values(families).flatMap((names) => names.split(' ')));
export const networkCards: ReadonlySet<string> = new Set(families.network?.split(' '));

/** Whether a device of this name stays inside the guest. */
export function isKnownDevice(driver: string): boolean {
  return drivers.has(plainName(driver)) || processor.test(driver);
}

/** Without the ending that says how a virtio device is connected. */
export function plainName(driver: string): string {
  return driver.startsWith('virtio-') ? driver.replace(virtioForms, '') : driver;
}

/**
 * Properties whose value is a word. All others take numbers and switches only, which name no file: QEMU looks for a
 * bare name in its own folder and among its firmware.
 */
const wordProperties: ReadonlySet<string> = new Set(
  (
    'addr audiodev bmc bus canbus canbus0 canbus1 chardev chardev1 chardev2 chardev3 chardev4 color cryptodev description ' +
    'dev_id device_id devno display drift-fix drive drive-type driveA driveB driftfix duplex fallback failover_pair_id ' +
    'guid hba_serial i8042 id iothread lost_tick_policy mac macaddr masterbus memdev model mount_tag name netdev nqn ' +
    'osk pmrdev port primary-bus product rerror rng serial subch_id subsys target tx uuid vendor ver version werror ' +
    'write-cache x-speed x-width'
  ).split(' '),
);

const propertyName = /^[A-Za-z][\w.-]{0,63}$/;
const word = /^[\w.:+-]{1,64}$/;
/** A number with its unit, or a switch. */
const plainValue = /^(?:-?(?:0x[0-9a-f]{1,16}|\d{1,20}(?:\.\d{1,6})?)[KMGTPE]?|on|off|yes|no|true|false|auto)$/i;

/** Why a property of a known device cannot be set so; undefined when it can. */
export function propertyProblem(name: string, value: unknown): string | undefined {
  if (!propertyName.test(name)) return `${JSON.stringify(name.slice(0, 40))} is not the name of a property`;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return undefined;
  if (typeof value !== 'string') return `${name} takes a number, a switch or a word`;
  if (plainValue.test(value)) return undefined;
  // The usual way to leave out a card's boot ROM.
  if (name === 'romfile' && value === '') return undefined;
  if (!wordProperties.has(name)) return `${name} takes numbers and on, off or auto only`;
  return word.test(value) ? undefined : `the value of ${name} is not a plain word`;
}

/** `DRIVER,NAME=VALUE,…` as `-device` has it; undefined for what is not of this form. */
export function parseDevice(text: string): Readonly<Record<string, string>> | undefined {
  const [driver = '', ...properties] = text.split(',');
  const device: Record<string, string> = { driver: driver.replace(/^driver=/, '') };
  for (const property of properties) {
    const [, name = '', value = 'on'] = /^([A-Za-z][\w.-]*)(?:=(.*))?$/.exec(property) ?? [];
    if (name === '' || Object.hasOwn(device, name)) return undefined;
    device[name] = value;
  }
  return device;
}

/** Why a device may not be plugged in; undefined when it may. */
export function deviceProblem(device: Readonly<Record<string, unknown>>): string | undefined {
  const { driver, ...properties } = device;
  if (typeof driver !== 'string' || !isKnownDevice(driver)) {
    return `the device ${JSON.stringify(driver ?? '').slice(0, 60)} is not among those that are known to stay inside the guest`;
  }
  for (const [name, value] of Object.entries(properties)) {
    const problem = propertyProblem(name, value);
    if (problem !== undefined) return `${driver}: ${problem}`;
  }
  return undefined;
}
