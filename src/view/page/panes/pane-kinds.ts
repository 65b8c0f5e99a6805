import type { ComponentType } from 'preact';
import { FilmPane } from '../film/film-pane.tsx';
import { CallList } from '../timeline/call-list.tsx';
import { BreakpointsPane } from './breakpoints-pane.tsx';
import { ChipsPane } from './chips-pane.tsx';
import { CodePane } from './code-pane.tsx';
import { FunctionsPane } from './functions-pane.tsx';
import { GraphPane } from './graph-pane.tsx';
import { MemoryPane } from './memory-pane.tsx';
import { NetworkPane } from './network-pane.tsx';
import { RegistersPane } from './registers-pane.tsx';
import { StackPane } from './stack-pane.tsx';

export interface PaneKind {
  readonly id: string;
  readonly title: string;
  /** What a machine must be able to do. */
  readonly needs: readonly string[];
  /** It shows a moment of the machine, the same as all others. */
  readonly isOfMoment: boolean;
  readonly component: ComponentType;
}

/** Every pane there is, in the order in which they are offered. */
export const paneKinds: readonly PaneKind[] = [
  { id: 'registers', title: 'Registers', needs: ['cpu', 'addresses'], isOfMoment: true, component: RegistersPane },
  { id: 'code', title: 'Code', needs: ['cpu', 'addresses'], isOfMoment: true, component: CodePane },
  { id: 'stack', title: 'Call stack', needs: ['cpu', 'addresses'], isOfMoment: true, component: StackPane },
  { id: 'memory', title: 'Memory', needs: ['memory', 'addresses'], isOfMoment: true, component: MemoryPane },
  {
    id: 'breakpoints',
    title: 'Breakpoints',
    needs: ['breakpoints', 'addresses'],
    isOfMoment: true,
    component: BreakpointsPane,
  },
  { id: 'chips', title: 'Chips', needs: ['chips'], isOfMoment: true, component: ChipsPane },
  {
    id: 'functions',
    title: 'Functions',
    needs: ['functions', 'addresses'],
    isOfMoment: true,
    component: FunctionsPane,
  },
  { id: 'graph', title: 'Graph', needs: ['graph', 'addresses'], isOfMoment: true, component: GraphPane },
  { id: 'film', title: 'Time', needs: ['film'], isOfMoment: false, component: FilmPane },
  { id: 'network', title: 'Network', needs: ['network'], isOfMoment: false, component: NetworkPane },
  { id: 'calls', title: 'Tool calls', needs: [], isOfMoment: false, component: CallList },
];
