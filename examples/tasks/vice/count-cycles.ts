import { found, type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'How many cycles pass on a C64 in VICE (kind vice) from start to end in this program: * = $c000 / sei / start ldx #10 / loop dex / bne loop / end jmp end? Switch the screen off before (sta $d011 with 0), so that the VIC-II takes none.',
  async solve({ call }) {
    await call('machine_start', { kind: 'vice' });
    const source =
      '* = $c000\n sei\n lda #0\n sta $d011\n ldy #0\n ldx #0\ndelay inx\n bne delay\n iny\n bne delay\nstart ldx #10\nloop dex\n bne loop\nend jmp end';
    const answers = [await call('program_run', { source, until: 'start' }), await call('run', { until: 'end' })];
    const [from, to] = answers.map(cycle);
    return `${(to ?? 0) - (from ?? 0)} cycles`;
  },
  check: ({ answer }) => wants(answer, /\b51\b/),
};

function cycle(answer: string): number {
  return Number(found(answer, /cycle ([\d,]+)/).replaceAll(',', ''));
}
