import type { CallToolResult } from '@modelcontextprotocol/server';
import { outcomeText } from '../api/outcome-text.ts';
import type { Outcome } from '../api/tool-host.ts';

export interface AnswerStyle {
  /** Also send the data of an answer as `structuredContent`, which makes some clients drop the text. */
  readonly structured: boolean;
  /** Replace images by a line of text, for clients that cannot show them. */
  readonly omitImages: boolean;
}

/** Said once: a program that wants the parts of an error asks for JSON, or looks into `_meta`. */
export function callResult(outcome: Outcome, style: AnswerStyle, asJson = false): CallToolResult {
  const text = { type: 'text' as const, text: outcomeText(outcome) };
  if (outcome.type === 'error') {
    const said = asJson ? { ...text, text: JSON.stringify(outcome.error) } : text;
    return { isError: true, content: [said], _meta: { 'frontpanel/error': outcome.error.toJSON() } };
  }
  if (outcome.type === 'confirm') {
    const data = { requires_confirmation: true, token: outcome.token };
    return { content: [text], _meta: { 'frontpanel/confirm': data } };
  }
  const { images = [], data } = outcome.answer;
  const content: CallToolResult['content'] = [text];
  for (const { mimeType, base64 } of images) {
    const type = mimeType.startsWith('audio/') ? ('audio' as const) : ('image' as const);
    content.push(
      style.omitImages
        ? { type: 'text', text: `[${mimeType} left out: --image-responses omit]` }
        : { type, mimeType, data: base64 },
    );
  }
  if (!style.structured || data === undefined || images.length > 0) return { content };
  return { content, structuredContent: { ...data } };
}
