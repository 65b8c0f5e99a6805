import { expect, test } from 'vitest';
import { hmpProblem, hmpText, parseHmp } from './check-hmp.ts';
import { qmpProblem } from './check-qmp.ts';

test.for([
  ['query-block', {}],
  ['query-a-thing-of-tomorrow', { name: 'x', flat: true }],
  ['x-query-virtio-status', { path: '/machine/peripheral/drive0/virtio-backend' }],
  ['device_add', { driver: 'virtio-net-pci-non-transitional', netdev: 'n1', mac: '52:54:00:12:34:56', romfile: '' }],
  ['device_add', { driver: 'qemu64-x86_64-cpu', 'socket-id': 1, 'core-id': 0, 'thread-id': 0 }],
  ['object-add', { 'qom-type': 'memory-backend-ram', id: 'm1', size: 16_777_216 }],
  ['chardev-add', { id: 'log', backend: { type: 'ringbuf', data: { size: 65_536 } } }],
  ['qom-set', { path: '/machine/peripheral/t', property: 'temperature', value: 21_000 }],
  [
    'transaction',
    {
      actions: [
        { type: 'block-dirty-bitmap-add', data: { node: 'drive0-image', name: 'a' } },
        { type: 'block-dirty-bitmap-disable', data: { node: 'drive0-image', name: 'a' } },
      ],
    },
  ],
] as const)('%s %j stays inside', ([name, given]) => {
  expect(qmpProblem(name, given)).toBeUndefined();
});

test.for([
  ['dumpdtb', { filename: '/tmp/x' }],
  ['blockdev-insert-medium', { id: 'cd0', 'node-name': 'x' }],
  ['query-', { path: 'a b' }],
  ['Query-block', {}],
  ['query-block/', {}],
  ['constructor', {}],
  ['__proto__', {}],
  ['system_reset', { __proto__: null, toString: 1 }],
  ['device_add', { driver: 'virtio-rng-pci', romfile: 'x' }],
  ['device_add', { driver: 'usb-kbd', pcap: 'x.pcap' }],
  ['device_add', { driver: 'usb-host', hostbus: 1 }],
  ['device_add', { driver: 'vhost-user-fs-pci', chardev: 'x' }],
  ['device_add', { driver: 'e1000', netdev: { a: 1 } }],
  ['device_add', { driver: 'e1000', mac: 'a,romfile=b' }],
  ['object-add', { 'qom-type': 'filter-dump', id: 'f', netdev: 'net0', file: '/tmp/x' }],
  ['object-add', { 'qom-type': 'memory-backend-ram', id: 'm', size: 1, prealloc: true }],
  ['object-add', { 'qom-type': 'toString', id: 'm' }],
  ['chardev-add', { id: 'log', backend: { type: 'ringbuf', data: { size: 65_536, logfile: '/tmp/x' } } }],
  ['chardev-add', { id: 'log', backend: { type: 'ringbuf', data: { size: 2 ** 30 } } }],
  ['chardev-add', { id: 'log', backend: { type: 'file', data: { out: '/tmp/x' } } }],
  ['object-del', { id: 'capture1' }],
  ['qom-set', { path: '/machine', property: 'firmware', value: '/etc/passwd' }],
  ['block-dirty-bitmap-add', { node: 'n', name: 'a', persistent: true }],
  ['transaction', { actions: [{ type: 'drive-backup', data: { device: 'd', target: 'x', sync: 'full' } }] }],
  ['transaction', { actions: [{ type: 'block-dirty-bitmap-add', data: { node: 'n', name: '/x' } }] }],
  ['transaction', { actions: [], properties: {} }],
  ['transaction', { actions: 'x' }],
] as const)('%s %j is refused', ([name, given]) => {
  expect(qmpProblem(name, given)).toBeTypeOf('string');
});

test.for([
  ['info mtree -f', 'info mtree -f'],
  ['  info   qom-tree /machine/unattached/device[0]', 'info qom-tree /machine/unattached/device[0]'],
  ['x/4i $pc', 'x /4i $pc'],
  ['xp /2xg 0x1000 + 8', 'xp /2xg 0x1000 + 8'],
  ['?info', '? info'],
  ['o /b 0x80 0x1', 'o /b 0x80 0x1'],
  ['mce -b 0 1 2 3 4 5', 'mce -b 0 1 2 3 4 5'],
  ['sendkey ctrl-alt-delete', 'sendkey ctrl-alt-delete'],
  ['device_add e1000,id=n2,netdev=hub', 'device_add e1000,id=n2,netdev=hub'],
  ['chardev-add ringbuf,id=log,size=65536', 'chardev-add ringbuf,id=log,size=65536'],
  ['hostfwd_add tcp:127.0.0.1:2222-:22', 'hostfwd_add tcp:127.0.0.1:2222-:22'],
  ['hostfwd_add net0 udp:127.0.0.1:53-10.0.2.15:53', 'hostfwd_add net0 udp:127.0.0.1:53-10.0.2.15:53'],
  ['trace-event virtio_* on', 'trace-event virtio_* on'],
  ['qom-set /machine/x temperature 20000', 'qom-set /machine/x temperature 20000'],
] as const)('%s stays inside', ([text, sent]) => {
  const line = parseHmp(text);
  expect(hmpProblem(line)).toBeUndefined();
  expect(hmpText(line)).toBe(sent);
});

test.for([
  'dumpdtb /tmp/x',
  'qemu-io d "write -s /etc/passwd 0 512"',
  'info "a" > b',
  'x/4i "$pc"',
  'print `id`',
  'log all -D x',
  'logfile /tmp/x',
  'hostfwd_add tcp::2222-:22',
  'hostfwd_add tcp:0.0.0.0:2222-:22',
  'hostfwd_add smb:127.0.0.1:1-:1',
  'chardev-add null,id=x,logfile=/tmp/x',
  'chardev-add file,id=x,path=/tmp/x',
  'chardev-add ringbuf,id=ser0',
  'object_add filter-dump,id=x,netdev=net0,file=/tmp/x',
  'object_add secret,id=x,data=abc',
  'device_add virtio-rng-pci,romfile=/etc/passwd',
  'device_add virtio-rng-pci,id=a,id=b',
  'device_add {"driver":"e1000"}',
  'qom-set /machine firmware /etc/passwd',
  'qom-set -j /machine firmware "x"',
  'quit now',
  'toString',
  '',
  `info ${'a '.repeat(3000)}`,
])('%s is refused', (text) => {
  expect(hmpProblem(parseHmp(text))).toBeTypeOf('string');
});
