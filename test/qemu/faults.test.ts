import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { test } from 'vitest';
import { MachineError } from '../../src/machine/errors.ts';
import { cutQemu, falseQemu } from './false-qemu.ts';
import { image as x86Real } from './guests/x86-real.ts';
import { Lab, restrictedSettings, type Vm } from './vm.ts';

// Vitest fails the run on any error that nobody caught: that is what ends a server.

const greeting = `say('{"QMP":{"version":{"qemu":{"major":7,"minor":2,"micro":22}},"capabilities":[]}}');`;
const answering = (value: string) => `${greeting}
  socket.on('data', (chunk) => {
    for (const line of String(chunk).split('\\n').filter(Boolean)) say('{"return":${value},"id":' + JSON.parse(line).id + '}');
  });`;

test.concurrent.for([
  // These two are waited for until the time to attach is up: first, so that the others run meanwhile.
  ['says nonsense to it', { gdb: `socket.write(Buffer.alloc(70000, 0x24)); socket.write('+-#$T05#zz');` }],
  [
    'answers it with stops',
    { gdb: `socket.on('data', () => { packet('T05thread:p01.01;watch:zz;'); packet('T05'); });` },
  ],
  ['ends at once', { start: 'process.exit(1);' }],
  ['ends with noise', { start: `process.stderr.write(Buffer.alloc(100000, 0xff)); process.exit(0);` }],
  ['is killed at once', { start: `process.kill(process.pid, 'SIGKILL');` }],
  ['hangs up on its monitor', { qmp: 'socket.destroy();' }],
  ['says nonsense on it', { qmp: `socket.write(Buffer.from([0, 255, 10, 123, 10]));` }],
  ['greets and hangs up', { qmp: `${greeting} socket.end();` }],
  ['greets twice and hangs up', { qmp: `${greeting}${greeting} setTimeout(() => socket.destroy(), 20);` }],
  ['hangs up on the first command', { qmp: `${greeting} socket.on('data', () => socket.destroy());` }],
  ['dies at the first command', { qmp: `${greeting} socket.on('data', () => process.kill(process.pid, 'SIGKILL'));` }],
  ['answers with nothing', { qmp: answering('null') }],
  ['answers with a number', { qmp: answering('7') }],
  ['answers with odd lists', { qmp: answering('[null,7,{\\"drv\\":{},\\"file\\":[]}]') }],
  ['refuses everything', { qmp: `${greeting} socket.on('data', () => say('{"error":{"class":5}}'));` }],
  [
    'writes a line without end',
    { qmp: `${greeting} const more = () => socket.write('x'.repeat(65536), more); more();` },
  ],
  [
    'floods with odd events',
    {
      qmp: `${answering('{}')}
        for (let n = 0; n < 2000; n++) {
          say('{"event":"DEVICE_DELETED","data":{"device":{"a":[]},"path":null},"timestamp":"x"}');
          say('{"event":"JOB_STATUS_CHANGE","data":[1,2]}'); say('{"event":"RESET","data":7}');
          say('{"event":"SHUTDOWN"}'); say('{"event":"STOP","timestamp":{"seconds":-1}}'); say('{"event":"RESUME","data":"x"}');
          say('{"event":5}'); say('[]'); say('null'); say('"x"');
        }`,
    },
  ],
  ['hangs up on its debugger', { gdb: 'socket.destroy();' }],
  ['refuses what the debugger asks', { gdb: `socket.on('data', () => packet('E01'));` }],
  ['answers it with nothing', { gdb: `socket.on('data', () => packet(''));` }],
  ['answers it with nacks', { gdb: `socket.on('data', () => socket.write('-'));` }],
  [
    'hangs up in the middle of a packet',
    { gdb: `socket.on('data', () => { socket.write('+$qSup'); socket.destroy(); });` },
  ],
  [
    'sends it a packet without end',
    { gdb: `socket.write('$'); const more = () => socket.write('a'.repeat(65536), more); more();` },
  ],
  ['dies when the debugger comes', { gdb: `process.kill(process.pid, 'SIGKILL');` }],
] as const)('a QEMU that %s does not start', { timeout: 180_000 }, async ([name, behaviour], { expect }) => {
  await using lab = new Lab();
  const tools = falseQemu(lab.folder, name, behaviour);
  await using victim = new Lab({ settings: { ...restrictedSettings, qemuFolders: [tools] } });
  const outcome: unknown = await victim.rack.start('qemu', { gpu: 'none' }).catch((error: unknown) => error);
  if (!(outcome instanceof MachineError)) expect(outcome).toHaveProperty('machine');
  else expect(outcome.message).not.toBe('');
  await victim.rack.close();
  await expect.poll(() => processesOf(tools)).toEqual([]);
});

function processesOf(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(folder);
    } catch {
      return false;
    }
  });
}

const never = new AbortController().signal;

/** What may be under way when QEMU dies. */
const activities: Readonly<Record<string, (vm: Vm) => Promise<unknown>>> = {
  nothing: async () => {},
  'a run': ({ machine }) => machine.control.run({ wallMs: 4000 }, never),
  'a run to a condition': ({ machine }) => machine.control.run({ wallMs: 4000, condition: 'eax == 0x12345' }, never),
  steps: ({ machine }) => machine.control.step({ kind: 'into', count: 100_000, back: false, wallMs: 4000 }, never),
  'a step over': ({ machine }) => machine.control.step({ kind: 'over', count: 1000, back: false, wallMs: 4000 }, never),
  'reading memory': async ({ machine }) => {
    for (let n = 0; n < 500; n++) await machine.memory.peek('physical', 0n, 4096);
  },
  'reading much memory': async ({ machine }) => {
    for (let n = 0; n < 50; n++) await machine.memory.peek('physical', 0n, 4 * 1024 * 1024);
  },
  'a picture': async ({ machine }) => {
    for (let n = 0; n < 50; n++) await machine.screen.png();
  },
  'a snapshot': async ({ machine }) => {
    for (let n = 0; n < 20; n++) await machine.snapshots.save('s');
  },
  typing: ({ machine }) => machine.keyboard.type('abc'.repeat(100), never),
  'a held key': async ({ machine }) => {
    for (let n = 0; n < 50; n++) await machine.keyboard.hold(n % 2 ? [] : ['a']);
  },
  'the mouse': async ({ machine }) => {
    for (let n = 0; n < 200; n++) await machine.mouse.moveBy(3, 3);
  },
  'a disc': async ({ machine }) => {
    const medium = { name: 'x', bytes: new Uint8Array(2048), readOnly: true };
    for (let n = 0; n < 50; n++) await machine.media.attach('cd0', medium);
  },
  'a capture': async ({ machine }) => {
    for (let n = 0; n < 50; n++) await machine.network?.stopCapture((await machine.network.startCapture({})).id);
  },
  'a reset': async ({ machine }) => {
    for (let n = 0; n < 50; n++) await machine.control.reset('soft');
  },
  'a power cycle': async ({ machine }) => {
    for (let n = 0; n < 10; n++) await machine.control.reset('hard');
  },
  'the monitor': async ({ machine }) => {
    for (let n = 0; n < 500; n++) await machine.monitor?.execute('hmp', 'info qtree', {});
  },
  breakpoints: async ({ machine }) => {
    const spec = { type: 'exec', address: 0x7c00n, length: 1, logOnly: false, temporary: false } as const;
    for (let n = 0; n < 200; n++) await machine.breakpoints.delete((await machine.breakpoints.set(spec)).id);
  },
  'its end': ({ machine }) => machine[Symbol.asyncDispose](),
};

test.concurrent.for(Object.keys(activities))('QEMU is killed during %s', async (name, { expect }) => {
  await using lab = new Lab({ settings: restrictedSettings });
  const drives = [`${lab.file('boot.img', x86Real)},floppy`];
  for (const delayMs of [0, 5, 30, 120]) {
    const vm = await lab.start({ memory: 16, network: 'user', nic: 'e1000', tablet: false, drives });
    const { pid } = vm.machine;
    const outcome = failureOf(activities[name]?.(vm));
    await setTimeout(delayMs);
    kill(pid);
    const failure = await outcome;
    if (failure !== undefined) expect(failure).toBeInstanceOf(MachineError);
    await vm.until('the end', () => vm.machine.status().state === 'OFF' || vm.machine.pid !== pid);
    if (vm.machine.pid !== pid) kill(vm.machine.pid);
    await lab.rack.stop(vm.handle, 'killed');
  }
});

const cuts = [
  ['the monitor is cut off', 'SIGUSR2'],
  ['the debugger is cut off', 'SIGHUP'],
  ['nonsense comes from both', 'SIGWINCH'],
] as const;

test.concurrent.for(
  cuts.flatMap(([what, signal]) => Object.keys(activities).map((name) => [what, name, signal] as const)),
)('%s during %s', async ([, name, signal], { expect }) => {
  await using lab = new Lab();
  await using victim = new Lab({ settings: { ...restrictedSettings, qemuFolders: [cutQemu(lab.folder)] } });
  const drives = [`${lab.file('boot.img', x86Real)},floppy`];
  const vm = await victim.start({ memory: 16, network: 'user', nic: 'e1000', tablet: false, drives });
  const outcome = failureOf(activities[name]?.(vm));
  await setTimeout(10);
  kill(vm.machine.pid, signal);
  const failure = await outcome;
  if (failure !== undefined) expect(failure).toBeInstanceOf(MachineError);
  // Whatever is called now is answered or refused, and the machine can be stopped.
  const next = await failureOf(vm.machine.control.pause());
  if (next !== undefined) expect(next).toBeInstanceOf(MachineError);
  await victim.rack.stop(vm.handle, 'cut');
});

async function failureOf(activity: Promise<unknown> | undefined): Promise<unknown> {
  try {
    await activity;
    return undefined;
  } catch (error) {
    return error;
  }
}

function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended before.
  }
}
