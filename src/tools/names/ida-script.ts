import type { ExportedProgram } from './exported-program.ts';
import { pythonTables, text } from './python-tables.ts';

/** A script for IDA's "File, Script file" (IDAPython). */
export function idaScript(program: ExportedProgram): readonly string[] {
  return [
    `# What was learnt of ${text(program.title)} while it ran: functions, names, comments, references.`,
    'import ida_funcs',
    'import ida_xref',
    'import idc',
    '',
    ...pythonTables(program),
    ...body,
  ];
}

const body = `
for (address,) in CODE:
    idc.create_insn(address)
for address, name, returns in FUNCTIONS:
    ida_funcs.add_func(address)
    idc.set_name(address, name, idc.SN_NOWARN | idc.SN_NOCHECK)
    function = ida_funcs.get_func(address)
    if function is not None and returns == "far":
        function.flags |= ida_funcs.FUNC_FAR
        ida_funcs.update_func(function)
for address, name in LABELS:
    idc.set_name(address, name, idc.SN_NOWARN | idc.SN_NOCHECK)
for address, comment in COMMENTS:
    idc.set_cmt(address, comment, 0)
FAR = set(address for address, name, returns in FUNCTIONS if returns != "near")
for source, target in CALLS:
    idc.add_cref(source, target, ida_xref.fl_CF if target in FAR else ida_xref.fl_CN)
for source, target in JUMPS:
    idc.add_cref(source, target, ida_xref.fl_JN)
ACCESS = {"read": ida_xref.dr_R, "write": ida_xref.dr_W, "offset": ida_xref.dr_O}
for source, target, access in DATA:
    idc.add_dref(source, target, ACCESS[access])
for address, length in TEXTS:
    if not idc.is_code(idc.get_full_flags(address)):
        idc.create_strlit(address, address + length)
print("%d functions, %d names, %d comments" % (len(FUNCTIONS), len(LABELS), len(COMMENTS)))
`
  .trimEnd()
  .split('\n');
