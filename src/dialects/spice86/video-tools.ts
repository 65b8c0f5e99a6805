import { z } from 'zod';
import type { Caller, ToolHost } from '../../api/tool-host.ts';
import { type DialectTool, defineDialectTool } from '../dialect.ts';
import { byte, changes, nothing, numberOf, partNumbers, partState, reads, writePart } from './chip-calls.ts';
import { definePausingTool, executionError } from './dos-machine.ts';

const mode = { chip: 'video', part: 'mode' } as const;
const page = z.number().int().min(0).max(7);
const coordinate = z.number().int().min(0).max(0xffff);
const idempotent = { ...changes, idempotentHint: true } as const;

const readState = defineDialectTool({
  name: 'read_video_state',
  title: 'Read the video state',
  description: 'The BIOS mode, its size, the active page and the cursor.',
  annotations: reads,
  input: nothing,
  async call(_input, host, caller) {
    const state = await partState(host, caller, mode);
    const cursor = await partState(host, caller, { chip: 'video', part: 'cursor', index: numberOf(state, 'page') });
    return { ...state, cursorX: cursor.x, cursorY: cursor.y };
  },
});

const readDetailed = defineDialectTool({
  name: 'read_video_state_detailed',
  title: 'Read the video state with all registers',
  description: 'As read_video_state, with the VGA’s registers and what they mean.',
  annotations: reads,
  input: nothing,
  async call(_input, host, caller) {
    return {
      bios: await partState(host, caller, mode),
      vga: await partState(host, caller, { chip: 'vga', part: 'state' }),
      registers: await partState(host, caller, { chip: 'vga', part: 'registers' }),
    };
  },
});

const setMode = definePausingTool({
  name: 'video_set_mode',
  title: 'Set a video mode',
  description: 'As INT 10h function 0.',
  annotations: idempotent,
  input: z.strictObject({ modeId: z.number().int().min(0).max(0x7f), clearVideoMemory: z.boolean() }),
  async call({ modeId, clearVideoMemory }, host, caller) {
    await writePart(host, caller, mode, { mode: modeId, keep: clearVideoMemory ? 0 : 1 });
    return { success: true, modeId, clearVideoMemory };
  },
});

const writeText = definePausingTool({
  name: 'video_write_text',
  title: 'Write text',
  description: 'At the cursor of the active page, as a teletype does.',
  annotations: changes,
  input: z.strictObject({ text: z.string().max(2000) }),
  async call({ text }, host, caller) {
    await writePart(host, caller, { chip: 'video', part: 'text' }, text);
    return { success: true, length: text.length };
  },
});

const readCursor = defineDialectTool({
  name: 'read_video_cursor',
  title: 'Read the cursor',
  description: 'Its place and shape on a page.',
  annotations: reads,
  input: z.strictObject({ page }),
  async call({ page: index }, host, caller) {
    return { page: index, ...(await partState(host, caller, { chip: 'video', part: 'cursor', index })) };
  },
});

const setCursor = definePausingTool({
  name: 'video_set_cursor_position',
  title: 'Move the cursor',
  description: 'Column and row, from 0.',
  annotations: idempotent,
  input: z.strictObject({ page, x: byte, y: byte }),
  async call({ page: index, x, y }, host, caller) {
    await writePart(host, caller, { chip: 'video', part: 'cursor', index }, { x, y });
    return { success: true, page: index, x, y };
  },
});

const readCharacter = defineDialectTool({
  name: 'video_read_character',
  title: 'Read a character',
  description: 'Its code and attribute, in a text mode.',
  annotations: reads,
  input: z.strictObject({ page, x: byte, y: byte }),
  async call({ page: wanted, x, y }, host, caller) {
    const { columns, rows } = await sizeOf(host, caller);
    if (x >= columns || y >= rows) throw executionError(`the screen has ${columns} columns and ${rows} rows.`);
    const index = (wanted * rows + y) * columns + x;
    const { code, attribute } = await partNumbers(host, caller, { chip: 'video', part: 'character', index });
    if (code === undefined) throw executionError('this is a graphics mode: no characters are kept.');
    return { page: wanted, x, y, character: code, attribute };
  },
});

const setPage = definePausingTool({
  name: 'video_set_active_page',
  title: 'Show a page',
  description: 'As INT 10h function 5.',
  annotations: idempotent,
  input: z.strictObject({ page }),
  async call({ page: wanted }, host, caller) {
    await writePart(host, caller, mode, { page: wanted });
    return { success: true, page: wanted };
  },
});

const readPalette = defineDialectTool({
  name: 'read_video_palette',
  title: 'Read the palette',
  description:
    'The attribute controller’s 16 entries, and the DAC’s 256 as red, green and blue of six bits in hexadecimal.',
  annotations: reads,
  input: nothing,
  call: (_input, host, caller) => partState(host, caller, { chip: 'vga', part: 'palette' }),
});

const readPixel = defineDialectTool({
  name: 'video_read_pixel',
  title: 'Read a pixel',
  description: 'Its colour, in a graphics mode of the BIOS.',
  annotations: reads,
  input: z.strictObject({ x: coordinate, y: coordinate }),
  async call({ x, y }, host, caller) {
    const index = await pixelIndex(host, caller, x, y);
    const numbers = await partNumbers(host, caller, { chip: 'video', part: 'pixel', index });
    const {
      colour = (numberOf(numbers, 'red') << 16) | (numberOf(numbers, 'green') << 8) | numberOf(numbers, 'blue'),
    } = numbers;
    return { x, y, color: colour };
  },
});

const writePixel = definePausingTool({
  name: 'video_write_pixel',
  title: 'Write a pixel',
  description: 'In a graphics mode of the BIOS.',
  annotations: idempotent,
  input: z.strictObject({ x: coordinate, y: coordinate, color: byte }),
  async call({ x, y, color }, host, caller) {
    const index = await pixelIndex(host, caller, x, y);
    await writePart(host, caller, { chip: 'video', part: 'pixel', index }, { colour: color });
    return { success: true, x, y, color };
  },
});

async function sizeOf(host: ToolHost, caller: Caller) {
  const numbers = await partNumbers(host, caller, mode);
  const isVesa = numbers.bits !== undefined;
  return {
    layout: String(numbers.layout ?? ''),
    columns: numberOf(numbers, 'columns'),
    rows: numberOf(numbers, 'rows'),
    width: isVesa ? numberOf(numbers, 'width') : numberOf(numbers, 'columns') * 8,
    lines: isVesa ? numberOf(numbers, 'height') : numberOf(numbers, 'rows') * numberOf(numbers, 'character_height'),
  };
}

async function pixelIndex(host: ToolHost, caller: Caller, x: number, y: number): Promise<number> {
  const { layout, width, lines } = await sizeOf(host, caller);
  if (layout === 'text') throw executionError('this is a text mode; video_set_mode sets another.');
  if (x < width && y < lines) return y * width + x;
  throw executionError(`the picture has ${width} by ${lines} pixels.`);
}

/** The screen, as the BIOS and the VGA have it. */
export const videoTools: readonly DialectTool[] = [
  readState,
  readDetailed,
  setMode,
  writeText,
  readCursor,
  setCursor,
  readCharacter,
  setPage,
  readPalette,
  readPixel,
  writePixel,
];
