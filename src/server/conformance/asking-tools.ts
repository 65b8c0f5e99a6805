import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequest,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { requestState } from '../mcp-server.ts';
import type { SurfaceTool } from '../surface.ts';
import { fixture, oneString, text } from './content.ts';

const ask = (message: string, field: string) => inputRequired.elicit({ message, requestedSchema: oneString(field) });
const askName = () => ask('What is your name?', 'name');
const askToConfirm = () =>
  inputRequired.elicit({
    message: 'Please confirm',
    requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  });
const sample = (value: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: value } }],
    maxTokens: 100,
  });
const freshState = () => requestState.mint({ call: crypto.randomUUID() });

/** A tool that asks once for each of these and is content when all answers are there. */
function asking(name: string, requests: () => Record<string, InputRequest>, withState = false): SurfaceTool {
  return fixture(name, async (_input, request) => {
    const answers = request.mcpReq.inputResponses ?? {};
    const inputRequests = requests();
    if (Object.keys(inputRequests).every((key) => answers[key])) return text(`Received ${JSON.stringify(answers)}`);
    return inputRequired(withState ? { inputRequests, requestState: await freshState() } : { inputRequests });
  });
}

function needingState(name: string): SurfaceTool {
  return fixture(name, async (_input, request) => {
    if (acceptedContent(request.mcpReq.inputResponses, 'confirm') === undefined) {
      return inputRequired({ inputRequests: { confirm: askToConfirm() }, requestState: await freshState() });
    }
    if (request.mcpReq.requestState() === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The request state is missing');
    }
    return text('state-ok');
  });
}

/** Fixtures of the 2026 protocol's way to ask: answer with questions, be called again with the answers. */
export const askingTools: readonly SurfaceTool[] = [
  fixture('test_input_required_result_elicitation', async (_input, request) => {
    const given = acceptedContent(request.mcpReq.inputResponses, 'user_name', z.object({ name: z.string() }));
    return given ? text(`Hello, ${given.name}!`) : inputRequired({ inputRequests: { user_name: askName() } });
  }),
  asking('test_input_required_result_sampling', () => ({ capital_question: sample('What is the capital of France?') })),
  asking('test_input_required_result_list_roots', () => ({ client_roots: inputRequired.listRoots() })),
  asking(
    'test_input_required_result_multiple_inputs',
    () => ({ user_name: askName(), greeting: sample('Generate a greeting'), client_roots: inputRequired.listRoots() }),
    true,
  ),
  asking('test_missing_capability', () => ({ question: sample('pong?') })),
  needingState('test_input_required_result_request_state'),
  needingState('test_input_required_result_tampered_state'),
  fixture('test_input_required_result_multi_round', async (_input, request) => {
    const round = Number(request.mcpReq.requestState<{ readonly call: string }>()?.call ?? 0);
    if (round >= 2) return text('multi-round complete');
    const question = ask(`Step ${round + 1}`, round === 0 ? 'name' : 'color');
    return inputRequired({
      inputRequests: { [`step${round + 1}`]: question },
      requestState: await requestState.mint({ call: String(round + 1) }),
    });
  }),
  fixture('test_input_required_result_capabilities', async (_input, request) => {
    if (request.mcpReq.inputResponses) return text('answered');
    const envelope: Record<string, unknown> = request.mcpReq.envelope ?? {};
    const declared = Object.keys(envelope[CLIENT_CAPABILITIES_META_KEY] ?? {});
    const inputRequests: Record<string, InputRequest> = {
      ...(declared.includes('elicitation') && { user_name: askName() }),
      ...(declared.includes('sampling') && { greeting: sample('hi') }),
      ...(declared.includes('roots') && { client_roots: inputRequired.listRoots() }),
    };
    return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : text('nothing declared');
  }),
];
