import { type Task, wants } from '../task.ts';

const source = `* = $c000
 sei
wait lda #100
bar cmp $d012
 bne bar
 inc $d020
 lda #116
end cmp $d012
 bne end
 dec $d020
 jmp wait`;

export const task: Task = {
  prompt: 'Start a C64, write a raster bar, show it to me, and tell me the exact cycle of each colour change.',
  async solve({ call }) {
    await call('machine_start', { kind: 'c64' });
    await call('program_run', { source, frames: 5 });
    await call('breakpoint_set', { address: '$d020', type: 'write' });
    const first = await call('run');
    return `${first}\n${await call('run', { show: 'screen' })}`;
  },
  async check({ answer, look }) {
    const missing = wants(answer, /line 100, cycle \d+/) ?? wants(answer, /line 116, cycle \d+/);
    return missing ?? wants(await look('disassemble', { address: '$c000', count: 12 }), /\$D012|\$D020/i);
  },
};
