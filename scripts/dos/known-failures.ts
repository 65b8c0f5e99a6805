/** Why a test fails that could not pass on the real thing, or that we leave as it is. */
export const knownFailures: Readonly<Record<string, string>> = {
  'DosExecTests/dos_exec_master':
    'takes the word at 12h of the parameter block for CS; DOS has IP there, and the overlay begins at 0',
  'DosFcbTests/fcb_process_isolation':
    'counts on an open that clears the current record of an FCB; DOS leaves that field to the program',
  'DosInt21Tests/cds_initialized_known_location': 'wants C: first in the list of directories; in DOS that is A:',
  'control-flow graphs, by blocks/selfmodifyinstructions':
    'the golden cut at 1403 is a trace of a wrong guess: Spice86 had read the zeros there as code before the program wrote its own',
  'control-flow graphs, by blocks/speculative_mixed_block':
    'the golden cut at 0018 is the goal of a jump that never ran; our blocks come from what ran',
  'EmsTests/ems_get_version': 'wants LIM EMS 3.2; this is 4.0',
};
