import type { OptionRow } from '../option-row.ts';
import { lasting } from './option-commands.ts';

/** How hosts are joined to a fleet. */
export const fleetOptions = {
  nats: {
    type: 'string',
    placeholder: 'URL',
    summary:
      'The NATS server of a fleet: machines are on the hosts where frontpanel station runs, and this process only serves ' +
      'them. tls://HOST:PORT, or nats://HOST:PORT on this computer.',
    defaultText: 'machines are in this process',
    group: 'fleet',
    commands: [...lasting, 'store', 'doctor'],
  },
  'nats-creds': {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary: 'Credentials for the NATS server, which also say which team this is.',
    group: 'fleet',
    commands: [...lasting, 'store', 'doctor'],
  },
  'nats-ca': {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary: 'Certificates, as PEM, by which the NATS server is known.',
    group: 'fleet',
    commands: [...lasting, 'store', 'doctor'],
  },
  'nats-trust-accounts': {
    type: 'flag',
    default: false,
    summary:
      'Use a NATS server of a version with CVE-2025-30215 although it has accounts: those who have them trust each other. ' +
      'Without it such a server is refused.',
    group: 'fleet',
    commands: lasting,
  },
  'host-name': {
    type: 'string',
    placeholder: 'NAME',
    summary: 'What the fleet calls this host.',
    defaultText: 'the name of this computer',
    group: 'fleet',
    commands: ['station'],
  },
  label: {
    type: 'list',
    default: [],
    placeholder: 'KEY=VALUE',
    summary: 'What is special about this host; "on":"KEY=VALUE" in the options of machine_start asks for it.',
    group: 'fleet',
    commands: ['station'],
  },
  'max-memory': {
    type: 'number',
    default: 0,
    min: 0,
    max: 2 ** 30,
    placeholder: 'MIB',
    summary:
      'How much memory the machines of this host may take together, by what each takes at most; 0 is what is free.',
    defaultText: 'what is free',
    group: 'fleet',
    commands: ['station'],
  },
  quota: {
    type: 'list',
    default: [],
    placeholder: 'NAME=NUMBER',
    summary:
      'What the team may have on all its hosts together: machines, memory (MiB) or a kind (console=8); calls is for each minute ' +
      'at this host, minutes is how long a machine lives. Give all stations of a team the same.',
    defaultText: 'no quotas',
    group: 'fleet',
    commands: ['station'],
  },
  'drain-timeout': {
    type: 'number',
    default: 0,
    min: 0,
    max: 86_400,
    placeholder: 'SECONDS',
    summary:
      'When it is told to end, a station takes no more machines and waits this long for those it has to be stopped.',
    group: 'fleet',
    commands: ['station'],
  },
} as const satisfies Record<string, OptionRow>;
