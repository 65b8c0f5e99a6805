import { afterEach, expect, test } from 'vitest';
import { assemble } from '../../src/machines/dos/assembler/assemble.ts';
import { type BenchOptions, here } from '../support/tool-bench.ts';
import { DosDesk } from './dos-desk.ts';
import { ringsProgram } from './rings-program.ts';

const source = `
; Real mode, 32-bit protected mode with pages and a page fault, and back. The part of 32 bits is written as bytes.
  org 100h
  cli
  in al, 0x92
  or al, 2
  out 0x92, al                ; address line 20
  xor ebx, ebx
  mov bx, cs
  shl ebx, 4                  ; where the program lies
  mov eax, ebx
  mov [gdt_16 + 2], ax
  mov [gdt_32 + 2], ax
  mov [gdt_stack + 2], ax
  shr eax, 16
  mov [gdt_16 + 4], al
  mov [gdt_32 + 4], al
  mov [gdt_stack + 4], al
  mov eax, ebx
  add eax, gdt
  mov [gdt_place + 2], eax
  mov eax, ebx
  add eax, idt
  mov [idt_place + 2], eax
  mov [real_segment], cs
  lgdt [gdt_place]
  lidt [idt_place]
  mov [real_stack], sp
  mov eax, cr0
  or al, 1
  mov cr0, eax
  jmp 8:protected
protected:
  mov ax, 0x10
  mov ds, ax
  mov es, ax
  mov ax, 0x20
  mov ss, ax
  mov esp, 0xfff0
  db 0x66, 0xea               ; jmp dword 0x18:code32
  dd code32
  dw 0x18

gdt:
  dw 0, 0, 0, 0
gdt_16:
  dw 0xffff, 0, 0x9a00, 0
  dw 0xffff, 0, 0x9200, 0x00cf ; 10: everything
gdt_32:
  dw 0xffff, 0, 0x9a00, 0x0040
gdt_stack:
  dw 0xffff, 0, 0x9200, 0x0040
gdt_place:
  dw 39
  dd 0
idt:
  times 14 * 8 db 0
  dw fault, 0x18, 0x8e00, 0   ; 14: page fault
idt_place:
  dw 15 * 8 - 1
  dd 0
real_idt:
  dw 0x3ff
  dd 0
real_stack: dw 0

  times 0x300 - ($ - $$) - 0x100 db 0x90
code32:
  db 0xb9, 0xd0, 0x07, 0x00, 0x00                                 ; mov ecx,2000
  db 0x31, 0xc0                                                   ; xor eax,eax
again:
  db 0xe8, 0x94, 0x00, 0x00, 0x00                                 ; call adder
  db 0xe2, 0xf9                                                   ; loop again
  db 0x89, 0x83, 0x00, 0x06, 0x00, 0x00                           ; mov [ebx+0x600],eax
  db 0xbf, 0x00, 0x00, 0x11, 0x00                                 ; mov edi,0x110000
  db 0xc7, 0x07, 0x07, 0x10, 0x11, 0x00                           ; mov dword [edi],0x111007
  db 0xc7, 0x47, 0x04, 0x07, 0x20, 0x11, 0x00                     ; mov dword [edi+4],0x112007
  db 0xbf, 0x00, 0x10, 0x11, 0x00                                 ; mov edi,0x111000
  db 0xb8, 0x07, 0x00, 0x00, 0x00                                 ; mov eax,7
  db 0xb9, 0x00, 0x04, 0x00, 0x00                                 ; mov ecx,1024
fill:
  db 0x89, 0x07                                                   ; mov [edi],eax
  db 0x83, 0xc7, 0x04                                             ; add edi,4
  db 0x05, 0x00, 0x10, 0x00, 0x00                                 ; add eax,0x1000
  db 0xe2, 0xf4                                                   ; loop fill
  db 0xc7, 0x05, 0x00, 0x20, 0x11, 0x00, 0x07, 0x00, 0x12, 0x00   ; mov dword [0x112000],0x120007
  db 0xc7, 0x05, 0x10, 0x00, 0x12, 0x00, 0x78, 0x56, 0x34, 0x12   ; mov dword [0x120010],0x12345678
  db 0xb8, 0x00, 0x00, 0x11, 0x00                                 ; mov eax,0x110000
  db 0x0f, 0x22, 0xd8                                             ; mov cr3,eax
  db 0x0f, 0x20, 0xc0                                             ; mov eax,cr0
  db 0x0d, 0x00, 0x00, 0x00, 0x80                                 ; or eax,0x80000000
  db 0x0f, 0x22, 0xc0                                             ; mov cr0,eax
paged:
  db 0xa1, 0x10, 0x00, 0x40, 0x00                                 ; mov eax,[0x400010]
  db 0x89, 0x83, 0x04, 0x06, 0x00, 0x00                           ; mov [ebx+0x604],eax
  db 0xc7, 0x05, 0x14, 0x00, 0x40, 0x00, 0x55, 0x00, 0x00, 0x00   ; mov dword [0x400014],0x55
  db 0xa1, 0x00, 0x10, 0x40, 0x00                                 ; mov eax,[0x401000]
  db 0x89, 0x83, 0x08, 0x06, 0x00, 0x00                           ; mov [ebx+0x608],eax
  db 0x0f, 0x20, 0xc0                                             ; mov eax,cr0
  db 0x25, 0xff, 0xff, 0xff, 0x7f                                 ; and eax,0x7fffffff
  db 0x0f, 0x22, 0xc0                                             ; mov cr0,eax
  db 0xea                                                         ; db 0xea
  db 0x00, 0x05, 0x00, 0x00                                       ; dd 0x500
  db 0x08, 0x00                                                   ; dw 8
times 6 db 0x90
adder:
  db 0x55                                                         ; push ebp
  db 0x89, 0xe5                                                   ; mov ebp,esp
  db 0x01, 0xc8                                                   ; add eax,ecx
  db 0x5d                                                         ; pop ebp
  db 0xc3                                                         ; ret
times 9 db 0x90
fault:
  db 0x83, 0xc4, 0x04                                             ; add esp,4
  db 0x50                                                         ; push eax
  db 0x0f, 0x20, 0xd0                                             ; mov eax,cr2
  db 0x89, 0x83, 0x0c, 0x06, 0x00, 0x00                           ; mov [ebx+0x60c],eax
  db 0xc7, 0x05, 0x04, 0x20, 0x11, 0x00, 0x07, 0x00, 0x12, 0x00   ; mov dword [0x112004],0x120007
  db 0x58                                                         ; pop eax
  db 0xcf                                                         ; iret

  times 0x500 - ($ - $$) - 0x100 db 0x90
back:
  mov eax, cr0
  and al, 0xfe
  mov cr0, eax
  db 0xea
  dw real
real_segment: dw 0
real:
  mov ax, cs
  mov ds, ax
  mov es, ax
  mov ss, ax
  mov sp, [real_stack]
  lidt [real_idt]
  sti
  mov ah, 9
  mov dx, message
  int 21h
  mov ax, 4c00h
  int 21h
message: db "back from protected mode", 13, 10, "$"
`;

let desk: DosDesk;
afterEach(() => desk?.close());

const program = () => {
  const { bytes, errors, symbols } = assemble(source);
  expect(errors).toEqual([]);
  return { bytes, symbols };
};

async function open(
  cpu = '80386',
  bench: BenchOptions = {},
): Promise<{ readonly desk: DosDesk; readonly at: (name: string) => number }> {
  const { bytes, symbols } = program();
  desk = await DosDesk.open({ 'PM.COM': bytes }, { cpu }, bench);
  await desk.call('breakpoint_set', { type: 'program', temporary: true });
  await desk.call('input_send', { text: 'pm\n' });
  if (!(await desk.call('machine_list')).includes('BREAKPOINT')) await desk.call('run', { frames: 100 });
  const base = (await desk.register('CS')) * 16;
  return { desk, at: (name) => base + (symbols.get(name) ?? Number(name)) };
}

async function dwords(base: number): Promise<readonly number[]> {
  const bytes = await desk.bytes(base, 16);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return [0, 4, 8, 12].map((at) => view.getUint32(at, true));
}

test.for(['80386', '486'])('a program goes to 32-bit code with pages and back, on an %s', async (cpu) => {
  const { desk: opened, at } = await open(cpu);
  await opened.call('run', { frames: 100 });
  expect(await opened.call('screen_read')).toContain('back from protected mode');
  // The sum of 1 to 2000; a page mapped elsewhere; a page that the fault's handler has mapped, and where it was missing.
  expect(await dwords(at(String(0x600)))).toEqual([2_001_000, 0x12345678, 0, 0x401000]);
});

test('its functions, breakpoints and steps are known by selector, and time goes back through the switch', async () => {
  const { desk: opened, at } = await open('80386', here);
  await opened.call('breakpoint_set', { address: `0x${at('adder').toString(16)}`, condition: 'ecx == 1000' });
  expect(await opened.call('run', { frames: 100 })).toMatch(/0018:000003A0.*breakpoint 2, exec/s);
  expect(await opened.call('state_read')).toMatch(/ECX=000003E8.*0018:000003A1 +89 E5 +mov ebp,esp/s);
  expect(await opened.call('step', { count: 3 })).toContain('0018:000003A5');
  expect(await opened.call('step', { back: true, count: 2 })).toContain('0018:000003A1');
  expect(await opened.call('disassemble', { count: 3 })).toMatch(/mov ebp,esp.*add eax,ecx.*pop ebp/s);
  await opened.call('breakpoint_delete', { id: 2 });
  await opened.call('run', { frames: 100 });
  const functions = await opened.machine.functions.list();
  const adder = functions.find(({ address }) => address === BigInt(at('adder')));
  expect(adder).toMatchObject({ where: '0018:000003A0', calls: 2000, returns: { aligned: 2000, misaligned: 0 } });
  expect(functions.some(({ where, name }) => where === '0018:000003B0' && name === 'int_0Eh')).toBe(true);
  expect(await opened.call('run', { back: true, until: `0x${at('protected').toString(16)}` })).toContain('0008:');
  await opened.call('run', { frames: 100 });
  expect(await dwords(at(String(0x600)))).toEqual([2_001_000, 0x12345678, 0, 0x401000]);
});

test('a snapshot in the middle of 32-bit code goes on there', async () => {
  const { desk: opened, at } = await open();
  await opened.call('run', { until: `0x${(at('fault') + 3).toString(16)}` });
  await opened.call('snapshot_save', { name: 'inside' });
  await opened.call('run', { frames: 100 });
  await opened.call('snapshot_restore', { name: 'inside' });
  expect(await opened.call('machine_list')).toContain('0018:000003B3');
  await opened.call('run', { frames: 100 });
  expect(await dwords(at(String(0x600)))).toEqual([2_001_000, 0x12345678, 0, 0x401000]);
});

test('watched and written memory is meant by linear address, wherever its page lies', async () => {
  const { desk: opened, at } = await open('80386', here);
  await opened.call('run', { until: `0x${at('paged').toString(16)}` });
  // The page at 400000 lies at 120000.
  expect(await opened.call('breakpoint_set', { type: 'write', address: '0x400014' })).toContain('2');
  expect(await opened.call('run', { frames: 100 })).toMatch(/write.*0x00400014.*55/s);
  expect(await opened.call('memory_read', { address: '0x400014', length: 4 })).toContain('55 00 00 00');
  await opened.call('memory_write', { address: '0x400020', bytes: '77' });
  const place = await opened.machine.memory.peek('cpu', 0x120020n, 1);
  expect([...place]).toEqual([0x77]);
  expect(await opened.call('memory_write', { address: '0x700000', bytes: '77' })).toContain(
    'No page is mapped at 0x00700000',
  );
  await opened.call('breakpoint_delete', { id: 2 });
  // Of the whole machine's memory the first 4 MiB are where they are, so the fault's entry can be watched too.
  await opened.call('breakpoint_set', { type: 'read', address: '0x401000' });
  expect(await opened.call('run', { frames: 100 })).toMatch(/0018:.*read.*0x00401000/s);
  await opened.call('run', { frames: 100 });
  expect(await dwords(at(String(0x600)))).toEqual([2_001_000, 0x12345678, 0, 0x401000]);
});

test('coverage and the graph have 32-bit code under its selector', async () => {
  const { desk: opened, at } = await open();
  await opened.call('coverage_read', { action: 'start', name: 'all' });
  await opened.call('run', { frames: 100 });
  await opened.call('coverage_read', { action: 'stop' });
  expect(await opened.call('coverage_read', { action: 'read' })).toMatch(
    /0018:000003A0.*5 instructions, 5 new, 7 bytes, 10,000 runs/s,
  );
  const graph = await opened.call('graph_read', { address: `0x${at('adder').toString(16)}` });
  expect(graph).toMatch(/0018:000003A0/);
  expect(graph).toMatch(/add eax,ecx/);
});

test('frozen memory stays what it is on its page', async () => {
  const { desk: opened, at } = await open('80386', here);
  await opened.call('run', { until: `0x${at('paged').toString(16)}` });
  await opened.machine.memory.freeze.hold(0x400014n, Uint8Array.of(0x99));
  await opened.call('run', { frames: 100 });
  expect([...(await opened.machine.memory.peek('cpu', 0x120014n, 2))]).toEqual([0x99, 0]);
});

test.for(['80386', '486'])('source of 32 bits uses XMS, rings, a TSS and virtual 8086 mode, on an %s', async (cpu) => {
  desk = await DosDesk.open({}, { cpu });
  await desk.call('program_run', { source: ringsProgram });
  expect(await desk.call('screen_read', {})).toContain('found 2, services 2, faults 1, virtual 1, given back 2');
});

test('what is called under the same address in real mode and in protected mode is one function', async () => {
  const both = assemble(`
  call often
  call often
  cli
  xor ebx, ebx
  mov bx, cs
  shl ebx, 4
  mov eax, ebx
  mov [code + 2], ax
  shr eax, 16
  mov [code + 4], al
  lea eax, [ebx + gdt]
  mov [place + 2], eax
  lgdt [place]
  mov eax, cr0
  inc ax
  mov cr0, eax
  call often
  dec ax
  mov cr0, eax
  sti
  jmp $
often:
  ret
  align 8
gdt:
  dq 0
code: dw 0xffff, 0, 0x9a00, 0
place: dw 15
  dd 0
`);
  expect(both.errors).toEqual([]);
  desk = await DosDesk.open({ 'BOTH.COM': both.bytes }, { program: 'BOTH.COM' });
  const listed = await desk.call('functions_list');
  const often = (both.symbols.get('often') ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const lines = listed
    .split('\n')
    .filter((line) => line.includes(`:${often}`) && / calls?;/.test(line) && line.indexOf(`:${often}`) < 10);
  expect(lines).toEqual([expect.stringContaining(': 3 calls;')]);
  expect(lines[0]).toContain('3 returns');
});
