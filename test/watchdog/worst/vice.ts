import type { Bench } from './bench.ts';

/** 48 KiB that change the border and a table as fast as it goes. */
const program = `* = $1000\nloop: inc $d020\n lda $d012\n sta $0400,x\n inx\n jmp loop\n${' .byte 1,2,3,4,5,6,7,8\n'.repeat(3000)}`;

/** A real VICE, and the C64 that keeps pace with it in the server itself. */
export const viceBench: Bench = {
  name: 'VICE',
  machine: { kind: 'vice', name: 'm', options: { roms: 'own' } },
  calls: [
    {
      tool: 'program_compare',
      what: 'everything of every frame',
      input: {
        source: program,
        frames: 20,
        ignore: Array.from({ length: 50 }, (_, n) => `$${(0x8000 + n).toString(16)}`),
      },
    },
    { tool: 'memory_write', what: 'a byte that makes a difference', input: { address: '$1001', bytes: '21' } },
    { tool: 'program_compare', what: 'a difference all over', input: { frames: 3 } },
    { tool: 'monitor_execute', what: 'all of its history', input: { command: 'chis 8192' }, times: 3 },
    { tool: 'memory_read', what: 'as much as there may be', input: { address: '0', length: 8192 }, times: 2 },
    { tool: 'memory_search', what: 'all of memory', input: { pattern: `${'00 '.repeat(330)}99`, space: 'ram' } },
    { tool: 'snapshot_save', what: 'many', input: { name: 'sNUMBER' }, times: 3 },
    { tool: 'screen_read', what: 'the picture', input: { mode: 'both' }, times: 2 },
  ],
};
