import type { Surface } from '../surface.ts';
import { askingTools } from './asking-tools.ts';
import { fixture, text } from './content.ts';
import { plainTools } from './plain-tools.ts';
import { conformancePrompts } from './prompts.ts';
import { pushingTools } from './pushing-tools.ts';
import { conformanceResources } from './resources.ts';

/** A surface with everything that the official conformance suite calls by name. Only behind `--conformance`. */
export function conformanceSurface(surface: Surface): Surface {
  const listListeners = new Set<() => void>();
  const changeList = () => {
    for (const listener of listListeners) listener();
  };
  const trigger = (name: string) =>
    fixture(name, async () => {
      changeList();
      return text('triggered');
    });
  const fixtures = [
    ...plainTools,
    ...askingTools,
    ...pushingTools,
    trigger('test_trigger_tool_change'),
    trigger('test_trigger_prompt_change'),
  ];
  const isFixture = (name: string) => fixtures.some(({ definition }) => definition.name === name);
  return {
    ...surface,
    tools: [...surface.tools, ...fixtures],
    isListed: (name) => isFixture(name) || (surface.isListed?.(name) ?? true),
    resources: [...surface.resources, ...conformanceResources],
    prompts: conformancePrompts,
    onListChange(listener) {
      listListeners.add(listener);
      const unlisten = surface.onListChange(listener);
      return () => {
        listListeners.delete(listener);
        unlisten();
      };
    },
  };
}
