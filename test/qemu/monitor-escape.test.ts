import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MachineError } from '../../src/machine/errors.ts';
import { Canaries } from './canaries.ts';
import { image as riscv64 } from './guests/riscv64.ts';
import { QmpGuesses } from './qmp-guesses.ts';
import { Lab, restrictedSettings, type Vm } from './vm.ts';

type Options = Readonly<Record<string, unknown>>;

/** Disks, discs, a network, consoles: whatever commands can be about. */
async function fitOut(lab: Lab): Promise<readonly Options[]> {
  const disk = join(lab.folder, 'disk.qcow2');
  execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', disk, '1M']);
  const common = { drives: [`${disk},virtio`], network: 'user', channels: ['data'], paused: true };
  return [
    { ...common, arch: 'x86_64', memory: 32, gpu: 'std' },
    { ...common, arch: 'riscv64', memory: 32, bios: lab.file('rv.bin', riscv64) },
  ];
}

/** Asks it, and starts another machine in the place of one that this has ended. */
class Prober {
  readonly #lab: Lab;
  readonly #options: Options;
  #vm: Vm | undefined;
  /** How many were carried out, and how many refused. */
  readonly count = { taken: 0, refused: 0 };

  constructor(lab: Lab, options: Options) {
    this.#lab = lab;
    this.#options = options;
  }

  async vm(): Promise<Vm> {
    if (this.#vm?.machine.status().state === 'OFF') {
      await this.#lab.rack.stop(this.#vm.handle, 'done');
      this.#vm = undefined;
    }
    this.#vm ??= await this.#lab.start(this.#options);
    return this.#vm;
  }

  /** Whether it was carried out; QEMU may have refused it then. */
  async ask(language: 'qmp' | 'hmp', command: string, args: Options = {}): Promise<boolean> {
    const { machine } = await this.vm();
    try {
      await machine.monitor?.execute(language, command, args);
    } catch (error) {
      if (!(error instanceof MachineError)) throw error;
      if (error.type === 'DENIED' || error.type === 'INVALID_ARGUMENT') {
        this.count.refused++;
        return false;
      }
    }
    this.count.taken++;
    return true;
  }

  async end(): Promise<void> {
    if (this.#vm) await this.#lab.rack.stop(this.#vm.handle, 'done');
  }
}

const backend = '/machine/peripheral/drive0/virtio-backend';

/** Lines with which commands of the human monitor name a file. */
function lines(name: string, way: string): string[] {
  const quoted = `"${way.replaceAll('"', '\\"')}"`;
  return [
    ...[
      '',
      '-f ',
      '-a ',
      '-n -f ',
      'x ',
      'drive0 ',
      'drive0-image ',
      '-n drive0 ',
      '0 512 ',
      '/x 0 ',
      '/machine firmware ',
    ].flatMap((before) => [`${name} ${before}${way}`, `${name} ${before}${quoted}`]),
    `${name}/${way}`,
    `${name}\t${way}`,
    `${name} drive0 ${way} qcow2`,
    `${name} cd0 ${way} raw read-only`,
    `${name} drive0-image "write -s ${way} 0 512"`,
    `${name} -d ${backend} "write -s ${way} 0 512"`,
    `${name} -d drive0 "open -o file=${way}"`,
    `${name} file,id=f,path=${way}`,
    `${name} null,id=f,logfile=${way}`,
    `${name} ringbuf,id=f,size=64,logfile=${way}`,
    `${name} socket,id=f,path=${way},server=on,wait=off`,
    `${name} user,id=u,tftp=${way}`,
    `${name} user,id=u,guestfwd=tcp:10.0.2.100:80-cmd:cat ${way}`,
    `${name} virtio-rng-pci,romfile=${way}`,
    `${name} usb-kbd,pcap=${way}`,
    `${name} loader,file=${way}`,
    `${name} filter-dump,id=d,netdev=net0,file=${way}`,
    `${name} memory-backend-file,id=b,size=4096,mem-path=${way}`,
    `${name} secret,id=s,file=${way}`,
    `${name} tls-creds-x509,id=t,dir=${way}`,
    `${name} 0:0 if=none,file=${way},format=raw`,
    `${name} net0 tcp:0.0.0.0:5555-:22`,
    `${name} file ${way}`,
  ];
}

test('no command of QMP leads to a file or socket outside', { timeout: 300_000 }, async () => {
  await using canaries = new Canaries();
  await using lab = new Lab({ settings: restrictedSettings });
  for (const options of await fitOut(lab)) {
    const prober = new Prober(lab, options);
    const { machine } = await prober.vm();
    const guesses = new QmpGuesses(JSON.parse((await machine.monitor?.execute('qmp', 'query-qmp-schema', {})) ?? ''));
    const listed: { name: string }[] = JSON.parse((await machine.monitor?.execute('qmp', 'query-commands', {})) ?? '');
    const commands = listed.map(({ name }) => name);
    expect(commands.length).toBeGreaterThan(150);
    for (const command of commands) {
      // It ends the machine whatever it is given.
      if (command === 'quit') continue;
      for (const way of canaries.ways) {
        for (const args of [{}, ...guesses.of(command, way)]) await prober.ask('qmp', command, args);
      }
      expect(canaries.traces((await prober.vm()).machine.pid), command).toEqual([]);
    }
    expect(prober.count.taken).toBeGreaterThan(100);
    expect(prober.count.refused).toBeGreaterThan(1000);
    await prober.end();
  }
  expect(canaries.unread).toBe(true);
});

test('no command of the human monitor does', { timeout: 300_000 }, async () => {
  await using canaries = new Canaries();
  await using lab = new Lab({ settings: restrictedSettings });
  for (const options of await fitOut(lab)) {
    const prober = new Prober(lab, options);
    const { machine } = await prober.vm();
    const help = (await machine.monitor?.execute('hmp', 'help', {})) ?? '';
    const names = new Set(
      [...help.matchAll(/^([a-z?][\w|?-]*)(?=[ \r])/gm)].flatMap(([, each = '']) => each.split('|')),
    );
    expect(names.size).toBeGreaterThan(80);
    for (const name of names) {
      for (const [at, way] of canaries.ways.entries()) {
        for (const line of lines(name, way)) {
          await prober.ask('hmp', line);
          if (at === 0) await prober.ask('qmp', 'human-monitor-command', { 'command-line': line });
        }
      }
      expect(canaries.traces((await prober.vm()).machine.pid), name).toEqual([]);
    }
    expect(prober.count.refused).toBeGreaterThan(10_000);
    await prober.end();
  }
  expect(canaries.unread).toBe(true);
});

test('what is looked for would be seen: with --allow-monitor the same commands get there', async () => {
  await using lab = new Lab({ settings: { ...restrictedSettings, allowMonitor: true } });
  const [options = {}] = (await fitOut(lab)).slice(1);
  const tries: readonly (readonly ['qmp' | 'hmp', string, (canaries: Canaries) => Options | string])[] = [
    ['qmp', 'dumpdtb', ({ files: [image] }) => ({ filename: image })],
    ['qmp', 'pmemsave', ({ files: [image] }) => ({ val: 0x80000000, size: 512, filename: image })],
    ['hmp', 'dumpdtb', ({ files: [image] }) => `dumpdtb ${image}`],
    ['hmp', 'qemu-io', ({ files: [image] }) => `qemu-io -d ${backend} "write -s ${image} 0 512"`],
    ['hmp', 'chardev-add', ({ socket }) => `chardev-add socket,id=f,path=${socket}`],
    [
      'qmp',
      'transaction',
      ({ files: [image] }) => ({
        actions: [
          {
            type: 'drive-backup',
            data: { device: 'drive0-image', target: image, sync: 'full', format: 'raw', mode: 'absolute-paths' },
          },
        ],
      }),
    ],
  ];
  for (const [language, command, given] of tries) {
    await using canaries = new Canaries();
    const prober = new Prober(lab, options);
    const asked = given(canaries);
    if (typeof asked === 'string') await prober.ask(language, asked);
    else await prober.ask(language, command, asked);
    await expect.poll(() => canaries.traces(), { message: `${language} ${command}` }).not.toEqual([]);
    await prober.end();
  }
});

test('what people need of the monitor is taken', { timeout: 180_000 }, async () => {
  await using lab = new Lab({ settings: restrictedSettings });
  const { machine } = await lab.start({
    ...{ arch: 'x86_64', machine: 'q35', memory: 32, smp: 1, gpu: 'std', network: 'user', paused: true },
    extra: ['-object', 'memory-backend-ram,id=more,size=16M'],
  });
  const qmp = async (command: string, args: Options = {}) => machine.monitor?.execute('qmp', command, args);
  const hmp = async (line: string) => machine.monitor?.execute('hmp', line, {});
  await qmp('inject-nmi');
  await qmp('object-add', { 'qom-type': 'rng-builtin', id: 'rng1' });
  await qmp('device_add', { driver: 'virtio-rng-pci', id: 'dice', rng: 'rng1', bus: 'slot0' });
  expect(await hmp('info qtree')).toContain('dev: virtio-rng-pci, id "dice"');
  await qmp('chardev-add', { id: 'log', backend: { type: 'ringbuf', data: { size: 1024 } } });
  await qmp('ringbuf-write', { device: 'log', data: 'a line of text' });
  expect(await qmp('ringbuf-read', { device: 'log', size: 100 })).toBe('"a line of text"');
  expect(await hmp('object_add iothread,id=io1')).toBe('');
  expect(await qmp('query-iothreads')).toContain('"io1"');
  expect(await hmp('object_del io1')).toBe('');
  expect(await hmp('set_link nic0 off')).toBe('');
  expect(await hmp('hostfwd_add net0 tcp:127.0.0.1:0-:22')).toBe('');
  expect(await hmp('x/2i $pc')).toContain('ljmp');
  expect(await hmp('p /x 6 * 7')).toContain('0x2a');
  expect(await hmp('log int,guest_errors')).toBe('');
  expect(await hmp('info mtree -f')).toContain('FlatView');
  const wrapped = await qmp('human-monitor-command', { 'command-line': 'info registers', 'cpu-index': 0 });
  expect(wrapped).toMatch(/^"\\r?\\n?CPU#0|^".*EAX=/);
  await expect(qmp('object-del', { id: 'capture1' })).rejects.toMatchObject({ type: 'DENIED' });
});
