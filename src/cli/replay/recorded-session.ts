import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import type { RecordedCall } from '../../api/tool-host.ts';
import { sessionFormat, sessionJson } from '../../view/session-file.ts';
import { UsageError } from '../usage-error.ts';

const mostBytes = 512 * 1024 * 1024;

const call = z.looseObject({
  seq: z.number(),
  at: z.number(),
  client: z.string(),
  tool: z.string(),
  arguments: z.unknown(),
  answer: z.string(),
  isError: z.boolean(),
  durationMs: z.number(),
  via: z.string().optional(),
  machine: z.string().optional(),
  within: z.string().optional(),
  isPerson: z.boolean().optional(),
  isBeside: z.boolean().optional(),
  images: z.array(z.object({ mimeType: z.string(), base64: z.string() })).optional(),
});
const session = z.looseObject({
  format: z.literal(sessionFormat),
  version: z.literal(1),
  entries: z.array(z.looseObject({ call })),
});

/** The calls of a journal (`--journal`) or of a session that was exported from the page, in the order they ended. */
export async function readSession(path: string): Promise<readonly RecordedCall[]> {
  const text = await textOf(path);
  const json = sessionJson(text);
  try {
    if (json !== undefined) return session.parse(JSON.parse(json)).entries.map((entry) => recorded(entry.call));
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.flatMap((line) => {
      const found = call.safeParse(JSON.parse(line));
      return found.success ? [recorded(found.data)] : [];
    });
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new UsageError([`${path} is neither a journal nor an exported session: ${why.split('\n', 1)[0]}`]);
  }
}

async function textOf(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > mostBytes) throw new Error(`it has ${size} bytes, and ${mostBytes} is the most`);
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError([`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function recorded(found: z.output<typeof call>): RecordedCall {
  const entries = Object.entries(found).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as RecordedCall;
}
