import { jsonData } from '../api/json-data.ts';
import { elide } from './console/elide.ts';

/** No answer is longer, whatever a tool returns: about 8,000 tokens. */
export const maxAnswerChars = 30_000;
/** Shorter texts are not worth cutting. */
const leastChars = 200;

/** Data as JSON of at most `maxChars`, still JSON: its longest texts and lists are shortened, and `shortened` names them. */
export function fitJson(data: Readonly<Record<string, unknown>>, maxChars = maxAnswerChars): string {
  const shortened = new Set<string>();
  let fitting = jsonData(data);
  for (;;) {
    const json = JSON.stringify(fitting);
    if (json.length <= maxChars) return json;
    const [key, value] = longest(fitting);
    // A little more than needed, because what is left may need more escapes than what was cut.
    const share = (maxChars / json.length) * 0.9;
    if (typeof value === 'string' && value.length > leastChars) {
      fitting[key] = elide(value, Math.floor(value.length * share)).text;
    } else if (Array.isArray(value) && value.length > 0) {
      fitting[key] = value.slice(0, Math.floor(value.length * share));
    } else {
      const { machine, state } = data;
      return JSON.stringify({ machine, state, left_out_chars: json.length });
    }
    shortened.add(key);
    fitting = { ...fitting, shortened: [...shortened] };
  }
}

function longest(data: Readonly<Record<string, unknown>>): [string, unknown] {
  const sized = Object.entries(data).map(([key, value]) => ({ key, value, chars: JSON.stringify(value)?.length ?? 0 }));
  const { key, value } = sized.reduce((most, each) => (each.chars > most.chars ? each : most));
  return [key, value];
}
