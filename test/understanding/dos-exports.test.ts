import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { assemble } from '../../src/machines/dos/assembler/assemble.ts';
import { here } from '../support/tool-bench.ts';
import { code, DosDesk } from './dos-desk.ts';

let desk: DosDesk;
afterEach(() => desk.close());

/** 100: mov dx,150; call 120; push cs; call 130; mov ah,0; int 16; jmp 100. 120: mov ah,9; int 21; ret. 130: inc word [160]; retf */
const program = code(
  ['100', 'ba5001 e81a00 0e e82600 b400 cd16 ebf0'],
  ['120', 'b409 cd21 c3'],
  ['130', 'ff066001 cb'],
  ['150', Buffer.from('HELLO THERE$', 'latin1').toString('hex')],
  ['160', '0000'],
);

async function open(): Promise<number> {
  desk = await DosDesk.open({ 'A.COM': program }, { program: 'A.COM' }, here);
  const { image = 0n } = desk.machine.names.program ?? {};
  const at = (offset: number) => `0x${(image + BigInt(offset)).toString(16)}`;
  await desk.call('names_write', { address: at(0x20), name: 'say_hello', comment: 'prints "DX" \\ é' });
  await desk.call('names_write', { address: at(0x60), name: 'counter' });
  await desk.call('input_send', { keys: ['a'] });
  await desk.call('run', { frames: 5 });
  return Number(image);
}

/** Runs a script with modules that write down what is done. */
function run(script: string, modules: string): readonly string[] {
  const path = join(desk.folder, 'run.py');
  writeFileSync(path, `${modules}\n${script}`);
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', [path], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.trim().split('\n');
}

const ida = `
import sys, types
class Recorder(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        if name[:3] in ("SN_", "FUN", "fl_", "dr_"): return 1 if name.isupper() else name
        def called(*arguments):
            print(self.__name__, name, *[hex(a) if isinstance(a, int) else a for a in arguments])
            if name == "get_func": return types.SimpleNamespace(flags=0)
            return 0
        return called
for name in ("idc", "ida_funcs", "ida_xref"): sys.modules[name] = Recorder(name)
`;

const ghidra = `
import sys, types
class Anything:
    def __init__(self, name): self.name = name
    def __getattr__(self, name): return Anything(self.name + "." + name)
    def __call__(self, *arguments):
        print(self.name, *[getattr(a, "name", a) for a in arguments])
        return Anything(self.name + "()")
for name in ("ghidra", "ghidra.program", "ghidra.program.model", "ghidra.program.model.symbol"):
    sys.modules[name] = types.ModuleType(name)
sys.modules[name].RefType = Anything("RefType")
sys.modules[name].SourceType = Anything("SourceType")
currentProgram = Anything("program")
def toAddr(value): return hex(value)
def getInstructionAt(at): return None
def getInstructionContaining(at): return None
def getFunctionAt(at): return None
for name in ("disassemble", "createFunction", "createLabel", "setEOLComment", "createAsciiString"):
    globals()[name] = Anything(name)
`;

test('a script gives IDA all functions, names, comments, references and texts at its own addresses', async () => {
  await open();
  const path = join(desk.folder, 'a.py');
  await desk.call('names_export', { as: 'ida', base: '0x10100', path });
  const done = run(readFileSync(path, 'utf8'), ida);
  expect(done).toContain('ida_funcs add_func 0x10120');
  expect(done).toContain('idc set_name 0x10120 say_hello 0x1');
  expect(done).toContain('idc set_cmt 0x10120 prints "DX" \\ ? 0x0');
  expect(done).toContain('idc set_name 0x10160 counter 0x1');
  expect(done).toContain('idc create_insn 0x10134');
  expect(done).toContain('idc add_cref 0x10103 0x10120 fl_CN');
  expect(done).toContain('idc add_cref 0x10107 0x10130 fl_CF');
  expect(done).toContain('idc add_cref 0x1010e 0x10100 fl_JN');
  expect(done).toContain('idc add_dref 0x10130 0x10160 dr_W');
  expect(done).toContain('idc add_dref 0x10100 0x10150 dr_O');
  expect(done).toContain('idc create_strlit 0x10150 0x1015c');
  expect(done.filter((line) => /add_func 0xf/.test(line))).toEqual([]);
});

test('a script and a symbol file do the same for Ghidra', async () => {
  const image = await open();
  const path = join(desk.folder, 'a.py');
  await desk.call('names_export', { as: 'ghidra_script', base: '0x10000', path });
  const done = run(readFileSync(path, 'utf8'), ghidra);
  expect(done).toContain('createFunction 0x10020 say_hello');
  expect(done).toContain('createFunction().setCallingConvention __cdecl16near');
  expect(done).toContain('createFunction().setCallingConvention __cdecl16far');
  expect(done).toContain('createLabel 0x10060 counter True');
  expect(done).toContain('createAsciiString 0x10050 12');
  expect(done.join('\n')).toMatch(/addMemoryReference 0x10030 0x10060 RefType.WRITE/);
  const symbols = await desk.call('names_export', { base: '0x10000' });
  expect(symbols).toMatch(/^say_hello 0x10020 f ; prints/m);
  expect(symbols).toMatch(/^FUN_\w+ 0x10030 f$/m);
  const own = await desk.call('names_export');
  expect(own).toContain(`say_hello 0x${(image + 0x20).toString(16)} f`);
  expect(await desk.call('names_export', { as: 'dot', base: '0x10000' })).toContain('dot has no base');
  const lines = (await desk.call('names_export', { as: 'listing' })).split('\n');
  expect(lines.some((line) => line.includes('0100'))).toBe(true);
  expect(
    await desk.call('names_export', { as: 'memory', base: '0x10000', path: join(desk.folder, 'base.bin') }),
  ).toContain('memory has no base');
});

test('the dumps are those that the plugin of Spice86 reads', async () => {
  const image = await open();
  const segment = (image - 0x100) / 16;
  const path = join(desk.folder, 'spice86dumpExecutionFlow.json');
  await desk.call('names_export', { as: 'spice86_flow', path });
  const flow = JSON.parse(readFileSync(path, 'utf8'));
  const at = (offset: number) => ({ Segment: segment, Offset: offset });
  expect(flow.CallsFromTo[image + 3]).toEqual([at(0x120)]);
  expect(flow.RetsFromTo[image + 0x34]).toEqual([at(0x10a)]);
  expect(flow.JumpsFromTo[image + 0x0e]).toEqual([at(0x100)]);
  expect(flow.ExecutedInstructions).toContainEqual(at(0x122));
  const name = segment.toString(16).toUpperCase().padStart(4, '0');
  const linear = (image + 0x20).toString(16).toUpperCase();
  expect(await desk.call('names_export', { as: 'spice86_symbols' })).toContain(
    `say_hello_${name}_0120_${linear} 0x${linear} f`,
  );
});

test('texts are known with who uses them', async () => {
  const image = await open();
  const text = await desk.call('graph_read', { as: 'strings' });
  expect(text).toMatch(/"HELLO THERE\$"; offset from .*:0100/);
  const address = `0x${(image + 0x50).toString(16)}`;
  expect(await desk.call('graph_read', { as: 'xrefs', address })).toMatch(/offset from .*:0100/);
});

test('texts side by side that DOS ends with "$" are told apart, also where nobody has used them yet', async () => {
  const source = `mov ah,0
    int 16h
    mov dx,first
    mov ah,9
    int 21h
    ret
first: db 'the first$'
    db 'the second',13,10,'$'
    db 13,10,'the third costs $5 and 3$ more$'`;
  desk = await DosDesk.open({ 'A.COM': assemble(source).bytes });
  await desk.call('input_send', { text: 'a\n' });
  await desk.call('run', { frames: 10 });
  const text = await desk.call('graph_read', { as: 'strings' });
  const shown = [...text.matchAll(/^\S+ (".*")/gm)].map(([, quoted = '']) => quoted);
  expect(shown).toEqual(['"the first$"', '"the second\\r\\n$"', '"\\r\\nthe third costs $5 and 3$ more$"']);
});
