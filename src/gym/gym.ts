/** `frontpanel/gym`: environments for training and testing agents on whole machines. */
export { openVector, type Vector, type VectorStep } from './vector.ts';
export { allStickPositions, type ObservationPart, type VectorOptions } from './vector-spec.ts';
