import type { ToolAnswer } from '../../api/tool-host.ts';
import { hex } from '../../formats/hex.ts';
import type { AddressCapability } from '../../machine/addresses.ts';
import type { PixelCause, PixelOrigin, PixelQuery } from '../../machine/frame-trace.ts';
import { showAddress } from './show.ts';

/** What a pixel is, and the instructions that decided it. */
export function showPixelOrigin(origin: PixelOrigin, query: PixelQuery, addresses: AddressCapability): ToolAnswer {
  const { frame, line, lineCycle, cycle, colour, element, causes } = origin;
  const head = `pixel ${query.x},${query.y}: ${element}, colour ${colour}, drawn in frame ${frame}, line ${line}, cycle ${lineCycle}`;
  const data = { ...query, frame, raster_line: line, raster_cycle: lineCycle, cycle, color: colour, element };
  return {
    text: [head, ...causes.map((cause) => causeLine(cause, query.frames, addresses))].join('\n'),
    data: { ...data, causes: causes.map((cause) => causeData(cause, addresses)) },
  };
}

function causeLine(
  { what, register, address, value, writer }: PixelCause,
  frames: number,
  addresses: AddressCapability,
) {
  const at = register?.address ?? address;
  const where = at === undefined ? '' : ` ${addresses.format(BigInt(at))}${register ? ` ${register.name}` : ''}`;
  const who = writer
    ? `written at ${showAddress(writer.pc, addresses)} in frame ${writer.frame}, line ${writer.line}, cycle ${writer.lineCycle}`
    : at === undefined
      ? ''
      : `not written in the last ${frames} frames`;
  return `${what}:${where} = $${hex(value, 2)}${who && `, ${who}`}`;
}

function causeData({ what, chip, register, address, value, writer }: PixelCause, addresses: AddressCapability) {
  return {
    what,
    ...(register && { chip, register: addresses.format(BigInt(register.address)), register_name: register.name }),
    ...(address !== undefined && { address: addresses.format(address) }),
    value,
    ...(writer && {
      pc: addresses.format(writer.pc),
      symbol: addresses.symbols.describe(writer.pc),
      cycle: writer.cycle,
      frame: writer.frame,
      raster_line: writer.line,
      raster_cycle: writer.lineCycle,
    }),
  };
}
