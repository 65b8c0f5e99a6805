import { type Core, CpuFault, type InterruptCause } from '../core.ts';
import { faultVectors } from '../fault-vectors.ts';

const { doubleFault, invalidTask, notPresent, stackFault, generalFault, pageFault } = faultVectors;

/** Vectors that make a double fault of another one while they are delivered. */
const contributory = new Set([0, invalidTask, notPresent, stackFault, generalFault]);

type Deliver = (vector: number, code: number, cause: InterruptCause) => void;

/** Delivers a fault or an interrupt; a fault on the way is delivered instead, or makes it a double fault. Throws when that fails too. */
export function deliverFault(core: Core, first: CpuFault, cause: InterruptCause, deliver: Deliver): CpuFault {
  let fault = first;
  let how = cause;
  let isDouble = false;
  for (;;) {
    try {
      deliver(fault.vector, fault.code, how);
      return fault;
    } catch (error) {
      if (!(error instanceof CpuFault) || isDouble || !core.isProtected) throw error;
      isDouble = how === 'fault' && makesDouble(fault.vector, error.vector);
      fault = isDouble ? new CpuFault(doubleFault, 0) : error;
      how = 'fault';
    }
  }
}

function makesDouble(first: number, second: number): boolean {
  if (first === pageFault) return second === pageFault || contributory.has(second);
  return contributory.has(first) && contributory.has(second);
}
