import { expect, test } from 'vitest';
import { type Context, never, patientMs } from './context.ts';
import { reachPrompt, shownText } from './prompt.ts';

export function programContract(context: Context): void {
  const source = () => {
    const { assembly } = context.subject;
    if (assembly === undefined) throw new Error('no program in its assembler is known');
    return { format: 'asm', name: 'contract.asm', bytes: new TextEncoder().encode(assembly) };
  };

  test('a program that is started does its work, and one that is only loaded does not', async () => {
    const { program, control } = context.with('program', 'control');
    const { prompt } = context.subject;
    if (prompt) await reachPrompt(context, prompt);
    const before = await shownText(context);
    const loaded = await program.load(source(), false, never);
    expect(loaded.started).not.toBe(true);
    await control.run({ frames: 5, wallMs: patientMs }, never);
    expect(await shownText(context)).toBe(before);
    await program.load(source(), true, never);
    await expect
      .poll(
        async () => {
          await control.run({ frames: 10, wallMs: patientMs }, never);
          return shownText(context);
        },
        { timeout: patientMs },
      )
      .toMatch(/XYZZY/i);
  });

  test('what is no program is refused, and says what is wrong', async () => {
    const { program } = context.with('program');
    await expect(program.load({ ...source(), format: 'nonsense' }, false, never)).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
      fix: expect.stringContaining('asm'),
    });
    const bytes = new TextEncoder().encode('        frobnicate 12\n');
    await expect(program.load({ ...source(), bytes }, false, never)).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
      message: expect.stringContaining('1'),
    });
  });
}
