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
    summary: 'Credentials for the NATS server; they also identify the team.',
    group: 'fleet',
    commands: [...lasting, 'store', 'doctor'],
  },
  'nats-ca': {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary: 'CA certificates (PEM) to verify the NATS server with.',
    group: 'fleet',
    commands: [...lasting, 'store', 'doctor'],
  },
  'nats-trust-accounts': {
    type: 'flag',
    default: false,
    summary:
      'Accept a NATS server that has accounts and is vulnerable to CVE-2025-30215, because the account holders trust each other. ' +
      'Otherwise such a server is refused.',
    group: 'fleet',
    commands: lasting,
  },
  'host-name': {
    type: 'string',
    placeholder: 'NAME',
    summary: "This host's name in the fleet.",
    defaultText: 'the name of this computer',
    group: 'fleet',
    commands: ['station'],
  },
  label: {
    type: 'list',
    default: [],
    placeholder: 'KEY=VALUE',
    summary: 'A property of this host; "on":"KEY=VALUE" in the options of machine_start selects hosts that have it.',
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
      'How much memory all machines of this host may take together, counting the maximum of each; 0: as much as is free.',
    defaultText: 'what is free',
    group: 'fleet',
    commands: ['station'],
  },
  quota: {
    type: 'list',
    default: [],
    placeholder: 'NAME=NUMBER',
    summary:
      'What the team may use on all its hosts together: machines, memory (MiB) or a kind (console=8); calls: per minute ' +
      'at this host; minutes: the lifetime of a machine. Use the same value for all stations of a team.',
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
      'A station that is told to end takes no more machines and waits this long for the running ones to be stopped.',
    group: 'fleet',
    commands: ['station'],
  },
} as const satisfies Record<string, OptionRow>;
