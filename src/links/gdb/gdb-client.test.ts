import { afterEach, describe, expect, test } from 'vitest';
import { GdbClient } from './gdb-client.ts';
import { TestStub } from './stub-testing.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

async function connect(answers: Parameters<typeof TestStub.listen>[0]) {
  const stub = await TestStub.listen(answers);
  open.push(stub);
  return { stub, client: await GdbClient.connect(stub.path, { timeoutMs: 5000 }) };
}

test('registers, memory and points are asked for as QEMU wants it', async () => {
  const { stub, client } = await connect({
    g: '01020304',
    p1f: 'xxxx0001',
    'P1=*': 'OK',
    'm1000,*': (request) => 'ab'.repeat(Number.parseInt(request.split(',')[1] ?? '', 16)),
    'm1800,*': (request) => 'cd'.repeat(Number.parseInt(request.split(',')[1] ?? '', 16)),
    'M20,*': 'OK',
    'Z*': 'OK',
    'z*': 'OK',
    'Qqemu.PhyMemMode:1': 'OK',
    qfThreadInfo: 'mp01.01',
    qsThreadInfo: (_, { requests }) =>
      requests.filter((each) => each === 'qsThreadInfo').length > 1 ? 'l' : 'mp01.02',
    'Hgp01.02': 'OK',
  });
  expect(client.description.registers).toMatchObject([{ name: 'a', number: 0, bits: 32 }]);
  expect([...(await client.readAll())]).toEqual([1, 2, 3, 4]);
  expect([...(await client.readRegister(31))]).toEqual([0, 0, 0, 1]);
  await client.writeRegister(1, Uint8Array.of(0xaa, 0xbb));
  const memory = await client.readMemory(0x1000n, 2049);
  expect([memory.length, memory[2047], memory[2048]]).toEqual([2049, 0xab, 0xcd]);
  await client.writeMemory(0x20n, Uint8Array.of(1, 2));
  await client.insert('access', 0xffffffff81000000n, 8);
  await client.remove('software', 16n, 4);
  expect(await client.physicalAddresses(true)).toBe(true);
  expect(await client.threads()).toEqual(['p01.01', 'p01.02']);
  await client.selectThread('p01.02');
  expect(stub.requests).toEqual(
    expect.arrayContaining([
      'P1=aabb',
      'm1000,800',
      'm1800,1',
      'M20,2:0102',
      'Z4,ffffffff81000000,8',
      'z0,10,4',
      'Hgp01.02',
    ]),
  );
  // The last one is still owed: it goes out with the next request.
  expect(stub.acks).toBe(stub.requests.length - 1);
});

test('the monitor prints in pieces', async () => {
  const { client } = await connect({
    'qRcmd,*': (request, stub) => {
      stub.raw('+');
      stub.packet(`O${request.slice(6)}`);
      stub.packet('O0a');
      stub.packet('OK');
      return undefined;
    },
  });
  expect(await client.monitor('info version')).toBe('info version\n');
});

test('acknowledgements stop when the stub offers that', async () => {
  const { stub, client } = await connect({
    'qSupported*': 'QStartNoAckMode+;PacketSize=400',
    QStartNoAckMode: 'OK',
    g: '00',
    'm0,*': (request) => '00'.repeat(Number.parseInt(request.split(',')[1] ?? '', 16)),
    'm200,*': '0000',
  });
  await client.readAll();
  await client.readMemory(0n, 514);
  expect(stub.acks).toBe(2);
  expect(stub.requests).toContain('m0,200');
});

describe('running', () => {
  test('a stop belongs to the run, with its thread and watchpoint', async () => {
    const { client } = await connect({
      'vCont;c': 'T05thread:p01.02;watch:ffffffff80001008;',
      'vCont;s:p01.01': 'S05',
    });
    expect(await client.continue()).toEqual({
      signal: 5,
      thread: 'p01.02',
      watch: { type: 'write', address: 0xffffffff80001008n },
    });
    expect(await client.step('p01.01')).toEqual({ signal: 5 });
  });

  test('an interrupt stops it; nothing else is sent meanwhile', async () => {
    const { stub, client } = await connect({ 'vCont;c': () => undefined });
    const flight = client.continue();
    await expect(client.readAll()).rejects.toMatchObject({ failure: 'protocol' });
    await expect(client.continue()).rejects.toMatchObject({ failure: 'protocol' });
    await expect.poll(() => stub.requests).toContain('vCont;c');
    stub.packet('O68656c6c6f');
    client.interrupt();
    await expect.poll(() => stub.requests.at(-1)).toBe('interrupt');
    stub.packet('T02thread:01;');
    expect(await flight).toEqual({ signal: 2, thread: '01' });
    expect(stub.requests).not.toContain('g');
  });

  test('a refusal to run is an error', async () => {
    const { client } = await connect({ 'vCont;c': 'E22' });
    await expect(client.continue()).rejects.toMatchObject({ failure: 'refused', code: 0x22 });
    expect(client.running).toBe(false);
  });
});

describe('when both sides disagree', () => {
  test('a stop nobody asked for is not an answer', async () => {
    const { client } = await connect({
      g: (_, stub) => {
        stub.packet('T02thread:01;');
        return '0a0b';
      },
    });
    expect([...(await client.readAll())]).toEqual([10, 11]);
  });

  test('a request thrown away because the target ran is asked again, after a place both know', async () => {
    let thrownAway = false;
    const { stub, client } = await connect({
      g: () => {
        if (thrownAway) return '0c';
        thrownAway = true;
        stub.packet('T02thread:01;');
        return undefined;
      },
      'qRcmd,*': (request, own) => {
        own.raw('+');
        // What the past still had to say comes first.
        own.packet('ffff');
        own.packet(`O${request.slice(6)}`);
        return 'OK';
      },
    });
    expect([...(await client.readAll())]).toEqual([12]);
    expect(stub.requests.filter((each) => each === 'g')).toHaveLength(2);
  });

  test('an answer that comes too late is not taken for the next', async () => {
    let late = true;
    const { client } = await connect({
      'qRcmd,*': (request, stub) => {
        stub.raw('+');
        if (late && request.length < 20) {
          late = false;
          setTimeout(() => stub.packet('OK'), 60);
          return undefined;
        }
        stub.packet(`O${request.slice(6)}`);
        return 'OK';
      },
      g: '0d',
    });
    await expect(client.monitor('slow', 20)).rejects.toMatchObject({ failure: 'timeout' });
    expect([...(await client.readAll())]).toEqual([13]);
  });

  test('damaged packets are asked for again, and ours are sent again', async () => {
    let asked = 0;
    const { stub, client } = await connect({
      g: (_, own) => {
        asked++;
        if (asked === 1) own.raw('-');
        else own.raw('+$0e#00');
        return undefined;
      },
    });
    const reading = client.readAll();
    await expect.poll(() => stub.nacks).toBe(1);
    stub.packet('0e');
    expect([...(await reading)]).toEqual([14]);
    expect(asked).toBe(2);
  });
});

describe('hostile answers', () => {
  test.for([
    ['E14', 'refused'],
    ['', 'unsupported'],
    ['zz', 'protocol'],
    ['0', 'protocol'],
  ] as const)('%j to a register is %s', async ([answer, failure]) => {
    const { client } = await connect({ p5: answer });
    await expect(client.readRegister(5)).rejects.toMatchObject({ failure });
  });

  test('memory that is shorter or longer than asked for is refused', async () => {
    const { client } = await connect({ 'm10,4': '0011', 'm20,4': '001122334455' });
    await expect(client.readMemory(0x10n, 4)).rejects.toThrow(/ends there/);
    await expect(client.readMemory(0x20n, 4)).rejects.toThrow(/ends there/);
  });

  test('a packet without end closes the connection', async () => {
    const { stub, client } = await connect({ g: () => undefined });
    const reading = client.readAll();
    await expect.poll(() => stub.requests).toContain('g');
    stub.raw(`$${'0'.repeat(2 * 1024 * 1024)}`);
    await expect(reading).rejects.toMatchObject({ failure: 'protocol' });
    expect(client.closed).toBe(true);
  });

  test('refusing all our packets closes it as well', async () => {
    const { stub, client } = await connect({
      g: (_, own) => {
        own.raw('-');
        return undefined;
      },
    });
    await expect(client.readAll()).rejects.toMatchObject({ failure: 'protocol' });
    expect(stub.requests.filter((each) => each === 'g').length).toBeLessThan(10);
  });

  test('threads without end and names that are none are dropped', async () => {
    const { client } = await connect({ qfThreadInfo: 'm1,2,;vCont,p01.03', qsThreadInfo: 'l' });
    expect(await client.threads()).toEqual(['1', '2', 'p01.03']);
    const empty = await connect({ qfThreadInfo: 'm', qsThreadInfo: 'm' });
    expect(await empty.client.threads()).toEqual([]);
    const many = await connect({ qfThreadInfo: `m${'1,'.repeat(200_000)}`, qsThreadInfo: 'l' });
    expect(await many.client.threads()).toHaveLength(4096);
  });

  test('hanging up ends what waits and says so', async () => {
    const { stub, client } = await connect({ 'vCont;c': () => undefined });
    const closed = new Promise((done) => client.onClose(done));
    const flight = client.continue();
    await expect.poll(() => stub.requests).toContain('vCont;c');
    stub.hangUp();
    await expect(flight).rejects.toMatchObject({ failure: 'closed' });
    expect(await closed).toMatchObject({ failure: 'closed' });
    await expect(client.readAll()).rejects.toMatchObject({ failure: 'closed' });
  });

  test('a stub that never answers is a timeout', async () => {
    const stub = await TestStub.listen({ 'qSupported*': () => undefined });
    open.push(stub);
    await expect(GdbClient.connect(stub.path, { timeoutMs: 50 })).rejects.toMatchObject({ failure: 'timeout' });
  });
});

describe('calls of the target to its host', () => {
  const calling = { 'vCont;c': () => undefined, 'm1000,3': '616263', 'F*': () => undefined };

  test('are answered with its memory at hand, and it goes on', async () => {
    const { stub, client } = await connect(calling);
    const seen: string[] = [];
    client.serveCalls({
      answer: async (call, memory) => {
        seen.push(call, Buffer.from(await memory(0x1000n, 3)).toString());
        return { value: 3 };
      },
      resumed: () => seen.push('resumed'),
      ended: (code) => seen.push(`ended ${code}`),
    });
    const run = client.continue();
    stub.packet('Fwrite,1,1000,3');
    await expect.poll(() => stub.requests.at(-1)).toBe('F3,0');
    expect([client.running, ...seen]).toEqual([true, 'write,1,1000,3', 'abc', 'resumed']);
    stub.packet('W07');
    expect(await run).toEqual({ signal: 0 });
    expect(seen.at(-1)).toBe('ended 7');
  });

  test('are refused where nobody answers', async () => {
    const { stub, client } = await connect(calling);
    void client.continue().catch(() => undefined);
    stub.packet('Fopen,1000/4,0,0');
    await expect.poll(() => stub.requests.at(-1)).toBe('F-1,1');
  });

  test('stop it with their answer when it was interrupted meanwhile', async () => {
    const { stub, client } = await connect(calling);
    const asked: (() => void)[] = [];
    const answer = () => new Promise<{ value: number }>((done) => void asked.push(() => done({ value: 0 })));
    client.serveCalls({ answer, resumed: () => {}, ended: () => {} });
    const run = client.continue();
    stub.packet('Fread,0,1000,1');
    await expect.poll(() => asked.length).toBe(1);
    client.interrupt();
    await expect(client.readAll()).rejects.toThrow('under way');
    asked[0]?.();
    await expect.poll(() => stub.requests.at(-1)).toBe('F0,0,C');
    stub.packet('T02thread:01;');
    expect(await run).toMatchObject({ signal: 2 });
  });
});
