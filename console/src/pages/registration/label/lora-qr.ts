import { t } from '../../../languages/text.ts'
/**
 * The text of a LoRaWAN device's QR code, as the LoRa Alliance's TR005 defines it:
 * `LW:D0:JoinEUI:DevEUI:ProfileID[:O...][:S...][:P...][:C...]`, and its older drafts `URN:LW:DP:...`
 * and `URN:DEV:LW:...`. Some makers leave the profile out. It holds no key.
 */
export interface DeviceCode {
  joinEui: string
  devEui: string
  vendorId: string | undefined
  profileId: string | undefined
  ownerToken: string | undefined
  serialNumber: string | undefined
  proprietary: string | undefined
  /** What a person should know before they rely on it. */
  warnings: string[]
}

const eui = /^[0-9A-F]{16}$/
const profile = /^[0-9A-F]{8}$/

/** Reads the text of a code; undefined when it is another kind of code. */
export function readDeviceCode(text: string): DeviceCode | undefined {
  const code = text.trim()
  return readCurrent(code) ?? readDraft(code) ?? readOldestDraft(code)
}

function readCurrent(code: string): DeviceCode | undefined {
  const [scheme = '', version = '', joinEui = '', devEui = '', id = '', ...extensions] =
    code.split(':')
  if (scheme.toUpperCase() !== 'LW' || version.toUpperCase() !== 'D0') return undefined
  const hasProfile = profile.test(id.toUpperCase())
  const isExtension = id === '' || /^[OSPC]/i.test(id)
  if (!hasProfile && !isExtension) return undefined
  const more = hasProfile ? extensions : [id, ...extensions]
  const found = toCode(joinEui, devEui, hasProfile ? id : undefined, more)
  const warnings = [
    checkSum(code, more),
    hasProfile
      ? undefined
      : t('The code has no profile of the device: compare the EUIs with the label.'),
  ]
  return found && { ...found, warnings: warnings.filter((each) => each !== undefined) }
}

/** `URN:LW:DP:JoinEUI:DevEUI:ProfileID[:%V..%S..%P..]`. */
function readDraft(code: string): DeviceCode | undefined {
  const [, joinEui = '', devEui = '', id = '', rest = ''] =
    /^URN:LW:DP:([^:]*):([^:]*):([^:]*)(?::(.*))?$/i.exec(code) ?? []
  return withDraftNote(toCode(joinEui, devEui, id, rest.split('%')))
}

/** `URN:DEV:LW:JoinEUI_DevEUI_ProfileID[_V.._S.._P..]`. */
function readOldestDraft(code: string): DeviceCode | undefined {
  const [, rest = ''] = /^URN:DEV:LW:(.*)$/i.exec(code) ?? []
  const [joinEui = '', devEui = '', id = '', ...extensions] = rest.split('_')
  return withDraftNote(toCode(joinEui, devEui, id, extensions))
}

function withDraftNote(code: DeviceCode | undefined): DeviceCode | undefined {
  const note = t('The code has the form of an older draft: compare it with the label.')
  return code && { ...code, warnings: [note] }
}

function toCode(
  join: string,
  dev: string,
  id: string | undefined,
  extensions: readonly string[],
): DeviceCode | undefined {
  const [joinEui, devEui, profileId] = [join.toUpperCase(), dev.toUpperCase(), id?.toUpperCase()]
  if (!eui.test(joinEui) || !eui.test(devEui)) return undefined
  if (profileId !== undefined && !profile.test(profileId)) return undefined
  const extension = (letter: string) =>
    extensions.find((text) => text.charAt(0).toUpperCase() === letter)?.slice(1) || undefined
  return {
    joinEui,
    devEui,
    vendorId: profileId?.slice(0, 4),
    profileId: profileId?.slice(4),
    ownerToken: extension('O'),
    serialNumber: extension('S'),
    proprietary: extension('P'),
    warnings: [],
  }
}

function checkSum(code: string, extensions: readonly string[]): string | undefined {
  const sent = extensions
    .find((text) => /^C/i.test(text))
    ?.slice(1)
    .toUpperCase()
  if (!sent) return undefined
  const covered = code.slice(0, code.toUpperCase().lastIndexOf(`:C${sent}`))
  const computed = crc16(covered).toString(16).toUpperCase().padStart(4, '0')
  return computed === sent
    ? undefined
    : t('The checksum of the code does not fit: compare the EUIs with the label.')
}

/** CRC-16/MODBUS over the characters. */
export function crc16(text: string): number {
  let crc = 0xffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1
  }
  return crc
}
