import { type Context, never, patientMs } from './context.ts';

/** Of machines with control and a screen. */
export async function reachPrompt(context: Context, prompt: RegExp): Promise<void> {
  for (let waited = 0; !prompt.test(await shownText(context)); waited++) {
    if (waited > 200) throw new Error(`no prompt: ${await shownText(context)}`);
    await context.machine.control?.run({ frames: 10, wallMs: patientMs }, never);
  }
}

export async function shownText({ machine }: Context): Promise<string> {
  return (await machine.screen?.text())?.lines.join('\n') ?? '';
}
