import type { ResourceContent, ResourceFamily } from '../../api/tool-host.ts';
import { png } from './content.ts';

function fixed(
  uri: string,
  name: string,
  mimeType: string,
  content: { text: string } | { blob: string },
): ResourceFamily {
  return {
    list: () => [{ uri, name, mimeType }],
    read: (wanted) => (wanted === uri ? once({ uri, mimeType, ...content }) : undefined),
  };
}

const once = (result: ResourceContent) => Promise.resolve(result);

const templated: ResourceFamily = {
  template: { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
  list: () => [],
  read(uri) {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id === undefined) return undefined;
    const value = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return once({ uri, mimeType: 'application/json', text: value });
  },
};

export const conformanceResources: readonly ResourceFamily[] = [
  fixed('test://static-text', 'static-text', 'text/plain', {
    text: 'This is the content of the static text resource.',
  }),
  fixed('test://static-binary', 'static-binary', 'image/png', { blob: png }),
  fixed('test://watched-resource', 'watched', 'text/plain', { text: 'Watched resource content' }),
  templated,
];
