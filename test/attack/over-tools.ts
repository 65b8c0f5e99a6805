import { tools } from '../../src/tools/index.ts';
import type { AttackCase, AttackGroup } from './attack-case.ts';
import { type Battlefield, secret } from './battlefield.ts';

/** A call that must be refused: it may neither show the secret nor succeed. */
function refused(
  field: Battlefield,
  name: string,
  tool: string,
  args: Record<string, unknown>,
  client = field.owner,
): AttackCase {
  return {
    name,
    run: async () => {
      const { text, isError, content } = await field.call(tool, args, client);
      if (JSON.stringify(content).includes(secret)) return `the secret: ${text.slice(0, 200)}`;
      return isError ? undefined : `carried out: ${text.slice(0, 200)}`;
    },
  };
}

const outsidePaths = (field: Battlefield): readonly string[] => [
  field.at('outside/secret.txt'),
  field.at('write/../outside/secret.txt'),
  field.at('read/relative-link/secret.prg'),
  field.at('write/link/secret.txt'),
  field.at('write/secret-link'),
  field.at('write/sub/../../outside/secret.txt'),
  `${field.at('write')}/./link//secret.txt`,
  `${field.at('read')}x/../outside/secret.txt`,
  field.at('write/loop/secret.txt'),
  '../outside/secret.txt',
  '/etc/passwd',
  '/proc/self/environ',
  '/proc/self/root/etc/passwd',
  `/proc/self/cwd/outside/secret.txt`,
  '/dev/zero',
  '/dev/mem',
  `${field.at('outside/secret.txt')}\0.prg`,
  `file://${field.at('outside/secret.txt')}`,
];

const readers: readonly (readonly [tool: string, argument: string, args: Record<string, unknown>])[] = [
  ['program_run', 'path', { machine: 'c64' }],
  ['program_run', 'path', { machine: 'dos' }],
  ['media_attach', 'path', { machine: 'c64' }],
  ['media_attach', 'path', { machine: 'dos', slot: 'a' }],
  ['media_attach', 'path', { machine: 'qemu' }],
  ['symbols_load', 'path', { machine: 'c64' }],
  ['symbols_load', 'path', { machine: 'qemu' }],
  ['names_import', 'path', { machine: 'dos' }],
  ['file_put', 'path', { machine: 'line', to: 'x', timeout_ms: 500 }],
];
const writers: readonly (readonly [tool: string, argument: string, args: Record<string, unknown>])[] = [
  ['console_record', 'path', { machine: 'line', action: 'start' }],
  ['audio_capture', 'path', { machine: 'c64', action: 'start' }],
  ['names_export', 'path', { machine: 'c64', format: 'symbols' }],
  ['network_capture_start', 'path', { machine: 'qemu' }],
];

export const paths: AttackGroup = {
  name: 'paths that lead out',
  cases: (field) =>
    [...readers, ...writers].flatMap(([tool, argument, args]) =>
      outsidePaths(field).map((path) => refused(field, `${tool} ${path}`, tool, { ...args, [argument]: path })),
    ),
};

const starts = (path: string): readonly (readonly [string, Record<string, unknown>])[] => [
  ['qemu', { arch: 'x86_64', memory: 16, drives: [path] }],
  ['qemu', { arch: 'x86_64', memory: 16, kernel: path }],
  ['qemu', { arch: 'x86_64', memory: 16, bios: path }],
  ['qemu', { arch: 'x86_64', memory: 16, share: path }],
  ['qemu', { arch: 'x86_64', memory: 16, from_snapshot: path }],
  ['qemu', { arch: 'x86_64', memory: 16, snapshot_dir: path }],
  ['qemu', { arch: 'x86_64', memory: 16, work_dir: path }],
  ['qemu', { arch: 'x86_64', memory: 16, dtb: path, kernel: path }],
  ['qemu', { arch: 'x86_64', memory: 16, uefi: path }],
  ['qemu', { arch: 'x86_64', memory: 16, debug_console: path }],
  ['dos', { folder: path }],
  ['dos', { program: path }],
  ['dos', { printer: path }],
  ['c64', { roms: path }],
  ['console', { socket: path }],
  ['console', { device: path }],
];

export const options: AttackGroup = {
  name: 'options of machines',
  cases: (field) => {
    const out = [
      field.at('outside/secret.txt'),
      field.at('write/link/deep'),
      field.at('write/../outside/disk.img'),
      '/etc',
    ];
    const wrong = out.flatMap((path) =>
      starts(path).map(([kind, given]) =>
        refused(field, `${kind} ${JSON.stringify(given)}`, 'machine_start', { kind, options: given }),
      ),
    );
    const extra = [
      '-monitor stdio',
      '-drive file=/etc/passwd',
      '-chardev file,id=a,path=/tmp/x',
      '-serial file:/tmp/x',
      '-device vfio-pci',
      '-object memory-backend-file,id=m,size=1M,mem-path=/tmp/x',
      '-readconfig /etc/passwd',
      '-D /tmp/x',
      '-qmp tcp:0:4444,server',
      '-netdev tap,id=t,script=/bin/sh',
      '-incoming exec:id',
      '-virtfs local,path=/,mount_tag=a,security_model=none',
      '-blockdev driver=file,filename=/etc/passwd,node-name=a',
      '-fw_cfg name=opt/a,file=/etc/passwd',
      '-pidfile /tmp/x',
      '-daemonize',
      '-runas root',
      '-plugin /tmp/x.so',
    ];
    const commands = ['sh -c id', '/bin/sh', 'cat /etc/passwd', 'ssh -oProxyCommand=id x'].map((line) =>
      refused(field, `console ${line}`, 'machine_start', { kind: 'console', options: { command: line.split(' ') } }),
    );
    const arguments_ = extra.map((line) =>
      refused(field, `qemu ${line}`, 'machine_start', {
        kind: 'qemu',
        options: { arch: 'x86_64', memory: 16, extra: line.split(' ') },
      }),
    );
    return [...wrong, ...commands, ...arguments_];
  },
};

const monitor = [
  'dumpdtb /tmp/x',
  'pmemsave 0 512 /tmp/x',
  'memsave 0 512 /tmp/x',
  'screendump /tmp/x',
  'logfile /tmp/x',
  'savevm x',
  'migrate exec:id',
  'chardev-add file,id=a,path=/tmp/x',
  'drive_add 0 file=/etc/passwd',
  'qemu-io a "write -s /tmp/x 0 512"',
  'change ide1-cd0 /etc/passwd',
  'drive_mirror a /tmp/x',
  'drive_backup a /tmp/x',
  'object_add memory-backend-file,id=m,size=1M,mem-path=/tmp/x',
  'netdev_add tap,id=t',
  'wavcapture /tmp/x',
  'nbd_server_start 0:1',
  'gdbserver tcp::1',
  'dump-guest-memory /tmp/x',
  'info status; quit',
];
const qmp: readonly (readonly [string, Record<string, unknown>])[] = [
  ['human-monitor-command', { 'command-line': 'dumpdtb /tmp/x' }],
  ['blockdev-add', { driver: 'file', filename: '/etc/passwd', 'node-name': 'a' }],
  ['transaction', { actions: [{ type: 'drive-backup', data: { device: 'a', target: '/tmp/x', sync: 'full' } }] }],
  ['migrate', { uri: 'exec:id' }],
  ['pmemsave', { val: 0, size: 512, filename: '/tmp/x' }],
  ['screendump', { filename: '/tmp/x' }],
  ['chardev-add', { id: 'a', backend: { type: 'file', data: { out: '/tmp/x' } } }],
  ['object-add', { 'qom-type': 'memory-backend-file', id: 'm', 'mem-path': '/tmp/x', size: 4096 }],
  ['getfd', { fdname: 'x' }],
  ['add-fd', {}],
  ['qmp_capabilities', {}],
  ['dumpdtb', { filename: '/tmp/x' }],
  ['dump-guest-memory', { paging: false, protocol: 'file:/tmp/x' }],
  ['nbd-server-start', { addr: { type: 'inet', data: { host: '0.0.0.0', port: '1' } } }],
];

export const monitors: AttackGroup = {
  name: 'the monitor of QEMU',
  cases: (field) => [
    ...monitor.map((command) =>
      refused(field, `HMP ${command}`, 'monitor_execute', { machine: 'qemu', command, language: 'hmp' }),
    ),
    ...qmp.map(([command, given]) =>
      refused(field, `QMP ${command}`, 'monitor_execute', { machine: 'qemu', command, arguments: given }),
    ),
  ],
};

const looking = ['look', 'read', 'none'];

/** Somebody who may only look calls everything that changes something. */
export const roles: AttackGroup = {
  name: 'a watcher who acts',
  cases: (field) =>
    tools
      .filter(({ effect }) => !looking.includes(String(effect)))
      .flatMap(({ name }) =>
        ['c64', 'dos', 'line', 'qemu'].map((machine) =>
          refused(field, `${name} on ${machine}`, name, { machine, ...least[name] }, field.watcher),
        ),
      ),
};

const least: Readonly<Record<string, Record<string, unknown>>> = {
  machine_start: { kind: 'c64' },
  input_send: { text: 'a' },
  console_send: { text: 'a' },
  memory_write: { address: '0', bytes: '00' },
  registers_write: { values: { a: '1' } },
};

/** The same by way of the tool that passes calls on. */
export const throughFind: AttackGroup = {
  name: 'calls that are passed on',
  cases: (field) => {
    const through = (name: string, tool: string, args: Record<string, unknown>, client = field.owner) =>
      refused(field, name, 'tool_find', { tool, arguments: args }, client);
    const watched = Object.entries(least).map(([tool, args]) =>
      through(`${tool} by a watcher`, tool, { machine: 'c64', ...args }, field.watcher),
    );
    const out = outsidePaths(field).map((path) =>
      through(`symbols_load ${path}`, 'symbols_load', { machine: 'c64', path }),
    );
    const odd = ['__proto__', 'constructor', 'tool_find', '', 'x'.repeat(10_000), 'bytes_read', 'moment_read'].map(
      (tool) => through(`the tool ${tool.slice(0, 20)}`, tool, { tool, arguments: { tool } }),
    );
    const hmp = ['dumpdtb /tmp/x', 'migrate exec:id', 'drive_add 0 file=/etc/passwd'];
    return [
      ...watched,
      ...out,
      ...odd,
      ...hmp.map((command) =>
        through(`HMP ${command}`, 'monitor_execute', { machine: 'qemu', command, language: 'hmp' }),
      ),
    ];
  },
};
