import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRack } from '../test/make-rack.ts';
import { atLeast, type Row, type Table } from './harness/bench.ts';
import { built } from './harness/built.ts';
import { median } from './harness/statistics.ts';

const rounds = 3;
const programRounds = 7;
const framesPerRound = 35;
/** V8 has compiled what a program needs by then; before, a round may take twice as long as the next. */
const instructionsToWarmUp = 60_000_000;
const instructionsPerRound = 5_000_000;
const tracedPerRound = 1_000_000;
const [defaultSpeed, highSpeed, unboundSpeed] = [4_000_000, 20_000_000, 100_000_000];
const realTime = 70;
const caller = { client: 'bench', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };

/** Programs of our own that do what slow ones do. Each runs for ever. */
const programs: Readonly<Record<string, string>> = {
  'an editor that polls the keyboard, the clock and idle': `
again:  mov ah,1
        int 16h
        int 28h
        mov ah,0bh
        int 21h
        mov ah,2ch
        int 21h
        mov ax,0b800h
        mov es,ax
        mov [es:158],dl
        jmp again`,
  'an animation in mode X, waiting for the retrace': `
        mov ax,13h
        int 10h
        mov dx,3c4h
        mov ax,604h
        out dx,ax
        mov dx,3d4h
        mov ax,14h
        out dx,ax
        mov ax,0e317h
        out dx,ax
        mov ax,0a000h
        mov es,ax
frame:  mov cl,1
plane:  mov dx,3c4h
        mov al,2
        mov ah,cl
        out dx,ax
        xor di,di
        mov al,bl
        mov bp,16000
fill:   stosb
        inc al
        dec bp
        jnz fill
        shl cl,1
        cmp cl,16
        jne plane
        inc bl
        mov dx,3dah
busy:   in al,dx
        test al,8
        jnz busy
wait1:  in al,dx
        test al,8
        jz wait1
        jmp frame`,
  'interrupts called by code on the stack': `
again:  mov word [code],80cdh
        push bp
        sub sp,4
        mov bp,sp
        mov word [bp],1acdh
        mov byte [bp+2],0cbh
        mov ah,0
        push cs
        mov bx,back
        push bx
        push ss
        push bp
        retf
back:   add sp,4
        pop bp
        inc word [count]
        jmp again
code:   dw 0
count:  dw 0`,
  'arithmetic of the 387': `
        finit
again:  fld1
        mov cx,200
        fldz
next:   fadd st0,st1
        fmul st0,st0
        fdiv st0,st1
        fxch st1
        fxch st1
        loop next
        fstp st0
        fstp st0
        jmp again`,
  'arithmetic of the 387 with numbers in memory': `
        fninit
again:  mov cx,200
next:   fld qword [x]
        fmul qword [y]
        fadd qword [z]
        fst dword [w]
        fstp qword [x]
        fild word [n]
        fdiv dword [w]
        fsubr qword [y]
        fcomp qword [z]
        fnstsw ax
        sahf
        jb skip
        inc word [n]
        and word [n],0ffh
skip:   loop next
        jmp again
        align 256
x:      dq 3ff8000000000000h
y:      dq 3fe8000000000000h
z:      dq 400a000000000000h
w:      dd 0
n:      dw 7`,
  'a tune: a timer at 1 kHz, the OPL, and drawing': `
        cli
        xor ax,ax
        mov ds,ax
        mov word [20h],tick
        mov [22h],cs
        push cs
        pop ds
        mov al,36h
        out 43h,al
        mov ax,1193
        out 40h,al
        mov al,ah
        out 40h,al
        sti
        mov ax,13h
        int 10h
        mov ax,0a000h
        mov es,ax
draw:   stosb
        add al,3
        jmp draw
tick:   push ax
        push dx
        mov dx,388h
        mov al,0b0h
        out dx,al
        inc dx
        mov al,[cs:note]
        inc byte [cs:note]
        out dx,al
        mov al,20h
        out 20h,al
        pop dx
        pop ax
        iret
note:   db 0`,
};

/** Arithmetic, memory, branches and calls: what conditions and traces are measured on. */
const mixed = `
start:  xor ax,ax
        mov bx,2000h
        mov cx,200
next:   mov dx,cx
        add ax,dx
        mov [bx],ax
        add bx,2
        test al,1
        jz even
        xor ax,dx
even:   push ax
        call work
        pop ax
        cmp bx,2400h
        jb inside
        mov bx,2000h
inside: loop next
        jmp start
work:   push bp
        mov bp,sp
        mov si,[bp+4]
        and si,0ffh
        mov al,[si+2000h]
        shl al,1
        adc ah,0
        mov [si+2800h],al
        pop bp
        ret`;

/** Whole programs on the machine that users get, with graph, functions, call log and the way back recorded. */
export async function dosProgramsTables(progress: (text: string) => void): Promise<readonly Table[]> {
  const rows: Row[] = [];
  const beginnings: Row[] = [];
  for (const [what, source] of Object.entries(programs)) {
    progress(`${what} …`);
    for (const speed of [defaultSpeed, highSpeed]) {
      await using bench = await openBench(source, speed);
      const name = `${what}, ${speed / 1e6} million a second`;
      beginnings.push({ what: name, measured: `${bench.firstFrames.toFixed(0)} frames` });
      const round = () => bench.call('run', { frames: framesPerRound });
      const perRound = (speed / realTime) * framesPerRound;
      for (let done = 0; done < instructionsToWarmUp; done += perRound) await round();
      const rates = await measured(round, framesPerRound, programRounds);
      const wanted = speed === defaultSpeed ? 4 * realTime : realTime;
      rows.push({
        what: name,
        measured: `${median(rates).toFixed(0)} frames`,
        best: `${Math.max(...rates).toFixed(0)} frames`,
        target: atLeast(median(rates), wanted, `${wanted} frames`),
      });
    }
  }
  return [
    {
      title: 'Programs, in frames a second of processor time (70 are real time)',
      rows,
      notes: [
        'Assembled here and run by `program_run`; everything is recorded as for a user, sound is not listened to.',
        `After ${instructionsToWarmUp / 1e6} million instructions; what V8 compiles until then is in the next table.`,
      ],
    },
    {
      title: 'The same programs, their first 55 frames',
      rows: beginnings,
      notes: [
        '`program_run` and the next call, with all that V8 compiles meanwhile. The first program has a new machine in a new process; later ones find compiled what they share with it.',
      ],
    },
  ];
}

/** What watching costs, through the tools. */
export async function dosWatchingTable(): Promise<Table> {
  const rows: Row[] = [];
  const add = async (what: string, count: number, wanted: number, args: object, before?: string) => {
    await using bench = await openBench(mixed, unboundSpeed);
    if (before) await bench.call(before, {});
    const rates = await measured(() => bench.call('run', { cycles: count, ...args }), count);
    const million = median(rates) / 1e6;
    rows.push({
      what,
      measured: `${million.toFixed(1)} million/s`,
      best: `${(Math.max(...rates) / 1e6).toFixed(1)} million/s`,
      ...(wanted > 0 && { target: atLeast(million, wanted, `${wanted} million`) }),
    });
  };
  await add('run', instructionsPerRound, 0, {});
  await add('run with a condition on a register', instructionsPerRound, 20, { condition: 'bx == 0xffff' });
  await add('run with a condition on memory', instructionsPerRound, 20, { condition: 'word[ds:0x3000] == 1' });
  await add('run while trace_start records', tracedPerRound, 3, {}, 'trace_start');
  return {
    title: 'Watching a program, in instructions a second of processor time',
    rows,
    notes: [`Mixed code in a COM file; ${instructionsPerRound.toLocaleString('en-US')} instructions a round.`],
  };
}

async function openBench(source: string, speed: number) {
  const { Toolbox }: typeof import('../src/tools/toolbox.ts') = await built('tools/toolbox.js');
  const { Confirmations }: typeof import('../src/tools/confirmations.ts') = await built('tools/confirmations.js');
  const { tools }: typeof import('../src/tools/index.ts') = await built('tools/index.js');
  const { dosKind }: typeof import('../src/machines/dos/dos-kind.ts') = await built('machines/dos/dos-kind.js');
  const folder = mkdtempSync(join(tmpdir(), 'fp-bench-'));
  const rack = makeRack([dosKind]);
  const toolbox = new Toolbox(tools, ['all'], rack, new Confirmations(false, () => ''), () => {});
  const call = async (tool: string, args: Record<string, unknown>) => {
    const outcome = await toolbox.call(tool, args, caller);
    if (outcome.type === 'error') throw outcome.error;
  };
  await call('machine_start', { kind: 'dos', options: { folder, speed } });
  const framesOfStart = 20;
  const [firstFrames = 0] = await measured(
    async () => {
      await call('program_run', { source, frames: framesOfStart });
      await call('run', { frames: framesPerRound });
    },
    framesOfStart + framesPerRound,
    1,
  );
  return {
    call,
    /** So many a second of processor time at first. */
    firstFrames,
    [Symbol.asyncDispose]: async () => {
      await rack.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** So many a second of processor time. */
async function measured(work: () => Promise<void>, count: number, times = rounds): Promise<readonly number[]> {
  const rates: number[] = [];
  for (let round = 0; round < times; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    rates.push((count * 1e6) / (user + system));
  }
  return rates;
}
