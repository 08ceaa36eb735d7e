import { type Region, regions } from '../regions.ts'
import { isTagColumn, type Mapping } from './columns.ts'
import { type FilePlace, readPlace } from './place.ts'

/** What a row of a file says about a device, in the forms of the API. Empty texts are left out. */
export interface DeviceRow {
  /** Upper-case digits, or the text of the file where `faults` says what is wrong with it. */
  deviceId: string
  joinEui: string
  deviceKey: string
  deviceName: string
  deviceType: string
  network: string
  accountName: string
  registerMethod: string
  deviceProfile: string
  appRegion: string
  frequencyPlan: string
  gatewayId: string
  groupPath: string
  notes: string
  isConsoleOnly: boolean
  tags: Record<string, string>
  place: FilePlace | undefined
  faults: {
    deviceId?: string | undefined
    joinEui?: string | undefined
    deviceKey?: string | undefined
    /** Why the device cannot be registered by a file: it does not join, or is of LoRaWAN 1.1. */
    radio?: string | undefined
    tags?: string | undefined
    place?: string | undefined
  }
}

export function readDeviceRow(cells: readonly string[], mapping: Mapping): DeviceRow {
  const read = (name: keyof Mapping) => cellOf(cells, mapping[name])
  const deviceId = readHex(read('deviceId'), 16, 'DevEUI')
  const joinEui = readHex(read('joinEui'), 16, 'JoinEUI')
  const deviceKey = readHex(read('deviceKey'), 32, 'device key')
  const plan = read('frequencyPlan')
  const region = read('appRegion')
  const tags = readTags(cells, mapping)
  const place = readPlace({
    latitude: read('latitude'),
    longitude: read('longitude'),
    altitude: read('altitude'),
  })
  return {
    deviceId: deviceId.value,
    joinEui: joinEui.value,
    deviceKey: deviceKey.value,
    deviceName: read('deviceName'),
    deviceType: read('deviceType'),
    network: read('network'),
    accountName: read('accountName'),
    registerMethod: read('registerMethod'),
    deviceProfile: read('deviceProfile'),
    appRegion: toRegion(region) ?? (region || (toRegion(plan) ?? '')),
    frequencyPlan: plan,
    gatewayId: read('gatewayId'),
    groupPath: read('groupPath'),
    notes: read('notes'),
    isConsoleOnly: /^(1|true|yes)$/i.test(read('consoleOnly')),
    tags: tags.tags,
    place: place.place,
    faults: {
      deviceId: deviceId.fault,
      joinEui: joinEui.fault,
      deviceKey: deviceKey.fault,
      radio: findRadioFault(read('directive'), read('lorawanVersion'), read('supportsJoin')),
      tags: tags.fault,
      place: place.fault,
    },
  }
}

/** The tags of a row: one in each of their columns, or all of them in one as JSON. */
export function readTags(
  cells: readonly string[],
  mapping: Readonly<Record<string, number | undefined>>,
): { tags: Record<string, string>; fault?: string | undefined } {
  const columns = Object.entries(mapping).flatMap(([name, column]) => {
    const value = isTagColumn(name) ? cellOf(cells, column) : ''
    return value === '' ? [] : [[name.slice('tag:'.length), value] as const]
  })
  const { tags, fault } = readJsonTags(cellOf(cells, mapping.tags))
  return { tags: { ...tags, ...Object.fromEntries(columns) }, fault }
}

function readJsonTags(text: string): { tags?: Record<string, string>; fault?: string } {
  if (text === '') return {}
  try {
    const tags: unknown = JSON.parse(text)
    const isObject = typeof tags === 'object' && tags !== null && !Array.isArray(tags)
    const isRead = isObject && Object.values(tags).every((value) => typeof value === 'string')
    if (isRead) return { tags: tags as Record<string, string> }
  } catch {
    // Told below.
  }
  return { fault: 'The tags must be texts in JSON, such as {"floor": "2"}.' }
}

/** A cell, trimmed; a missing one is empty. Exports guard what looks like a formula by an apostrophe. */
export function cellOf(cells: readonly string[], column: number | undefined): string {
  const cell = column === undefined ? '' : (cells[column] ?? '')
  return (/^'[=+\-@＝＋－＠\t\r]/.test(cell) ? cell.slice(1) : cell).trim()
}

/** Digits as people copy them: with dashes, colons, blanks or `0x` between the bytes. */
export function plainHex(text: string): string {
  return text
    .replace(/0x/gi, '')
    .replace(/[\s:.,\-_]/g, '')
    .toUpperCase()
}

/** Reads an EUI or a key. Nothing is cut, filled up or reversed. An empty text is no fault. */
export function readHex(
  text: string,
  length: number,
  label: string,
): { value: string; fault?: string } {
  // `="00…"` and `'00…` keep a spreadsheet from reading a number; words in brackets explain.
  const bare = text.replace(/\([^)]*\)|\[[^\]]*\]/g, '').replace(/^[='"]+|["]+$/g, '')
  const value = plainHex(bare)
  if (/\blsb/i.test(text)) {
    return { value: text, fault: `The ${label} says LSB: turn its bytes, the first one first.` }
  }
  if (value === '' || (value.length === length && isHex(value))) return { value }
  const scientific = /^[+-]?\d+(?:[.,]\d+)?\s*E\s*\+?\d+$/i.test(bare.trim())
  if (scientific) {
    return {
      value: text,
      fault: `The ${label} is ${text}: a spreadsheet has taken it for a number, and its digits are lost. Format the column as text there, and enter it again.`,
    }
  }
  if (!isHex(value)) {
    return { value: text, fault: `The ${label} has other characters than 0 to 9 and A to F.` }
  }
  const isCut = /^\d+$/.test(bare.trim()) && value.length < length
  const cause = isCut ? ' A spreadsheet may have cut its leading zeros.' : ''
  return {
    value,
    fault: `The ${label} has ${value.length} digits instead of ${length}.${cause}`,
  }
}

function isHex(text: string): boolean {
  return /^[0-9A-F]*$/.test(text)
}

/**
 * The region that a name of a region, a band or a plan means: `EU868`, `eu 868`, `EU_863_870` and
 * `EU_863_870_TTN`.
 */
export function toRegion(text: string): Region | undefined {
  const [, area = '', start = ''] =
    /^([A-Z]{2})(\d{3})/.exec(text.toUpperCase().replace(/[\s_-]/g, '')) ?? []
  const lowest = `${area}${start}`
  const named: Record<string, Region> = { US902: 'US915', EU863: 'EU868' }
  return named[lowest] ?? regions.find((region) => region === lowest)
}

function findRadioFault(directive: string, version: string, joins: string): string | undefined {
  const word = directive.toUpperCase()
  if (/^(CREATE_ABP|ABP)$/.test(word) || /^(false|no|0|abp)$/i.test(joins)) {
    return 'The device does not join (ABP): register it on its own.'
  }
  if (word !== '' && word !== 'CREATE_OTAA') return `The line is ${directive}, not CREATE_OTAA.`
  const isLater = /^(?:MAC_V|LORAWAN_?)?1[._]1/i.test(version)
  return isLater
    ? 'The device is of LoRaWAN 1.1, which has two root keys: register it on its own.'
    : undefined
}
