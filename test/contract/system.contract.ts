import { expect, test } from 'vitest';
import { type Context, never, patientMs, refusal } from './context.ts';

/** For scenes whose machine boots first. */
const withBoot = { timeout: 10 * patientMs };

export function linuxContract(context: Context): void {
  test('where no Linux runs every question is refused', async () => {
    const { linux } = context.with('linux');
    await context.bench();
    for (const ask of ['overview', 'log', 'tasks', 'modules', 'mounts', 'oopses', 'loadSymbols'] as const) {
      await expect(linux[ask](), ask).rejects.toMatchObject(refusal);
    }
    await expect(linux.task(1)).rejects.toMatchObject(refusal);
  });

  test('it is what it says of itself, and reading it changes nothing', withBoot, async () => {
    const { machine, truth } = await context.scene('linux', 'linux', 'cpu');
    const { linux, cpu } = machine;
    const before = await cpu.registers();
    const overview = await linux.overview();
    expect(overview.banner.trim()).toBe(truth.banner);
    expect(overview.symbols).toBeGreaterThan(0);
    expect((await linux.modules()).map(({ name }) => name).sort()).toEqual([...truth.modules].sort());
    for (const { name, bytes, state } of await linux.modules()) {
      expect({ name, state }).toEqual({ name, state: 'live' });
      expect(bytes, name).toBeGreaterThan(0);
    }
    expect((await linux.mounts()).map(({ path }) => path).sort()).toEqual([...truth.mounts].sort());
    expect(await linux.oopses()).toEqual([]);
    expect(await linux.overview()).toEqual(overview);
    expect(await cpu.registers()).toEqual(before);
  });

  test('its log is in the order in which it was written', withBoot, async () => {
    const { machine, truth } = await context.scene('linux', 'linux');
    const log = await machine.linux.log();
    expect(log.find(({ text }) => text.includes(truth.logged.text))).toMatchObject({ level: truth.logged.level });
    for (const [n, record] of log.entries()) {
      if (n > 0) expect(record.seq).toBeGreaterThan(log[n - 1]?.seq ?? 0n);
    }
  });

  test('processes have numbers and parents, and one is asked for the calls it waits in', withBoot, async () => {
    const { machine, truth } = await context.scene('linux', 'linux');
    const { linux } = machine;
    const tasks = await linux.tasks();
    const numbers = tasks.map(({ pid }) => pid);
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const { parent, name } of tasks) expect([0, ...numbers], name).toContain(parent);
    const first = tasks.find(({ pid }) => pid === truth.first.pid);
    expect(first).toMatchObject({ ...truth.first, parent: 0, isKernel: false });
    const { calls, isGuess, ...rest } = await linux.task(truth.first.pid);
    expect(rest).toEqual(first);
    expect(isGuess).toBe(!truth.keepsFrames);
    expect(calls.length).toBeGreaterThan(0);
    await expect(linux.task(999_999)).rejects.toMatchObject(refusal);
  });

  test('names of its kernel are known when they are loaded, and not before', withBoot, async () => {
    const { machine, truth } = await context.scene('linux', 'linux', 'addresses');
    const { linux, addresses } = machine;
    const { name, address } = truth.symbol;
    expect(addresses.symbols.address(name)).toBeUndefined();
    const { kernel, modules } = await linux.loadSymbols();
    expect(kernel).toBeGreaterThan(0);
    expect(modules).toBeGreaterThan(0);
    expect(addresses.symbols.address(name)).toBe(address);
    expect(addresses.symbols.describe(address)).toBe(name);
  });

  test('a panic is told with its reason, its task and its calls', withBoot, async () => {
    const { machine, truth } = await context.scene('linux', 'linux', 'control');
    const { linux, control } = machine;
    const reason = await truth.panic(machine);
    // A guest is stopped while it is read: it needs time of its own to get there.
    const now = { timeout: patientMs, interval: 1000 };
    await expect.poll(() => linux.oopses(), now).toHaveLength(1);
    await expect.poll(async () => (await linux.oopses())[0]?.calls.length, now).toBeGreaterThan(0);
    await control.pause();
    const [oops] = await linux.oopses();
    expect(oops?.reason).toMatch(reason);
    expect(oops?.task).toContain(truth.first.name);
  });
}

export function guestAgentContract(context: Context): void {
  test('where no agent answers, that is said in time', async () => {
    const { guestAgent, control } = context.with('guestAgent', 'control');
    await context.bench();
    // It says at once that a guest which is stopped cannot answer.
    for (const attempt of [() => guestAgent.about(), () => guestAgent.readFile('/etc/hostname', 0, 100, never)]) {
      await expect(attempt()).rejects.toMatchObject(refusal);
    }
    expect(await control.run({ wallMs: 20 }, never)).toMatchObject({ cause: 'limit' });
  });

  test('it says who it is, and what addresses it has', withBoot, async () => {
    const { machine, truth } = await context.scene('agent', 'guestAgent');
    const { guestAgent } = machine;
    const { hostname, version, commands } = await guestAgent.about();
    expect(hostname).toBe(truth.hostname);
    expect(version).toMatch(/^\d/);
    expect(new Set(commands).size).toBe(commands.length);
    const cards = await guestAgent.interfaces();
    expect(cards.find(({ name }) => name === truth.card.name)?.addresses).toContain(truth.card.address);
  });

  test('a program runs to its end, with what it reads, writes and says', withBoot, async () => {
    const { machine, truth } = await context.scene('agent', 'guestAgent');
    const { guestAgent } = machine;
    const run = (args: readonly string[], input?: Uint8Array) =>
      guestAgent.execute({ path: truth.echo, args, input }, patientMs, never);
    const good = await run([], Buffer.from('a line'));
    expect(good).toMatchObject({ exitCode: 0, isCut: false });
    expect(Buffer.from(good.output).toString()).toBe('a line');
    expect(good.errors).toHaveLength(0);
    const bad = await run([`${truth.folder}/nowhere`]);
    expect(bad.exitCode).toBeGreaterThan(0);
    expect(Buffer.from(bad.errors).toString()).toContain('nowhere');
    const missing = guestAgent.execute({ path: `${truth.folder}/nowhere`, args: [] }, patientMs, never);
    await expect(missing).rejects.toMatchObject(refusal);
  });

  test('files are written anew and read in parts', withBoot, async () => {
    const { machine, truth } = await context.scene('agent', 'guestAgent');
    const { guestAgent } = machine;
    const path = `${truth.folder}/contract.bin`;
    const bytes = Uint8Array.from({ length: 300_000 }, (_, n) => (n * n) >> 3);
    await guestAgent.writeFile(path, bytes, never);
    const all = await guestAgent.readFile(path, 0, bytes.length + 1, never);
    expect(all.isEnd).toBe(true);
    expect(Buffer.compare(all.bytes, bytes)).toBe(0);
    const part = await guestAgent.readFile(path, 1000, 7, never);
    expect(part).toEqual({ bytes: Buffer.from(bytes.subarray(1000, 1007)), isEnd: false });
    await guestAgent.writeFile(path, bytes.subarray(0, 3), never);
    expect((await guestAgent.readFile(path, 0, 100, never)).bytes).toHaveLength(3);
    await expect(guestAgent.readFile(`${path}.not`, 0, 1, never)).rejects.toMatchObject(refusal);
  });

  test('as many file systems are thawed as were frozen', withBoot, async () => {
    const { guestAgent } = (await context.scene('agent', 'guestAgent')).machine;
    const frozen = await guestAgent.freeze();
    expect(await guestAgent.thaw()).toBe(frozen);
    expect((await guestAgent.about()).fileSystems).toBe('thawed');
  });
}
