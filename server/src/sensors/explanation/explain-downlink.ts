import { findSection } from '../device-settings.ts'
import { describeValue, type Field } from '../settings/section.ts'
import { readSection } from '../settings/section-codec.ts'
import { cover, type ExplainedPart } from './explained-bytes.ts'

/** A configuration downlink of a built-in type. Without a known section, bytes without meaning. */
export function explainDownlink(typeId: number, bytes: Uint8Array): ExplainedPart[] {
  const section = findSection(typeId, bytes)
  if (!section) return cover(bytes.length, [], 'Not known')
  const chosen = readSection(section, bytes)
  const command: ExplainedPart = {
    start: 0,
    length: 1,
    label: 'Command',
    value: section.command,
    meaning: `${section.label} configuration`,
  }
  const parts = section.fields.flatMap((field) => {
    const value = chosen[field.key]
    return value === undefined ? [] : [partOf(field, value)]
  })
  return cover(bytes.length, [command, ...parts])
}

/** The payload begins after the command. */
function partOf(field: Field, value: number): ExplainedPart {
  const { byte, length = 1, bits } = field.place
  return {
    start: byte + 1,
    length,
    label: field.label,
    key: String(field.id),
    value,
    ...(bits ? { bits } : {}),
    ...(field.kind === 'number'
      ? field.unit === ''
        ? {}
        : { unit: field.unit }
      : { meaning: describeValue(field, value) }),
  }
}
