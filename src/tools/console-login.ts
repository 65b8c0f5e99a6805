import { z } from 'zod';
import { elide } from './console/elide.ts';
import { fenced } from './console/fence.ts';
import { foldLines } from './console/fold-lines.ts';
import { patternOf } from './console/pattern-argument.ts';
import { portFor } from './console/port-for.ts';
import { portNamed } from './console/port-named.ts';
import { ownReader } from './console/reader-of.ts';
import { requireWritable } from './console/require-writable.ts';
import { troublesIn } from './guest/boot-signs.ts';
import { LoginDialogue, type LoginResult } from './guest/log-in.ts';
import { defineTool } from './tool.ts';

const maxChars = 2500;
const maxTroubles = 8;

export const consoleLogin = defineTool({
  name: 'console_login',
  title: 'Wait for a boot and log in',
  description:
    'Wait until the system on a console has booted, log in, and check that a shell answers. Ends early on a kernel ' +
    'panic, an emergency or initramfs shell, or a boot loader prompt. Without user: waits until it asks for one or shows a shell.',
  toolset: 'guest',
  needs: ['console'],
  effect: 'change',
  openWorld: true,
  input: z.object({
    user: z.string().min(1).max(100).optional(),
    password: z.string().max(200).optional().describe('Not kept in the journal'),
    port: z.string().optional(),
    prompt: z.string().min(1).max(200).optional().describe('How the prompt of an unusual shell ends'),
    fail_on: z.array(z.string()).max(16).optional().describe('More signs of failure'),
    timeout_ms: z.number().int().min(1000).max(50_000).default(45_000),
  }),
  confirm({ console: lines }, { user, port }) {
    const { writePolicy, link } = portNamed(lines, port);
    return writePolicy === 'confirm' ? `Log in as ${user ?? 'nobody'} on ${link.target}?` : undefined;
  },
  async run({ console: lines }, { user, password, port, prompt, fail_on = [], timeout_ms }, context) {
    const { signal, progress } = context;
    const line = portFor(lines, port, context);
    requireWritable(line);
    const reader = ownReader(undefined, context);
    const from = line.cursor(reader);
    const dialogue = new LoginDialogue(line, {
      user,
      password,
      ownPrompt: prompt,
      failPatterns: fail_on.map(patternOf),
      from,
      timeoutMs: timeout_ms,
      signal,
      progress,
    });
    const result = await dialogue.run().finally(() => line.setCursor(reader, line.output.end));
    const output = elide(foldLines(result.text).replace(/\n+$/, ''), maxChars, `all of it: "from":"${from}"`).text;
    const troubles = troublesIn(result.text);
    const shownTroubles = troubles.slice(0, maxTroubles).map((trouble) => `  ${trouble.trim().slice(0, 160)}`);
    return {
      text: [
        describe(result),
        ...(troubles.length > 0 ? [`On the way there was trouble, ${troubles.length} lines:`, ...shownTroubles] : []),
        fenced(output, `bytes ${from}-${line.output.end} of ${line.name}`),
      ].join('\n'),
      data: { state: result.state, user: result.user, elapsed_ms: result.elapsedMs, troubles, output, untrusted: true },
    };
  },
});

function describe({ state, user, elapsedMs }: LoginResult): string {
  const after = `after ${(elapsedMs / 1000).toFixed(1)} s`;
  switch (state) {
    case 'shell':
      return `a shell answers${user === undefined ? '' : ` as ${user}`} ${after}`;
    case 'name':
      return `it asks for a name ${after}: log in with "user" and "password"`;
    case 'prompt':
      return `a prompt is there ${after}, but no POSIX shell answers at it`;
    case 'waiting':
      return `no prompt yet ${after}; it may still boot: log in again later`;
  }
}
