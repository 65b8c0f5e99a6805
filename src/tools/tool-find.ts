import { z } from 'zod';
import { advice, call, MachineError } from '../machine/errors.ts';
import { describeOptions } from './describe-options.ts';
import { argumentsOf } from './input-schema.ts';
import { isAlwaysListed, type Seen, worksOn } from './shelf.ts';
import { defineRackTool, type Tool } from './tool.ts';
import { purposeOf, rankTools } from './tool-find/rank-tools.ts';
import { toolsets } from './toolsets.ts';

const mostShown = 3;
const mostNamed = 5;

/** Calls with `tool` never come here: the toolbox carries out the tool they name. */
export const toolFind = defineRackTool({
  name: 'tool_find',
  title: 'Find and call more tools',
  description:
    'Tools beyond this list, by purpose: {"find":"count cycles"}, or a toolset: ' +
    `${Object.entries(toolsets)
      .filter(([, { listed }]) => !listed)
      .map(([name]) => name)
      .join(', ')}. Call what it finds with {"tool":"cycles_read","arguments":{}}.`,
  toolset: 'machines',
  effect: 'change',
  openWorld: true,
  input: z.object({
    find: z.string().max(200).optional(),
    tool: z.string().optional(),
    arguments: z.record(z.string(), z.unknown()).optional(),
  }),
  async run({ find, tool, arguments: args }, { toolbox }) {
    if (tool !== undefined || args !== undefined) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        'A call either finds tools or passes a call on.',
        'Give {"find":"…"} alone, or {"tool":"NAME","arguments":{…}} alone.',
      );
    }
    const offered = toolbox.offered;
    if (find === undefined || find.trim() === '') return { text: overview(offered), data: {} };
    const ofSet = offered.filter(({ toolset, name }) => toolset === find.trim() || name === find.trim());
    const found =
      ofSet.length > 0
        ? ofSet
        : rankTools(find, offered, (each) => isUsable(each, toolbox.seen)).slice(0, mostShown + mostNamed);
    if (found.length === 0) {
      throw new MachineError(
        'NOT_FOUND',
        `No tool found for ${JSON.stringify(find)}.`,
        advice`${call('tool_find')} lists all toolsets.`,
      );
    }
    const shown = ofSet.length > 0 ? found : found.slice(0, mostShown);
    const others = found.slice(shown.length).map(({ name }) => name);
    const rest = others.length > 0 ? [`Further: ${others.join(', ')}`] : [];
    const isKnown = (tool: Tool) => ofSet.length !== 1 && isAlwaysListed(tool) && toolbox.shelf.has(tool.name);
    return {
      text: [...shown.map((each) => (isKnown(each) ? inYourList(each) : describe(each, toolbox.seen))), ...rest].join(
        '\n\n',
      ),
      data: { tools: shown.map(({ name, toolset }) => ({ name, toolset })) },
    };
  },
});

function overview(offered: readonly Tool[]): string {
  return Object.entries(toolsets)
    .flatMap(([set, { purpose }]) => {
      const names = offered.filter(({ toolset }) => toolset === set).map(({ name }) => name);
      return names.length === 0 ? [] : [`${set}: ${purpose}\n  ${names.join(', ')}`];
    })
    .join('\n');
}

/** Whoever asks has its arguments already. */
function inYourList({ name, description }: Tool): string {
  return `${name} (in your list)\n${description}`;
}

function describe(tool: Tool, seen: Seen): string {
  const options = describeOptions(argumentsOf(tool));
  const head = `${tool.name} (toolset ${tool.toolset}: ${purposeOf(tool.toolset)})${usableOn(tool, seen)}`;
  return `${head}\n${tool.description}${options === '' ? '' : `\n${options}`}`;
}

function isUsable(tool: Tool, { machines }: Seen): boolean {
  return machines.length === 0 || machines.some(({ machine }) => worksOn(tool, machine));
}

function usableOn(tool: Tool, { machines }: Seen): string {
  if (tool.scope === 'rack' || machines.length === 0) return '';
  const able = machines.filter(({ machine }) => worksOn(tool, machine)).map(({ handle }) => handle);
  return able.length > 0
    ? `; works on ${able.join(', ')}`
    : `; needs ${tool.needs.join(', ')}, which no running machine has`;
}
