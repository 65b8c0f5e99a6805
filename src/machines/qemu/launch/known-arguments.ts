import { deviceProblem, parseDevice, propertyProblem } from './known-devices.ts';
import { objectProblem } from './known-objects.ts';

/** Why a value is not taken, or nothing. */
type Check = (value: string) => string | undefined;

/**
 * Arguments of QEMU that an agent may add, with what their values may be: nothing in this list names a file, a socket, a
 * program or a device of this computer. `flag` stands for those without a value.
 */
export const knownArguments: Readonly<Record<string, Check | 'flag'>> = {
  action: listOf({ panic: /^[a-z-]+$/, reboot: /^[a-z-]+$/, shutdown: /^[a-z-]+$/, watchdog: /^[a-z-]+$/ }),
  boot: (value) => (/^[a-dn]{1,4}$/.test(value) ? undefined : boot(value)),
  d: form(/^[\w:,-]{1,200}$/, 'a list of items'),
  device: (value) => problemOf(parseDevice(value), deviceProblem),
  fw_cfg: form(/^(?:name=)?opt\/[\w./-]{1,50},string=[^,\0]{0,4096}$/, 'name=opt/NAME,string=TEXT'),
  global,
  k: form(/^[a-z]{2}(?:-[a-z]{2})?$/, 'a language such as "de"'),
  msg: listOf({ timestamp: /^(?:on|off)$/, 'guest-name': /^(?:on|off)$/ }),
  name: form(/^[\w .+-]{1,64}(?:,debug-threads=(?:on|off))?$/, 'a name of letters and digits'),
  'no-acpi': 'flag',
  'no-fd-bootchk': 'flag',
  'no-hpet': 'flag',
  'no-reboot': 'flag',
  'no-user-config': 'flag',
  numa: form(/^(?:node|dist|cpu|hmat-lb|hmat-cache)(?:,[a-z-]+=[\w-]{1,40})*$/, 'node,cpus=0-1,memdev=NAME'),
  object: (value) => problemOf(parseObject(value), objectProblem),
  'only-migratable': 'flag',
  rtc: listOf({ base: /^(?:utc|localtime|[\dT:-]{8,20})$/, clock: /^(?:host|rt|vm)$/, driftfix: /^(?:none|slew)$/ }),
  seed: form(/^(?:0x[\da-f]{1,16}|\d{1,20})$/i, 'a number'),
  smbios,
  usb: 'flag',
  uuid: form(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, 'a UUID'),
  'watchdog-action': form(/^[a-z-]{1,20}$/, 'a word'),
};

const boot = listOf({
  menu: /^(?:on|off)$/,
  once: /^[a-dn]{1,4}$/,
  order: /^[a-dn]{1,4}$/,
  'reboot-timeout': /^-?\d{1,6}$/,
  'splash-time': /^\d{1,6}$/,
  strict: /^(?:on|off)$/,
});

const smbiosFields: ReadonlySet<string> = new Set(
  (
    'type vendor version date release uefi manufacturer product serial uuid sku family asset location sock_pfx part ' +
    'max-speed current-speed processor-id processor-family value loc_pfx bank speed designation kind instance pcidev ' +
    'external_reference internal_reference connector_type port_type'
  ).split(' '),
);

function smbios(value: string): string | undefined {
  for (const field of value.split(',')) {
    const [, name = ''] = /^([\w-]+)=[^,\0]{0,256}$/.exec(field) ?? [];
    if (!smbiosFields.has(name)) return `${JSON.stringify(field.slice(0, 40))} is not a field that is taken`;
  }
  return undefined;
}

/** `DRIVER.PROPERTY=VALUE` */
function global(value: string): string | undefined {
  const [, name = '', setting = ''] = /^[\w-]{1,60}\.([\w.-]{1,60})=(.*)$/s.exec(value) ?? [];
  if (name === '') return 'DRIVER.PROPERTY=VALUE is wanted';
  return propertyProblem(name.slice(name.lastIndexOf('.') + 1), setting);
}

function parseObject(value: string): Readonly<Record<string, unknown>> | undefined {
  const { driver, ...rest } = parseDevice(value.replace(/^qom-type=/, '')) ?? {};
  return driver === undefined ? undefined : { 'qom-type': driver, ...rest };
}

function problemOf(
  parsed: Readonly<Record<string, unknown>> | undefined,
  problem: (parsed: Readonly<Record<string, unknown>>) => string | undefined,
): string | undefined {
  return parsed ? problem(parsed) : 'NAME,PROPERTY=VALUE,… is wanted, with each property once';
}

function form(pattern: RegExp, wanted: string): Check {
  return (value) => (pattern.test(value) ? undefined : `${wanted} is wanted`);
}

function listOf(fields: Readonly<Record<string, RegExp>>): Check {
  return (value) => {
    for (const field of value.split(',')) {
      const [name = '', setting = 'on', ...more] = field.split('=');
      const pattern = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (more.length > 0 || !pattern?.test(setting))
        return `${JSON.stringify(field.slice(0, 40))} is not one of ${Object.keys(fields).join(', ')}`;
    }
    return undefined;
  };
}
