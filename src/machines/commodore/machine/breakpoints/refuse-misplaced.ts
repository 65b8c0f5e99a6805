import { type Expression, parseCondition } from '../../../shared/condition/parse-condition.ts';
import { conditionError } from '../../../shared/condition/tokens.ts';

const accessNames: readonly string[] = ['value', 'old_value', 'address'];
const spriteRows: readonly string[] = ['sprite_x', 'sprite_y'];
const lastSprite = 7;

/** Refuses names that mean nothing where a condition stands: of an access where there is none, of sprites that no chip has. */
export function refuseMisplaced(source: string, isOfAccess: boolean): void {
  for (const part of partsOf(parseCondition(source))) {
    if (part.type === 'name' && !isOfAccess && accessNames.includes(part.name.toLowerCase())) {
      const problem = `${part.name} is that of an access, and here is none`;
      const fix = 'Use it in a breakpoint on reads, writes or changes; memory is [0x1234].';
      throw conditionError(source, part.at, problem, fix);
    }
    if (part.type === 'row' && spriteRows.includes(part.name.toLowerCase()) && part.index.type === 'number') {
      const { value } = part.index;
      if (value > lastSprite)
        throw conditionError(source, part.at, `there is no sprite ${value}`, 'Sprites are 0 to 7.');
    }
  }
}

/** An expression and everything in it. */
function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.type) {
    case 'binary':
      return [expression, ...partsOf(expression.left), ...partsOf(expression.right)];
    case 'unary':
      return [expression, ...partsOf(expression.operand)];
    case 'memory':
    case 'pointed':
      return [expression, ...partsOf(expression.address)];
    case 'row':
      return [expression, ...partsOf(expression.index)];
    default:
      return [expression];
  }
}
