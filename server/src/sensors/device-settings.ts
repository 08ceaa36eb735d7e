import { findDeviceType } from './index.ts'
import { advancedSettings } from './settings/advanced.ts'
import { type EnteredValues, readEntered } from './settings/entered-values.ts'
import { generalSettings } from './settings/general.ts'
import {
  type Chosen,
  describeValue,
  type Field,
  type Problem,
  type Section,
  type SectionName,
} from './settings/section.ts'
import { downlinkLength, readSection, writeSection } from './settings/section-codec.ts'

/**
 * The settings that a device of this type takes by downlink, in the order of the form. The section
 * `sensor` is missing where the maker has not published its layout (docs/decisions/0011). Types that
 * are not built in have no settings.
 */
export function settingsOf(typeId: number): readonly Section[] {
  const deviceType = findDeviceType(typeId)
  if (!deviceType) return []
  const common = [generalSettings, advancedSettings]
  return deviceType.settings ? [deviceType.settings, ...common] : common
}

/**
 * Encodes entered values as a downlink of 8 bytes, or gives all problems with them. Values are in
 * the unit of their field, as numbers or as text. Empty fields become the default that their
 * description names. Values between two steps are refused, not rounded. Values of the other sections
 * are ignored: the form sends all three.
 */
export function encodeSettings(
  typeId: number,
  name: SectionName,
  entered: EnteredValues,
): { bytes: Uint8Array } | { problems: Problem[] } {
  const sections = settingsOf(typeId)
  const section = sections.find((one) => one.name === name)
  if (!section) {
    const message = `This type of device has no ${name} settings that can be sent.`
    return { problems: [{ field: 'config_type', message }] }
  }
  const known = new Set(sections.flatMap(({ fields }) => fields.map(({ id }) => String(id))))
  const unknown = Object.keys(entered)
    .filter((id) => !known.has(id))
    .map((field) => ({ field, message: `This type of device has no setting "${field}".` }))
  const read = readEntered(section, entered)
  if ('problems' in read) return { problems: [...unknown, ...read.problems] }
  return unknown.length > 0 ? { problems: unknown } : { bytes: writeSection(section, read.chosen) }
}

/**
 * Decodes a downlink into values in units, by the id of the field as text. Fields of the other mode
 * are left out. Undefined when the device type has no section with this command.
 */
export function decodeSettings(
  typeId: number,
  bytes: Uint8Array,
): { section: SectionName; values: Record<string, number> } | undefined {
  const section = findSection(typeId, bytes)
  if (!section) return undefined
  const values: Record<string, number> = {}
  for (const [field, value] of fieldsOf(section, bytes)) values[String(field.id)] = value
  return { section: section.name, values }
}

/**
 * Describes a downlink for the history, line by line: `label: value unit`, and the bytes at the end.
 * Plain text, not HTML. Only the bytes when the device type has no section with this command.
 */
export function describeSettings(typeId: number, bytes: Uint8Array): string[] {
  const section = findSection(typeId, bytes)
  const message = describeMessage(bytes)
  if (!section) return [message]
  const lines = fieldsOf(section, bytes).map(
    ([field, value]) => `${field.label}: ${describeValue(field, value)}`,
  )
  return [`Configuration: ${section.label}`, ...lines, message]
}

/** All bytes in hexadecimal, as one line. */
export function describeMessage(bytes: Uint8Array): string {
  return `Message: ${Array.from(bytes, hexadecimal).join(' ')}`
}

/** The section whose command a downlink of this type has. */
export function findSection(typeId: number, bytes: Uint8Array): Section | undefined {
  if (bytes.length !== downlinkLength) return undefined
  return settingsOf(typeId).find(({ command }) => command === bytes[0])
}

function fieldsOf(section: Section, bytes: Uint8Array): [Field, number][] {
  const chosen: Chosen = readSection(section, bytes)
  return section.fields.flatMap((field): [Field, number][] => {
    const value = chosen[field.key]
    return value === undefined ? [] : [[field, value]]
  })
}

function hexadecimal(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}
