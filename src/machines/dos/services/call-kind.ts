/**
 * What a log keeps of a call. `registers`: they say everything, and are put into words when somebody reads them. `live`:
 * its words tell of memory or tables and have to be found at once. `poll`: a question that programs ask while they wait.
 */
export type CallKind = 'registers' | 'live' | 'poll';
