/** A command of the human monitor that stays inside the machine. */
export interface HmpCommand {
  readonly names: readonly string[];
  /**
   * What may follow, word by word; `?` for what may be left out, `*` for one or more. Words in capitals are those of
   * `hmp-words.ts`, all others are meant as they are written.
   */
  readonly takes?: string;
  /** It changes nothing, and is also taken by a machine with `"monitor":"query"`. */
  readonly asks?: true;
  readonly why: string;
}

/** Everything that `monitor_execute` takes of the human monitor; see `qmp-commands.ts`. */
export const hmpCommands: readonly HmpCommand[] = [
  { names: ['info'], takes: 'NAME? PLAIN*?', asks: true, why: 'Prints. No part of it opens anything.' },
  { names: ['help', '?'], takes: 'NAME? NAME?', asks: true, why: 'Prints.' },
  { names: ['print', 'p'], takes: 'FORMAT? EXPRESSION*', asks: true, why: 'Calculates, with registers.' },
  { names: ['x', 'xp'], takes: 'FORMAT? EXPRESSION*', asks: true, why: 'Shows memory of the guest.' },
  { names: ['gva2gpa'], takes: 'EXPRESSION*', asks: true, why: 'Looks an address up in the page tables.' },
  { names: ['sum'], takes: 'EXPRESSION EXPRESSION', asks: true, why: 'A sum over memory of the guest.' },
  { names: ['qom-list'], takes: 'QOMPATH?', asks: true, why: 'Lists properties.' },
  { names: ['qom-get'], takes: 'QOMPATH NAME', asks: true, why: 'Reads a property.' },
  { names: ['i'], takes: 'FORMAT? EXPRESSION*', why: 'Reads a port as the guest can; devices may react.' },
  { names: ['o'], takes: 'FORMAT? EXPRESSION EXPRESSION', why: 'Writes a port as the guest can.' },
  { names: ['qom-set'], takes: 'QOMPATH NAME SETTING', why: 'A number or a switch names no file.' },

  { names: ['stop', 's'], why: 'Carried out by this server.' },
  { names: ['cont', 'c'], why: 'Carried out by this server.' },
  { names: ['quit', 'q'], why: 'Ends this machine only.' },
  { names: ['system_reset'], why: 'The reset button.' },
  { names: ['system_powerdown'], why: 'The power button.' },
  { names: ['system_wakeup'], why: 'Wakes a guest that sleeps.' },
  { names: ['nmi'], why: 'An interrupt of the guest.' },
  { names: ['mce'], takes: '-b? EXPRESSION*', why: 'A machine check in the guest.' },
  { names: ['pcie_aer_inject_error'], takes: 'PLAIN*', why: 'An error on the bus of the guest.' },
  { names: ['watchdog_action'], takes: 'NAME', why: 'What the watchdog does to the machine.' },
  { names: ['boot_set'], takes: 'NAME', why: 'The order of devices for the next boot.' },
  { names: ['cpu'], takes: 'NUMBER', why: 'Which processor is meant in this line.' },
  { names: ['singlestep', 'one-insn-per-tb'], takes: 'SWITCH?', why: 'How QEMU translates.' },

  { names: ['device_add'], takes: 'DEVICE', why: 'Devices of a list, with numbers and words only.' },
  { names: ['device_del'], takes: 'NAME', why: 'Unplugs a device.' },
  { names: ['object_add'], takes: 'OBJECT', why: 'Objects of a list, which hold memory and threads only.' },
  { names: ['object_del'], takes: 'OWN', why: 'Removes what an agent has added.' },
  { names: ['chardev-add'], takes: 'CHARDEV', why: 'A ring in memory, or nothing.' },
  { names: ['chardev-remove'], takes: 'OWN', why: 'Removes what an agent has added.' },
  { names: ['chardev-send-break'], takes: 'NAME', why: 'A break on a serial line.' },
  { names: ['ringbuf_read'], takes: 'NAME NUMBER', why: 'Reads a ring in memory.' },
  { names: ['ringbuf_write'], takes: 'NAME NAME', why: 'Writes to one.' },
  { names: ['balloon'], takes: 'NUMBER', why: 'Asks the guest for memory.' },
  { names: ['set_link'], takes: 'NAME SWITCH', why: 'Pulls the cable of a network card.' },
  { names: ['announce_self'], takes: 'NAME? NAME?', why: 'Packets on the network that the machine has anyway.' },
  { names: ['hostfwd_add'], takes: 'NAME? FORWARD', why: 'As "forward" at the start: from this computer only.' },
  { names: ['hostfwd_remove'], takes: 'NAME? FORWARDED', why: 'Takes such a rule away.' },

  { names: ['sendkey'], takes: 'NAME NUMBER?', why: 'The keyboard.' },
  { names: ['mouse_move'], takes: 'NUMBER NUMBER NUMBER?', why: 'The mouse.' },
  { names: ['mouse_button'], takes: 'NUMBER', why: 'The mouse.' },
  { names: ['mouse_set'], takes: 'NUMBER', why: 'Which mouse is meant.' },
  { names: ['block_resize'], takes: 'NAME SIZE', why: 'Changes the size of a disk that may be written.' },
  { names: ['block_set_io_throttle'], takes: 'NAME NUMBER*', why: 'Slows a disk down.' },

  { names: ['log'], takes: 'ITEMS', why: 'Goes into a pipe, of which this server keeps the end.' },
  { names: ['trace-event'], takes: 'PATTERN SWITCH NUMBER?', why: 'Goes there, too.' },
  { names: ['sync-profile'], takes: 'NAME?', why: 'Counts how long locks of QEMU are held.' },
  { names: ['calc_dirty_rate'], takes: 'PLAIN*', why: 'Measures how fast memory is written.' },
];
