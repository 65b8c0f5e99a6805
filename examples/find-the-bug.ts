/**
 * An agent's way to a bug, as a script: a program should fill the screen with stars and leaves a hole. It watches, compares,
 * sets a breakpoint, steps back to the culprit, fixes the source and checks. Run it: npx tsx examples/find-the-bug.ts
 */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const broken = `
* = $c000
start   ldx #0
        lda #$2a
loop    sta $0400,x
        sta $0500,x
        sta $0600,x
        sta $06b8,x
        inx
        bne loop
done    jmp done
`;

export async function findTheBug(server: string, log: (text: string) => void): Promise<boolean> {
  const client = new Client({ name: 'find-the-bug', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server], stderr: 'ignore' }));
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: args });
    const [first] = content as { text: string }[];
    log(`${name} ${JSON.stringify(args)}\n${first?.text}\n`);
    return first?.text ?? '';
  };
  try {
    await call('machine_start', { kind: 'c64', options: { roms: 'own' } });
    await call('snapshot_save', { name: 'before' });
    await call('program_run', { source: broken });
    await call('run', { until: 'done' });
    // The screen is 1,000 characters: which of them are no stars?
    const hole = await call('memory_search', { pattern: '20', from: '$0400', length: 1000, space: 'ram' });
    const [first = ''] = hole.split('\n').slice(1);
    if (first === 'not found') return false;
    // Nobody writes there. The last one who wrote before the hole shows what goes wrong.
    const before = `$${(Number.parseInt(first.slice(1, 5), 16) - 1).toString(16)}`;
    await call('breakpoint_set', { address: before, type: 'write' });
    const stop = await call('run', { back: true });
    await call('step', { back: true });
    const culprit = await call('state_read', { instructions: 1 });
    if (!/BREAKPOINT/.test(stop) || !/STA/.test(culprit)) return false;
    // The last quarter begins too early: 1,000 characters from $0400 end at $07E7, which is $06E8 and 255 more.
    await call('snapshot_restore', { name: 'before' });
    await call('program_run', { source: broken.replace('$06b8', '$06e8') });
    await call('breakpoint_delete', { id: 1 });
    await call('run', { until: 'done' });
    const again = await call('memory_search', { pattern: '20', from: '$0400', length: 1000, space: 'ram' });
    return again.includes('not found');
  } finally {
    await client.close();
  }
}
