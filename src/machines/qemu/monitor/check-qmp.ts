import { type Form, forms, isRecord, wholeForms } from './forms.ts';
import { type QmpCommand, qmpCommands, transactionActions } from './qmp-commands.ts';

type Arguments = Readonly<Record<string, unknown>>;

const maxActions = 64;
const families = qmpCommands.filter(({ name }) => name.endsWith('*'));
const single = new Map(qmpCommands.map((command) => [command.name, command]));
const nameForm = /^[\w.-]{1,64}$/;

/** The row of the list that a command stands in. */
function known(name: string): QmpCommand | undefined {
  if (!nameForm.test(name)) return undefined;
  return single.get(name) ?? families.find((family) => name.startsWith(family.name.slice(0, -1)));
}

export function qmpAsksOnly(name: string): boolean {
  return known(name)?.asks === true;
}

/** Why a command does not surely stay inside the machine; undefined when it does. */
export function qmpProblem(name: string, given: Arguments): string | undefined {
  if (name === 'transaction') return transactionProblem(given);
  const command = known(name);
  if (!command) return `${name.slice(0, 60)} is not among the commands that are known to stay inside the machine`;
  const { takes = {} } = command;
  if (typeof takes === 'string') return wholeForms[takes](given);
  for (const [argument, value] of Object.entries(given)) {
    const form: Form | undefined = Object.hasOwn(takes, argument) ? takes[argument] : takes['*'];
    const problem =
      form === undefined ? `it takes no ${JSON.stringify(argument.slice(0, 40))} here` : forms[form](value);
    if (problem !== undefined) return `${name}, ${argument.slice(0, 40)}: ${problem}`;
  }
  return undefined;
}

/** All of its actions have to be commands of the list, with their own arguments. */
function transactionProblem(given: Arguments): string | undefined {
  const { actions, ...rest } = given;
  if (Object.keys(rest).length > 0) return 'transaction takes "actions" only here';
  if (!Array.isArray(actions) || actions.length > maxActions) return 'transaction needs a list of actions';
  for (const action of actions) {
    const { type, data = {}, ...more } = isRecord(action) ? action : {};
    if (typeof type !== 'string' || !isRecord(data) || Object.keys(more).length > 0) {
      return 'an action of transaction is {"type":…,"data":{…}}';
    }
    const problem = transactionActions.has(type)
      ? qmpProblem(type, data)
      : `the action ${JSON.stringify(type.slice(0, 60))} is not one of ${[...transactionActions].join(', ')}`;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** For refusals. */
export const qmpNames: readonly string[] = [...qmpCommands.map(({ name }) => name), 'transaction'];
