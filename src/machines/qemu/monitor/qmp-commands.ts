import type { Form, WholeForm } from './forms.ts';

/** A command that stays inside the machine. */
export interface QmpCommand {
  /** A star stands for the rest of a name. */
  readonly name: string;
  /** The arguments it may have; others are refused. A word stands for the form of all of them together. */
  readonly takes?: Readonly<Record<string, Form>> | WholeForm;
  /** It changes nothing, and is also taken by a machine with `"monitor":"query"`. */
  readonly asks?: true;
  readonly why: string;
}

/** Whatever they are called. */
const any = { '*': 'question' } as const;
const bitmap = { node: 'word', name: 'word' } as const;

/**
 * Everything that `monitor_execute` takes of QMP. Whatever is not in this list can reach files, sockets or programs of
 * this computer, or was not looked at yet; it needs `--allow-monitor`.
 */
export const qmpCommands: readonly QmpCommand[] = [
  { name: 'query-*', takes: any, asks: true, why: 'Questions: by the rules of QMP they change nothing.' },
  { name: 'x-query-*', takes: any, asks: true, why: 'Questions whose answers may look otherwise one day.' },
  { name: 'x-debug-query-block-graph', asks: true, why: 'Lists nodes that are open.' },
  { name: 'qom-list', takes: { path: 'qomPath' }, asks: true, why: 'Lists properties.' },
  { name: 'qom-get', takes: { path: 'qomPath', property: 'word' }, asks: true, why: 'Reads a property.' },
  { name: 'qom-list-types', takes: { implements: 'word', abstract: 'switch' }, asks: true, why: 'Lists types.' },
  { name: 'qom-list-properties', takes: { typename: 'word' }, asks: true, why: 'Lists properties of a type.' },
  { name: 'device-list-properties', takes: { typename: 'word' }, asks: true, why: 'Lists properties of a device.' },
  { name: 'trace-event-get-state', takes: { name: 'pattern', vcpu: 'number' }, asks: true, why: 'Reads switches.' },
  {
    name: 'qom-set',
    takes: { path: 'qomPath', property: 'word', value: 'setting' },
    why: 'Sensors, pins, intervals. A number or a switch names no file.',
  },

  { name: 'stop', why: 'Carried out by this server.' },
  { name: 'cont', why: 'Carried out by this server.' },
  { name: 'quit', why: 'Ends this machine only.' },
  { name: 'system_reset', why: 'The reset button.' },
  { name: 'system_powerdown', why: 'The power button.' },
  { name: 'system_wakeup', why: 'Wakes a guest that sleeps.' },
  { name: 'inject-nmi', why: 'An interrupt of the guest.' },
  {
    name: 'set-action',
    takes: { reboot: 'word', shutdown: 'word', panic: 'word', watchdog: 'word' },
    why: 'What a reboot, shutdown or panic of the guest does to the machine.',
  },
  { name: 'watchdog-set-action', takes: { action: 'word' }, why: 'What the watchdog does to the machine.' },
  { name: 'rtc-reset-reinjection', why: 'Drops interrupts of the clock that are still due.' },

  { name: 'device_add', takes: 'device', why: 'Devices of a list, with numbers and words only.' },
  { name: 'device_del', takes: { id: 'word' }, why: 'Unplugs a device.' },
  { name: 'object-add', takes: 'object', why: 'Objects of a list, which hold memory and threads only.' },
  { name: 'object-del', takes: { id: 'own' }, why: 'Removes what an agent has added.' },
  { name: 'chardev-add', takes: { id: 'own', backend: 'memoryBackend' }, why: 'A ring in memory, or nothing.' },
  { name: 'chardev-remove', takes: { id: 'own' }, why: 'Removes what an agent has added.' },
  { name: 'chardev-send-break', takes: { id: 'word' }, why: 'A break on a serial line.' },
  { name: 'ringbuf-read', takes: { device: 'word', size: 'number', format: 'word' }, why: 'Reads a ring in memory.' },
  { name: 'ringbuf-write', takes: { device: 'word', data: 'text', format: 'word' }, why: 'Writes to one.' },
  { name: 'balloon', takes: { value: 'number' }, why: 'Asks the guest for memory.' },
  { name: 'set_link', takes: { name: 'word', up: 'switch' }, why: 'Pulls the cable of a network card.' },
  {
    name: 'announce-self',
    takes: { initial: 'number', max: 'number', rounds: 'number', step: 'number', interfaces: 'words', id: 'word' },
    why: 'Packets on the network that the machine has anyway.',
  },

  { name: 'send-key', takes: { keys: 'plain', 'hold-time': 'number' }, why: 'The keyboard.' },
  {
    name: 'input-send-event',
    takes: { device: 'word', head: 'number', events: 'plain' },
    why: 'Keyboard, mouse and tablet.',
  },

  { name: 'blockdev-open-tray', takes: { id: 'word', device: 'word', force: 'switch' }, why: 'Moves a tray.' },
  { name: 'blockdev-close-tray', takes: { id: 'word', device: 'word' }, why: 'Moves a tray.' },
  {
    name: 'block_resize',
    takes: { device: 'word', 'node-name': 'word', size: 'number' },
    why: 'Changes the size of a disk that may be written.',
  },
  {
    name: 'block_set_io_throttle',
    takes: {
      ...{ id: 'word', device: 'word', group: 'word', bps: 'number', bps_rd: 'number', bps_wr: 'number' },
      ...{ iops: 'number', iops_rd: 'number', iops_wr: 'number', bps_max: 'number', bps_rd_max: 'number' },
      ...{ bps_wr_max: 'number', iops_max: 'number', iops_rd_max: 'number', iops_wr_max: 'number' },
      ...{ bps_max_length: 'number', bps_rd_max_length: 'number', bps_wr_max_length: 'number' },
      ...{ iops_max_length: 'number', iops_rd_max_length: 'number', iops_wr_max_length: 'number', iops_size: 'number' },
    },
    why: 'Slows a disk down.',
  },
  {
    name: 'block-latency-histogram-set',
    takes: { id: 'word', boundaries: 'plain', 'boundaries-read': 'plain', 'boundaries-write': 'plain' },
    why: 'Counts how long a disk takes.',
  },
  {
    name: 'block-set-write-threshold',
    takes: { 'node-name': 'word', 'write-threshold': 'number' },
    why: 'An event once a disk is written so far.',
  },
  {
    name: 'block-dirty-bitmap-add',
    takes: { ...bitmap, granularity: 'number', persistent: 'off', disabled: 'switch' },
    why: 'Notes in memory which blocks the guest writes.',
  },
  { name: 'block-dirty-bitmap-remove', takes: bitmap, why: 'The notes end.' },
  { name: 'block-dirty-bitmap-clear', takes: bitmap, why: 'The notes begin anew.' },
  { name: 'block-dirty-bitmap-enable', takes: bitmap, why: 'The notes go on.' },
  { name: 'block-dirty-bitmap-disable', takes: bitmap, why: 'The notes pause.' },
  { name: 'x-debug-block-dirty-bitmap-sha256', takes: bitmap, asks: true, why: 'A sum of the notes.' },

  {
    name: 'trace-event-set-state',
    takes: { name: 'pattern', enable: 'switch', 'ignore-unavailable': 'switch', vcpu: 'number' },
    why: 'Traces go into a pipe, of which this server keeps the end.',
  },
  {
    name: 'calc-dirty-rate',
    takes: { 'calc-time': 'number', 'calc-time-unit': 'word', 'sample-pages': 'number', mode: 'word' },
    why: 'Measures how fast memory is written.',
  },
];

/** Actions of `transaction` that are commands of the list as well: the others make or open files. */
export const transactionActions: ReadonlySet<string> = new Set([
  'block-dirty-bitmap-add',
  'block-dirty-bitmap-remove',
  'block-dirty-bitmap-clear',
  'block-dirty-bitmap-enable',
  'block-dirty-bitmap-disable',
]);
