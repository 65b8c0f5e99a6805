import { expect, test } from 'vitest';
import { type Context, patientMs, refusal } from './context.ts';

/** In a function whose debug information is loaded. */
export function typedSourceContract(context: Context): void {
  test('a frame has its function, its line, its arguments and its variables', { timeout: patientMs }, async () => {
    const { machine, truth } = await context.scene('inFunction', 'source', 'cpu');
    const { source, cpu } = machine;
    const frame = await source.variables({ frame: 0, depth: 1 });
    expect(frame.function).toBe(truth.function);
    expect(frame.pc).toBe((await cpu.registers()).find(({ name }) => /^(?:pc|rip|eip)$/i.test(name))?.value);
    const argument = frame.variables.find(({ name }) => name === truth.argument.name);
    expect(argument).toMatchObject({ isArgument: true, number: truth.argument.value });
    const pointer = frame.variables.find(({ name }) => name === truth.pointer.name);
    expect(pointer).toMatchObject({ isArgument: false });
    const place = await source.place(frame.pc);
    expect(place?.line).toBe(truth.line);
    expect(place?.paths[0]).toMatch(new RegExp(`${truth.file}$`));
    const caller = await source.variables({ frame: 1, depth: 1 });
    expect(caller.function).not.toBe(frame.function);
    expect(caller.variables.map(({ name }) => name)).toContain(truth.callers);
    expect(frame.frames).toBe(caller.frames);
    await expect(source.variables({ frame: frame.frames, depth: 1 })).rejects.toMatchObject(refusal);
  });

  test('an expression is what its parts say, in the frame it is asked in', { timeout: patientMs }, async () => {
    const { machine, truth } = await context.scene('inFunction', 'source', 'memory');
    const { source, memory } = machine;
    const { name, value } = truth.argument;
    const query = { frame: 0, depth: 2 };
    const one = await source.evaluate(name, query);
    expect(one.number).toBe(value);
    const bytes = await memory.peek(memory.spaces[0]?.name ?? '', one.address ?? 0n, 4);
    expect(BigInt(Buffer.from(bytes).readUInt32LE())).toBe(value);
    expect((await source.evaluate(`${name} * 2 + 1`, query)).number).toBe(value * 2n + 1n);
    const shown = await source.evaluate(`*${truth.pointer.name}`, query);
    for (const member of truth.pointer.members) expect(shown.text).toContain(`${member} = `);
    for (const wrong of ['nobody', `${name} +`, `${truth.pointer.name}->nothing`, truth.callers]) {
      await expect(source.evaluate(wrong, query), wrong).rejects.toMatchObject(refusal);
    }
    expect((await source.evaluate(truth.callers, { frame: 1, depth: 1 })).type).not.toBe('');
  });
}

export function typedVariablesContract(context: Context): void {
  test('what is assigned is in memory, and what does not fit is refused', { timeout: patientMs }, async () => {
    const { machine, truth } = await context.scene('inFunction', 'variables', 'memory');
    const { variables, memory } = machine;
    const { name, value } = truth.argument;
    const locals = await variables.locals(0);
    const argument = locals.find((each) => each.name === name);
    expect(argument).toMatchObject({ isArgument: true, parts: 0, bytes: 4 });
    expect(argument?.text).toContain(String(value));
    expect(await variables.variable(0, argument?.expression ?? '')).toMatchObject({
      ...{ text: argument?.text, type: argument?.type, address: argument?.address, bytes: 4 },
    });
    const after = await variables.assign(0, argument?.expression ?? '', '123456');
    expect(after.text).toContain('123456');
    const bytes = await memory.peek(memory.spaces[0]?.name ?? '', argument?.address ?? 0n, 4);
    expect(Buffer.from(bytes).readUInt32LE()).toBe(123_456);
    for (const wrong of ['nonsense', '']) {
      await expect(variables.assign(0, argument?.expression ?? '', wrong), wrong).rejects.toMatchObject(refusal);
    }
    await expect(variables.locals(1000)).rejects.toMatchObject(refusal);
    expect((await variables.locals(1)).map((each) => each.name)).toContain(truth.callers);
  });

  test('a pointer has what it leads to, and as many parts as asked', { timeout: patientMs }, async () => {
    const { machine, truth } = await context.scene('inFunction', 'variables');
    const { variables } = machine;
    const { name, members } = truth.pointer;
    const pointer = (await variables.locals(0)).find((each) => each.name === name);
    expect(pointer?.parts).toBeGreaterThan(0);
    const [whole] = await variables.parts(0, pointer?.expression ?? '', { first: 0, most: 10 });
    const holder = whole?.parts ? whole : pointer;
    const parts = await variables.parts(0, holder?.expression ?? '', { first: 0, most: 10 });
    expect(parts.map((each) => each.name)).toEqual(members);
    expect(holder?.parts).toBe(members.length);
    const some = await variables.parts(0, holder?.expression ?? '', { first: 1, most: 2 });
    expect(some).toEqual(parts.slice(1, 3));
    for (const part of parts) {
      const again = await variables.variable(0, part.expression ?? '');
      expect(again).toMatchObject({ text: part.text, type: part.type, address: part.address });
    }
  });
}
