import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { DebugDesk } from './debug-desk.ts';
import { GdbWire } from './gdb-client.ts';

let desk: DebugDesk;
beforeAll(async () => {
  desk = await DebugDesk.open('--allow-debuggers', '--toolset', 'all');
});
afterAll(() => desk[Symbol.asyncDispose]());
afterEach(() => desk.agent.call('machine_stop', { machine: 'mine' }).catch(() => {}));

const loop = '* = $c000\nloop inc $0400\n jmp loop';
const started = async () => {
  const port = await desk.start('c64', 'gdb');
  await desk.agent.call('program_run', { machine: 'mine', source: loop });
  return port;
};
const list = async () => (await desk.agent.call('machine_list')).text;

test('a 6502 has the registers of LLDB: A, X, Y, P, SP and PC, one byte each but the last', async () => {
  using gdb = await GdbWire.open(await started());
  expect(await gdb.ask('qSupported:swbreak+')).toContain('ReverseStep+;ReverseContinue+');
  const xml = await gdb.ask('qXfer:features:read:target.xml:0,fff');
  expect(xml).toContain('<feature name="mame.m6502"><reg name="a" bitsize="8" type="uint8"/>');
  expect(xml.match(/name="(\w+)" bitsize/g)).toHaveLength(6);
  expect(await gdb.ask('P5=00c0')).toBe('OK');
  expect(await gdb.ask('P0=7f')).toBe('OK');
  const all = await gdb.ask('g');
  expect(all).toMatch(/^7f[0-9a-f]{8}00c0$/);
  expect(await gdb.ask('p5')).toBe('00c0');
  expect(await gdb.ask('p6')).toBe('E01');
  expect(Buffer.from((await gdb.ask('qHostInfo')).split(/[:;]/)[1] ?? '', 'hex').toString()).toBe(
    'mos-unknown-unknown',
  );
});

test('LLDB finds what it asks for when it attaches, and what it needs to go on; so does IDA', async () => {
  using gdb = await GdbWire.open(await started());
  const asked: readonly (readonly [packet: string, answer: string | RegExp])[] = [
    // As LLDB 14 sends them.
    ['QStartNoAckMode', 'OK'],
    ['qSupported:xmlRegisters=i386,arm,mips,arc;multiprocess+;fork-events+;vfork-events+', /^PacketSize=4000;/],
    ['QThreadSuffixSupported', ''],
    ['QListThreadsInStopReply', ''],
    ['vCont?', 'vCont;c;C;s;S'],
    ['qProcessInfo', /^pid:1;triple:6d6f732d756e6b6e6f776e2d756e6b6e6f776e;endian:little;ptrsize:2;$/],
    ['?', /^T0504:..;05:....;thread:1;$/],
    // One without a reader for XML; the roles are what it knows the program counter by.
    ['qRegisterInfo0', /^name:a;bitsize:8;offset:0;encoding:uint;format:hex;/],
    ['qRegisterInfo5', /^name:pc;bitsize:16;offset:5;.*generic:pc;$/],
    ['qRegisterInfo6', 'E45'],
    ['qXfer:features:read:target.xml:0,3fff', /<reg name="pc" bitsize="16" type="code_ptr" generic="pc"\/>/],
    // LLDB 14 has read them now and does not know the processor: it would die of more.
    ['qRegisterInfo0', ''],
    ['Hg1', 'OK'],
    ['p5', /^....$/],
    ['qMemoryRegionInfo:c000', ''],
    ['jThreadsInfo', ''],
    ['x0,0', ''],
    // A length of nothing: that of a trap that LLDB does not know.
    ['Z0,c003,0', 'OK'],
    ['vCont;c:0001', /^T05swbreak:;.*05:03c0;/],
    ['z0,c003,0', 'OK'],
    ['vCont;s:0001', /^T05.*05:00c0;/],
    // As stubs that IDA attaches to are asked.
    ['qSupported:xmlRegisters=i386,arm,mips', /qXfer:features:read\+/],
    ['Hc-1', 'OK'],
    ['qOffsets', ''],
    ['qXfer:memory-map:read::0,3fff', ''],
    ['qfThreadInfo', 'm1'],
    ['qsThreadInfo', 'l'],
    ['T1', 'OK'],
    ['Z1,c003,1', 'OK'],
    ['vCont;c', /^T05hwbreak:;.*05:03c0;/],
    ['z1,c003,1', 'OK'],
    ['vCont;s:1;c', /^T05.*05:00c0;/],
    ['D;1', 'OK'],
  ];
  for (const [packet, answer] of asked) {
    const said = await gdb.ask(packet);
    if (typeof answer === 'string') expect(said, packet).toBe(answer);
    else expect(said, packet).toMatch(answer);
  }
});

test('memory in both forms, out of reach, and broken packets', async () => {
  using gdb = await GdbWire.open(await started());
  expect(await gdb.ask('M2000,3:010203')).toBe('OK');
  expect(await gdb.ask('X2003,2:#$')).toBe('OK');
  expect(await gdb.ask('m2000,5')).toBe('0102032324');
  expect(await gdb.ask('mffff,2')).toBe('E0e');
  expect(await gdb.ask('m2000')).toBe('E01');
  expect(await gdb.ask('M2000,3:01')).toBe('E01');
  expect(await gdb.ask('Z9,2000,1')).toBe('E01');
  expect(await gdb.ask('jNonsense')).toBe('');
  gdb.socket.write('$m2000,1#00');
  expect(await gdb.ask('m2000,1')).toBe('01');
});

test('an interrupt, a pause by the agent and its breakpoint all stop a debugger that waits', async () => {
  using gdb = await GdbWire.open(await started());
  gdb.send('vCont;c');
  await vi.waitFor(async () => expect(await list()).toContain('mine RUNNING'), 60_000);
  gdb.socket.write('\x03');
  expect(await gdb.next()).toMatch(/^T02/);

  gdb.send('c');
  await vi.waitFor(async () => expect(await list()).toContain('mine RUNNING'), 60_000);
  await desk.agent.call('pause', { machine: 'mine' });
  expect(await gdb.next()).toMatch(/^T02/);

  expect(await gdb.ask('Z0,c003,1')).toBe('OK');
  expect(await gdb.ask('c')).toMatch(/^T05swbreak:;04:..;05:03c0;/);
  expect(await gdb.ask('z0,c003,1')).toBe('OK');
  expect(await gdb.ask('Z4,400,1')).toBe('OK');
  expect(await gdb.ask('c')).toMatch(/^T05awatch:400;/);
});

test('everybody sees who is at the machine, and what it set is gone with it', async () => {
  const port = await started();
  const gdb = await GdbWire.open(port);
  expect(await gdb.ask('Z1,c000,1')).toBe('OK');
  expect(await list()).toMatch(/mine .* · gdb \(127\.0\.0\.1:\d+\) attached/);
  gdb.socket.destroy();
  await vi.waitFor(async () => expect(await list()).not.toContain('attached'), 60_000);
  using again = await GdbWire.open(port);
  again.send('c');
  await vi.waitFor(async () => expect(await list()).toContain('mine RUNNING'), 60_000);
  await desk.agent.call('machine_stop', { machine: 'mine' });
  await again.closed();
});

test('the past has a beginning', async () => {
  using gdb = await GdbWire.open(await started());
  expect(await gdb.ask('bs')).toMatch(/^T05/);
  expect(await gdb.ask('bc')).toMatch(/^T05replaylog:begin;/);
});

test('a web page, or anything else that is no debugger, is cut off before it is answered', async () => {
  const port = await started();
  for (const text of [
    'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n$k#6b',
    'POST /$g#67 HTTP/1.1\r\n\r\n',
    '\x16\x03\x01',
  ]) {
    using gdb = await GdbWire.open(port);
    gdb.socket.write(text);
    await gdb.closed();
    expect(gdb.socket.bytesRead).toBe(0);
  }
  expect(await list()).not.toContain('attached');
});

test.skipIf(process.getuid?.() !== 0)('another user of this computer is cut off', async () => {
  const port = await started();
  const script = `const s=require('net').connect(${port},'127.0.0.1');s.on('connect',()=>s.write('$qC#b4'));s.on('data',()=>console.log('let in'));s.on('error',()=>{});s.on('close',()=>console.log('cut off'))`;
  const said = async (uid: number) => {
    const child = spawn(process.execPath, ['-e', script], { uid, env: {}, cwd: '/' });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (part.includes('let in')) child.kill();
    });
    await once(child, 'close');
    return text;
  };
  expect(await said(65_534)).toBe('cut off\n');
  expect(await said(0)).toContain('let in');
});

// Sends "$qC#b4" to its serial port.
const bootSector = Buffer.concat([
  Buffer.from('31c08ed8be127cbaf803ac84c074feeeebf8', 'hex'),
  Buffer.from('$qC#b4\0', 'latin1'),
  Buffer.alloc(512),
]);

test('a guest of a QEMU of this user is cut off', async () => {
  await using other = await DebugDesk.open('--allow-debuggers', '--toolset', 'all', '--audit', 'audit.log');
  const port = await other.start('c64', 'gdb');
  bootSector.writeUInt16LE(0xaa55, 510);
  await writeFile(join(other.dir, 'boot.img'), bootSector.subarray(0, 512));
  const wire = `socket,id=wire,host=127.0.0.1,port=${port}`;
  const argv = ['-display', 'none', '-drive', 'file=boot.img,format=raw', '-chardev', wire, '-serial', 'chardev:wire'];
  const qemu = spawn('qemu-system-x86_64', argv, { cwd: other.dir, stdio: 'ignore' });
  const gone = once(qemu, 'exit');
  await vi.waitFor(
    async () => expect(await readFile(join(other.dir, 'audit.log'), 'utf8')).toContain('a connection of a guest'),
    { timeout: 30_000, interval: 50 },
  );
  qemu.kill('SIGKILL');
  await gone;
  using own = await GdbWire.open(port);
  expect(await own.ask('qC')).toBe('QC1');
});

test('without leave of the operator no port is opened, and no machine is left', async () => {
  await using closed = await DebugDesk.open();
  await expect(closed.start('c64', 'gdb')).rejects.toThrow(/--allow-debuggers/);
  expect((await closed.agent.call('machine_list')).text).toContain('No machine is running');
});

test('a port opens later, is listed, and closes', async () => {
  await using other = await DebugDesk.open('--allow-debuggers', '--toolset', 'all');
  await other.agent.call('machine_start', { kind: 'c64', name: 'mine' });
  const { text } = await other.agent.call('debug_port', { machine: 'mine', protocol: 'gdb' });
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
  using gdb = await GdbWire.open(port);
  expect(await gdb.ask('qC')).toBe('QC1');
  expect((await other.agent.call('debug_port', { machine: 'mine' })).text).toContain(`:${port}; 1 connected`);
  const taken = await other.agent.call('debug_port', { machine: 'mine', protocol: 'gdb' });
  expect(taken.text).toContain('already has a port for gdb');
  await other.agent.call('debug_port', { machine: 'mine', protocol: 'gdb', close: true });
  await gdb.closed();
});
