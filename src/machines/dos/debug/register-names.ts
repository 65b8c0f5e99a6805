import { type Model, models } from '../../../chips/x86/models.ts';

export interface ShownRegister {
  readonly name: string;
  readonly bits: 16 | 32;
}

const general = ['ax', 'bx', 'cx', 'dx', 'si', 'di', 'bp', 'sp'] as const;

/** The registers that a model's programmer sees, in the order in which debuggers show them. */
export function registerNames(model: Model): readonly ShownRegister[] {
  const wide = models.indexOf(model) >= models.indexOf('80386');
  const bits = wide ? 32 : 16;
  const named = (name: string): ShownRegister => ({ name: wide ? `e${name}` : name, bits });
  const segments = wide ? ['cs', 'ds', 'es', 'ss', 'fs', 'gs'] : ['cs', 'ds', 'es', 'ss'];
  return [
    ...general.map(named),
    ...segments.map((name): ShownRegister => ({ name, bits: 16 })),
    { name: wide ? 'eip' : 'ip', bits },
    named('flags'),
  ];
}
