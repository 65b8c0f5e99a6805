import { MediaError } from '../../../formats/commodore/media/byte-fields.ts';
import { type Crt, hardwareNames } from '../../../formats/commodore/media/crt.ts';
import { DiskShelf } from '../drive/disk-shelf.ts';
import { bankSize, Cartridge, cartridgeFields } from './cartridge.ts';
import { EasyFlash, easyFlashRamBytes } from './easy-flash.ts';
import {
  ActionReplay,
  EarlyActionReplay,
  FinalCartridge1,
  FinalCartridge3,
  KcsPower,
  SuperSnapshot5,
} from './freezers.ts';
import {
  Dinamic,
  FunPlay,
  GameSystem,
  MagicDesk,
  Ocean,
  Prophet64,
  Rgcd,
  Silverrock,
  SuperGames,
  Zaxxon,
} from './game-cartridges.ts';
import { RetroReplay, retroReplayRamBytes } from './retro-replay.ts';
import {
  Comal80,
  DelaSockets,
  EasyCalc,
  EpyxFastLoad,
  KernalReplacement,
  Kingsoft,
  MikroAssembler,
  Pagefox,
  pagefoxRamBytes,
  RexUtility,
  Ross,
  SimonsBasic,
  StructuredBasic,
  SwitchedCartridge,
  Westermann,
} from './tool-cartridges.ts';

type Maker = (crt: Crt, state: Int32Array, shelf: DiskShelf) => Cartridge;
type MadeOfRom = new (crt: Crt, state: Int32Array) => Cartridge;

interface CartridgeType {
  readonly make: Maker;
  readonly ramSize: number;
}

const rom = (Type: MadeOfRom, ramSize = 0): CartridgeType => ({ make: (crt, state) => new Type(crt, state), ramSize });

const types: Readonly<Record<number, CartridgeType>> = {
  0: rom(Cartridge),
  1: rom(ActionReplay, bankSize),
  2: rom(KcsPower, 128),
  3: rom(FinalCartridge3),
  4: rom(SimonsBasic),
  5: rom(Ocean),
  7: rom(FunPlay),
  8: rom(SuperGames),
  9: rom(ActionReplay, bankSize),
  10: rom(EpyxFastLoad),
  11: rom(Westermann),
  12: rom(RexUtility),
  13: rom(FinalCartridge1),
  15: rom(GameSystem),
  16: rom(SwitchedCartridge),
  17: rom(Dinamic),
  18: rom(Zaxxon),
  19: rom(MagicDesk),
  20: rom(SuperSnapshot5, bankSize),
  21: rom(Comal80),
  22: rom(StructuredBasic),
  23: rom(Ross),
  24: rom(DelaSockets),
  25: rom(DelaSockets),
  26: rom(DelaSockets),
  28: rom(MikroAssembler),
  30: rom(EarlyActionReplay),
  32: { make: (crt, state, shelf) => new EasyFlash(crt, state, shelf), ramSize: easyFlashRamBytes },
  35: rom(EarlyActionReplay),
  36: rom(RetroReplay, retroReplayRamBytes),
  43: rom(Prophet64),
  44: rom(KernalReplacement),
  51: rom(SwitchedCartridge),
  53: rom(Pagefox, pagefoxRamBytes),
  54: rom(Kingsoft),
  55: rom(Silverrock),
  57: rom(Rgcd),
  59: rom(EasyCalc),
  61: rom(Cartridge),
  85: rom(MagicDesk),
};

/** What is missing for others, where it is more than nobody having done it yet. */
const reasons: Readonly<Record<number, string>> = {
  6: 'it switches between RAM and ROM within single accesses',
  14: 'its PIA switches the KERNAL within single accesses',
  29: 'it lays ROM over the memory map without the lines of the expansion port',
  31: 'a capacitor on the processor port switches its ROM',
  33: 'its second bank register is not documented',
  37: 'it needs an SD card',
  38: 'it needs an SD card',
  39: 'it needs a hard disk',
  41: 'it needs an IEEE-488 bus',
  49: 'it needs a speech chip',
  50: 'capacitors time its switching',
  60: 'it needs a serial EEPROM',
  62: 'it needs a serial flash chip',
  69: 'it needs an SD card',
  72: 'it needs a SCSI disk',
  73: 'it needs a SCSI disk',
};

/** How many words of state a cartridge needs. */
export function cartridgeStateWords({ hardware }: Crt): number {
  return cartridgeFields.ram + (types[hardware]?.ramSize ?? 0) / 4;
}

/** The cartridge of an image, reset. Throws a MediaError for hardware that is not emulated. */
export function cartridgeOf(
  crt: Crt,
  state: Int32Array = new Int32Array(cartridgeStateWords(crt)),
  shelf: DiskShelf = new DiskShelf(),
): Cartridge {
  const type = types[crt.hardware];
  if (!type) {
    const emulated = Object.keys(types).map((number) => hardwareNames[Number(number)]);
    const reason = reasons[crt.hardware];
    throw new MediaError(
      `it is a cartridge of type ${crt.hardware} (${crt.hardwareName}), whose hardware is not emulated${reason ? `: ${reason}` : ''}`,
      `These are: ${emulated.join(', ')}.`,
    );
  }
  const cartridge = type.make(crt, state, shelf);
  cartridge.reset();
  return cartridge;
}
