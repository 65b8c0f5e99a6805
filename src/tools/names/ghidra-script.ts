import type { ExportedProgram } from './exported-program.ts';
import { pythonTables, text } from './python-tables.ts';

/** A script for Ghidra's script manager or analyzeHeadless, for Jython and PyGhidra. */
export function ghidraScript(program: ExportedProgram): readonly string[] {
  return [
    `# What was learnt of ${text(program.title)} while it ran: functions, names, comments, references.`,
    '#@category frontpanel',
    'from ghidra.program.model.symbol import RefType, SourceType',
    '',
    ...pythonTables(program),
    ...body,
  ];
}

const body = `
CONVENTIONS = {"near": "__cdecl16near", "far": "__cdecl16far"}
references = currentProgram.getReferenceManager()


def tried(work, *arguments):
    try:
        return work(*arguments)
    except Exception as problem:
        print("left out: %s" % problem)
        return None


for (address,) in CODE:
    if getInstructionAt(toAddr(address)) is None:
        tried(disassemble, toAddr(address))
for address, name, returns in FUNCTIONS:
    at = toAddr(address)
    function = getFunctionAt(at) or tried(createFunction, at, name)
    if function is None:
        continue
    tried(function.setName, name, SourceType.USER_DEFINED)
    if returns in CONVENTIONS:
        tried(function.setCallingConvention, CONVENTIONS[returns])
for address, name in LABELS:
    tried(createLabel, toAddr(address), name, True)
for address, comment in COMMENTS:
    tried(setEOLComment, toAddr(address), comment)
for kind, rows in ((RefType.COMPUTED_CALL, CALLS), (RefType.COMPUTED_JUMP, JUMPS)):
    for source, target in rows:
        tried(references.addMemoryReference, toAddr(source), toAddr(target), kind, SourceType.USER_DEFINED, 0)
ACCESS = {"read": RefType.READ, "write": RefType.WRITE, "offset": RefType.DATA}
for source, target, access in DATA:
    tried(references.addMemoryReference, toAddr(source), toAddr(target), ACCESS[access], SourceType.USER_DEFINED, 0)
for address, length in TEXTS:
    if getInstructionContaining(toAddr(address)) is None:
        tried(createAsciiString, toAddr(address), length)
print("%d functions, %d names, %d comments" % (len(FUNCTIONS), len(LABELS), len(COMMENTS)))
`
  .trimEnd()
  .split('\n');
