import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { assemble } from '../../src/machines/dos/assembler/assemble.ts';

const raster =
  '* = $c000\n sei\nwait lda #100\nbar cmp $d012\n bne bar\n inc $d020\n lda #116\nend cmp $d012\n bne end\n dec $d020\n jmp wait';
const balls = '10 FOR I=0 TO 21\n20 POKE 7680+22*12+I,81\n30 POKE 38400+22*12+I,I AND 7\n40 NEXT\n50 GOTO 50';
const stripes =
  '* = $2000\n sei\nloop lda $ff1d\n lsr\n lsr\n lsr\n and #$0f\n ora #$50\n sta $ff15\n sta $ff19\n jmp loop';

/** The screens of the worked examples in docs, one per kind, as `screen_read` gives them. `folder` is for what a machine starts from. */
export async function makeKindPictures(pictures: string, folder: string): Promise<void> {
  const { bytes, errors } = assemble(await readFile('examples/hello-sector.asm', 'utf8'));
  if (errors[0]) throw new Error(errors[0].message);
  await writeFile(join(folder, 'hello.img'), bytes);
  const client = new Client({ name: 'pictures', version: '1' });
  const args = ['dist/cli.js', '--page', 'off', '--allow-path', folder];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const call = async (name: string, given: Record<string, unknown>) => {
    const answer = await client.callTool({ name, arguments: given }, { timeout: 60_000 });
    if (answer.isError) throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
    return answer.content;
  };
  const shoot = async (machine: string) => {
    const content = await call('screen_read', { machine, mode: 'image' });
    const image = content.find((part) => part.type === 'image');
    if (!image) throw new Error(`no picture of ${machine}`);
    await writeFile(`${pictures}/${machine}.png`, Buffer.from(image.data, 'base64'));
  };
  try {
    await call('machine_start', { kind: 'vic20', name: 'vic20' });
    await call('program_run', { machine: 'vic20', source: balls, language: 'basic', frames: 60 });
    await shoot('vic20');
    await call('machine_start', { kind: 'plus4', name: 'plus4' });
    await call('program_run', { machine: 'plus4', source: stripes, frames: 5 });
    await shoot('plus4');
    await call('machine_start', { kind: 'dos', name: 'dos' });
    await call('program_run', { machine: 'dos', source: await readFile('examples/colours.asm', 'utf8'), frames: 30 });
    await shoot('dos');
    await call('machine_start', { kind: 'vice', name: 'vice' });
    await call('program_run', { machine: 'vice', source: raster, frames: 5 });
    await shoot('vice');
    const drives = [`${join(folder, 'hello.img')},floppy`];
    await call('machine_start', { kind: 'qemu', name: 'qemu-sector', options: { drives, memory: 16 } });
    await call('console_read', { machine: 'qemu-sector', expect: 'READY' });
    await shoot('qemu-sector');
  } finally {
    await client.close();
  }
}
