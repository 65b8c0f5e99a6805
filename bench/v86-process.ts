/** Runs 16-bit code in v86 for so many milliseconds and prints the instructions per second of processor time. */
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

const [code = '', milliseconds = '3000', warmup = '2000'] = process.argv.slice(2);
const romBytes = 0x10000;
/** The program counts its passes here. */
const passCounter = 0x13000;
const tools = createRequire(new URL('../tools/package.json', import.meta.url));
const { V86 }: typeof import('../tools/node_modules/v86/v86.d.ts') = await import(tools.resolve('v86'));
const wasm = tools.resolve('v86/build/v86.wasm');

/** Copies the code after it to 1000:0100 and starts it there, with all segments at 1000 and a stack. */
function rom(program: Uint8Array): ArrayBuffer {
  const bytes = new Uint8Array(romBytes);
  // cli; cld; mov ax,1000; mov es,ax; mov ss,ax; mov sp,FFFE; push cs; pop ds; mov si,0100; mov di,0100; mov cx,len; rep movsb; mov ds,ax; jmp 1000:0100
  const start = [0xfa, 0xfc, 0xb8, 0x00, 0x10, 0x8e, 0xc0, 0x8e, 0xd0, 0xbc, 0xfe, 0xff, 0x0e, 0x1f, 0xbe, 0x00, 0x01];
  const copy = [0xbf, 0x00, 0x01, 0xb9, program.length & 255, program.length >> 8, 0xf3, 0xa4, 0x8e, 0xd8];
  bytes.set([...start, ...copy, 0xea, 0x00, 0x01, 0x00, 0x10]);
  bytes.set(program, 0x100);
  bytes.set([0xea, 0x00, 0x00, 0x00, 0xf0], 0xfff0);
  return bytes.buffer;
}

const emulator = new V86({
  wasm_path: wasm,
  bios: { buffer: rom(Buffer.from(code, 'hex')) },
  memory_size: 16 * 1024 * 1024,
  autostart: true,
  disable_speaker: true,
});
await delay(Number(warmup));
const passes = () => emulator.read_memory(passCounter, 2).join();
const [before, passed] = [process.cpuUsage(), passes()];
const counted = emulator.get_instruction_counter();
await delay(Number(milliseconds));
const instructions = (emulator.get_instruction_counter() - counted) >>> 0;
const { user, system } = process.cpuUsage(before);
if (passes() === passed) throw new Error('the program does not run');
console.log(JSON.stringify({ rate: (instructions * 1e6) / (user + system), instructions }));
process.exit(0);
