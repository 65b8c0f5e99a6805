import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Task } from '../../examples/tasks/task.ts';

const program = resolve('dist/cli.js');
/** Models differ; this is on the careful side. */
const charsPerToken = 3.5;

export interface Figures {
  /** What is wrong with the outcome, where something is. */
  readonly problem: string | undefined;
  readonly calls: number;
  /** Calls that were answered with an error. */
  readonly wrong: number;
  /** Of all arguments and answers; a picture counts as no text. */
  readonly chars: number;
  readonly tokens: number;
}

/** Has a scripted agent do a task on a server of its own, over MCP and nothing else. `solve` may be another's. */
export async function runTask(task: Task, solve: Task['solve'] = (agent) => task.solve(agent)): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'frontpanel-eval-'));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, '--page', 'off', '--allow-path', folder, '--allow-commands'],
    // What a shell on a console writes stays there.
    cwd: folder,
    env: { ...process.env, XDG_RUNTIME_DIR: folder, XDG_STATE_HOME: folder, PS1: '$ ' } as Record<string, string>,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'frontpanel eval', version: '1' });
  let [calls, wrong, chars] = [0, 0, 0];
  const look = async (tool: string, args: Record<string, unknown> = {}) => textOf(await ask(client, tool, args));
  try {
    await task.prepare?.(folder);
    await client.connect(transport, { timeout: 60_000 });
    const listed = new Set((await client.listTools(undefined, { timeout: 60_000 })).tools.map(({ name }) => name));
    const answer = await solve({
      folder,
      async call(wanted, wantedArgs = {}) {
        // What is not in the list that every client gets is reached as a client with that list reaches it.
        const isListed = listed.has(wanted);
        const [tool, args] = isListed ? [wanted, wantedArgs] : ['tool_find', { tool: wanted, arguments: wantedArgs }];
        const result = await ask(client, tool, args);
        const text = textOf(result);
        calls++;
        if (result.isError) wrong++;
        chars += tool.length + JSON.stringify(args).length + text.length;
        return text;
      },
    });
    const tooMany = calls > (task.mostCalls ?? calls) ? `${calls} calls instead of ${task.mostCalls}` : undefined;
    const problem = (await task.check({ answer, folder, look })) ?? tooMany;
    return { problem, calls, wrong, chars, tokens: Math.round(chars / charsPerToken) };
  } finally {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function ask(client: Client, name: string, args: Record<string, unknown>) {
  return client.callTool({ name, arguments: args }, { timeout: 60_000 });
}

function textOf({ content }: Awaited<ReturnType<typeof ask>>): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
