/** What RAM holds when an image has come to its HLT, as far as no dump of it lies beside the image; by address. */
export interface RomExpectation {
  /** Bytes from address 0; addresses that are not named hold 0. */
  readonly size?: number;
  readonly bytes?: Readonly<Record<number, number>>;
  /** Address line 20 is on. */
  readonly a20?: boolean;
  /** Needs the timer and the interrupt controller. */
  readonly timer?: boolean;
  /** Offset in segment F000 of a handler of the timer interrupt, which the image puts its own over. */
  readonly timerHandler?: number;
  /** Test codes on port 999h instead of RAM. */
  readonly codes?: number;
}

/** `bytes` without a `size` replace those of a dump, as the images' own harness does. */
export const romExpectations: Readonly<Record<string, RomExpectation>> = {
  bitwise: { bytes: { 159: 0x12, 157: 0x12, 155: 0x12, 153: 0x12 } },
  control: { bytes: { 1: 0x78 } },
  div2: { size: 6, bytes: { 0: 0x3d, 1: 0x8f, 2: 0x89, 3: 0x90, 4: 0xc3, 5: 0xe4 } },
  divfaultloop: { size: 4, bytes: { 0: 3, 2: 2 } },
  externalint: { size: 6, bytes: { 0: 1 }, timer: true },
  jmpmov: { size: 2, bytes: { 0: 0x01, 1: 0x40 } },
  linearsamesegmenteddifferent: { size: 2, bytes: { 0: 2 }, a20: true },
  lockprefix: { size: 4, bytes: { 0: 3, 2: 3 } },
  multimisalignedcall: { size: 0x13, bytes: { 0: 3, 16: 0xaa, 17: 0xbb, 18: 0xcc } },
  partition_mutual_recursion_unwind: { size: 0x12, bytes: { 16: 0xaa, 17: 0xbb } },
  pushcs_callnear_retfar: { size: 2, bytes: { 0: 0x42 } },
  returnedterminator: { size: 8, bytes: { 4: 0x22, 5: 0x22, 6: 0x11, 7: 0x11 } },
  selfmodifycalltarget: { size: 0x13, bytes: { 16: 0xaa, 17: 0xbb, 18: 0xcc } },
  selfmodifyinstructions: { size: 6, bytes: { 0: 3, 2: 2, 4: 1 } },
  selfmodifyterminator: { size: 4, bytes: { 0: 0x42, 2: 0xff, 3: 0xff } },
  selfmodifyvalue: { size: 4, bytes: { 0: 0x0a, 2: 0xff, 3: 0xff } },
  shifts: { bytes: { 111: 0, 121: 0 } },
  speculative_branch: { size: 0x403, bytes: { 1024: 1, 1025: 0xdd, 1026: 0xaa } },
  speculative_call_entry: { size: 0x403, bytes: { 1024: 1, 1025: 0xdd, 1026: 0xaa } },
  speculative_closure: { size: 0x403, bytes: { 1024: 1, 1025: 0xdd, 1026: 0xbb } },
  speculative_convergence: { size: 0x404, bytes: { 1024: 1, 1025: 0xaa, 1026: 0xcc, 1027: 0xff } },
  speculative_discard: { size: 0x403, bytes: { 1024: 1, 1025: 0xdd, 1026: 0xaa } },
  speculative_invalid_opcode: { size: 0x403, bytes: { 1024: 1, 1025: 0xdd, 1026: 0xee } },
  speculative_mixed_block: { size: 0x403, bytes: { 1024: 1, 1025: 0xdd, 1026: 0xaa } },
  speculative_smc_guard: { size: 0x403, bytes: { 1024: 1, 1025: 0xdd, 1026: 0xaa } },
  speculative_seeded_timer_sweep: { timer: true, timerHandler: 0x100 },
  test386: { codes: 8 },
};
