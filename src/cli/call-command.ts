import { Buffer } from 'node:buffer';
import { writeFile } from 'node:fs/promises';
import { parse as parsePath } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { firstSentence } from '../formats/first-sentence.ts';
import { suggestion } from '../formats/nearest-name.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { argumentSchema, readToolArguments } from './tool-arguments.ts';
import { UsageError } from './usage-error.ts';

/** The tools of a server, in this process or elsewhere. */
export interface ToolServer {
  list(): Promise<ToolSummary[]>;
  call(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export interface ToolSummary {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** JSON schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly images: readonly ToolImage[];
}

interface ToolImage {
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

export interface CallOptions extends Streams {
  readonly tool: string;
  /** The words after the tool's name. */
  readonly words: readonly string[];
  /** File for the images of the answer. */
  readonly output?: string | undefined;
}

/** `frontpanel call`: one tool, its answer on standard output. Closes the server. Throws `UsageError`. */
export async function callTool(server: ToolServer, options: CallOptions): Promise<ExitCode> {
  try {
    const tool = await findTool(await server.list(), options.tool);
    const args = await readToolArguments(options.words, argumentSchema(tool.inputSchema), () => readAll(options.stdin));
    const answer = await server.call(tool.name, args);
    await write(options.stdout, answer.text.endsWith('\n') || answer.text === '' ? answer.text : `${answer.text}\n`);
    await keepImages(answer.images, options);
    return answer.isError ? exitCodes.failed : exitCodes.ok;
  } finally {
    await server.close();
  }
}

/** `frontpanel tools`: all tools, or everything about one. Closes the server. Throws `UsageError`. */
export async function listTools(
  server: ToolServer,
  options: Pick<Streams, 'stdout'> & { readonly name: string | undefined; readonly json: boolean },
): Promise<ExitCode> {
  try {
    const tools = await server.list();
    const shown = options.name === undefined ? tools : await findTool(tools, options.name);
    if (options.json) await write(options.stdout, `${JSON.stringify(shown, null, 2)}\n`);
    else await write(options.stdout, Array.isArray(shown) ? listText(shown) : toolText(shown));
    return exitCodes.ok;
  } finally {
    await server.close();
  }
}

async function findTool(tools: readonly ToolSummary[], name: string): Promise<ToolSummary> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool) return tool;
  const { tools: all } = await import('../tools/index.ts');
  const { switchedOff } = await import('../tools/toolsets.ts');
  const toolset = all.find((candidate) => candidate.name === name)?.toolset;
  if (toolset !== undefined) {
    const { message, fix } = switchedOff(name, toolset);
    throw new UsageError([`${message} ${fix}`]);
  }
  const names = tools.map((candidate) => candidate.name);
  const meant = suggestion(name, names);
  throw new UsageError([`There is no tool ${JSON.stringify(name)}.${meant} The tools are ${names.join(', ')}.`]);
}

async function keepImages(images: readonly ToolImage[], { output, stderr }: CallOptions): Promise<void> {
  for (const [index, image] of images.entries()) {
    const bytes = Buffer.from(image.data, 'base64');
    if (output === undefined) {
      await write(
        stderr,
        `An image (${image.mimeType}, ${bytes.length} bytes) was left out: --output FILE keeps it.\n`,
      );
    } else {
      const path = numbered(output, index + 1);
      await writeFile(path, bytes);
      await write(stderr, `Wrote ${path} (${image.mimeType}, ${bytes.length} bytes).\n`);
    }
  }
}

/** `screen.png`, `screen-2.png`, `screen-3.png`. */
function numbered(path: string, number: number): string {
  if (number === 1) return path;
  const { ext } = parsePath(path);
  return `${path.slice(0, path.length - ext.length)}-${number}${ext}`;
}

function listText(tools: readonly ToolSummary[]): string {
  const width = Math.max(0, ...tools.map(({ name }) => name.length));
  return tools.map(({ name, description }) => `${name.padEnd(width)}  ${firstSentence(description ?? '')}\n`).join('');
}

function toolText({ name, title, description, inputSchema }: ToolSummary): string {
  const { properties, required } = argumentSchema(inputSchema);
  const rows = Object.entries(properties).map(([key, schema]) => {
    const type = schema.enum ? schema.enum.join('|') : [schema.type ?? 'any'].flat().join('|');
    const notes = [
      required.includes(key) && 'required',
      schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
    ].filter(Boolean);
    const note = notes.length > 0 ? ` [${notes.join(', ')}]` : '';
    return `  ${key} (${type})${note}${schema.description ? `: ${schema.description}` : ''}\n`;
  });
  const head = `${name}${title ? ` - ${title}` : ''}\n\n${description ?? ''}\n`;
  return rows.length === 0 ? `${head}\nNo arguments.\n` : `${head}\nArguments:\n${rows.join('')}`;
}

function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())));
}
