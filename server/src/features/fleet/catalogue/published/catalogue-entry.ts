import { createHash } from 'node:crypto'
import type { StoredExample } from '../../device-types/codec-example.ts'

/** How devices of a model speak LoRaWAN in a region. */
export interface EntryProfile {
  /** As it is called on labels: EU868, US915, AS923-2. */
  region: string
  /** `1.0.3`. */
  macVersion: string
  /** The revision of the regional parameters: `A`, `RP002-1.0.3`. */
  regionalParameters: string | null
  activation: 'otaa' | 'abp'
  deviceClass: 'A' | 'C'
  supportsClassB: boolean
  /** dBm. */
  maxEirp: number | null
  /** ProfileID of a QR code (LoRa Alliance TR005): vendor and profile, 8 hexadecimal digits. */
  profileId: string | null
  /** What ChirpStack's profile says beyond that, by its own names. */
  details: Record<string, number>
}

/** A version of the firmware: what it speaks, and what reads its frames. */
export interface EntryVersion {
  firmware: string | null
  hardware: string[]
  profiles: EntryProfile[]
  /** The name of one of the codecs. */
  codec: string | null
}

export interface EntryCodec {
  source: string
  examples: StoredExample[]
}

/** A model of a catalogue, with all that a device type is made of. */
export interface CatalogueEntry {
  /** `<vendor>.<model>` as the catalogue's files are named. */
  key: string
  vendor: string
  model: string
  partNumbers: string[]
  description: string | null
  picture: string | null
  dataSheet: string | null
  productPage: string | null
  versions: EntryVersion[]
  codecs: Record<string, EntryCodec>
}

/** The files of a catalogue, by their path with slashes. */
export interface FileTree {
  paths: readonly string[]
  /** Undefined for a file that is not there, or cannot be read as text. */
  read(path: string): Promise<string | undefined>
}

/** What a folder, an archive or a repository holds. */
export interface ReadCatalogue {
  entries: CatalogueEntry[]
  /** What could not be read, a sentence for each file. */
  problems: string[]
}

/** Changes with everything that a device type is made of. */
export function revisionOf(entry: CatalogueEntry): string {
  return createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 16)
}

/** `EU863-870` of The Things Network and `EU868` of ChirpStack are one. */
export function toRegion(name: string): string {
  return regionNames.get(name) ?? name.replaceAll('_', '-')
}

const regionNames = new Map([
  ['EU863-870', 'EU868'],
  ['US902-928', 'US915'],
  ['AU915-928', 'AU915'],
  ['AS923-1', 'AS923'],
  ['CN470-510', 'CN470'],
  ['CN779-787', 'CN779'],
  ['KR920-923', 'KR920'],
  ['IN865-867', 'IN865'],
  ['RU864-870', 'RU864'],
  ['EU433', 'EU433'],
])

/** ProfileID of a QR code; null where one of its halves is not known. */
export function toProfileId(vendorId: unknown, profileId: unknown): string | null {
  const halves = [vendorId, profileId].map((half) =>
    typeof half === 'number' && Number.isInteger(half) && half > 0 && half <= 0xffff
      ? half.toString(16).toUpperCase().padStart(4, '0')
      : undefined,
  )
  return halves.every((half) => half !== undefined) ? halves.join('') : null
}

const longestText = 255
const longestDescription = 1000

export function textOf(value: unknown, longest = longestText): string | null {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return null
  const text = value.replace(/[\s\p{C}]+/gu, ' ').trim()
  // A cut may leave half of a character.
  return text === '' ? null : text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')
}

export function descriptionOf(value: unknown): string | null {
  return textOf(value, longestDescription)
}

/** A link that a browser may follow. */
export function linkOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= 500 && /^https?:\/\/[^\s"<>]+$/i.test(value)
    ? value
    : null
}

export function distinct(values: readonly unknown[]): string[] {
  return [...new Set(values.flatMap((value) => textOf(value) ?? []))]
}

/** A model by the ids of its vendor and its own, which are names of files, as part of an id in paths. */
export function keyOfModel(vendor = '', model = ''): string {
  return `${toKeyPart(vendor)}.${toKeyPart(model)}`
}

function toKeyPart(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80)
}
