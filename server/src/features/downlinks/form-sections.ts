import { settingsOf } from '../../sensors/device-settings.ts'
import type { Field, Section, SectionName } from '../../sensors/settings/section.ts'
import type { CodecField } from './codec-fields.ts'

/** One of the three parts of the configuration form, whatever the type of the device. */
export interface FormSection {
  /** The `config_type` that sends it. */
  name: SectionName
  label: string
  /** Undefined where the service does not know what the device would have to be sent. */
  section: Section | undefined
  /** Those of a type whose codec encodes its downlinks, which has no `section`. */
  codecFields: readonly CodecField[]
  /** Why there are no fields; undefined where there are. */
  note: string | undefined
}

/** What the codec of an own type offers: fields, or else a sentence that says why none. */
export interface CodecForm {
  fields: readonly CodecField[]
  note: string | undefined
}

const labels: readonly [SectionName, string][] = [
  ['sensor', 'Sensor configuration'],
  ['general', 'General configuration'],
  ['advanced', 'Advanced configuration'],
]

const notPublished =
  'How these settings are sent is not published for this type of device, so they can not be set from here.'
const noneOfOwnType =
  'A device of your own type is sent what its codec encodes, by the sensor configuration.'

/** What the form of this type of device consists of, as HTML and as data; `codec` of an own type. */
export function formSections(typeId: number, codec?: CodecForm): FormSection[] {
  const sections = new Map(settingsOf(typeId).map((section) => [section.name, section]))
  return labels.map(([name, label]) => {
    const section = sections.get(name)
    if (section) return { name, label, section, codecFields: [], note: undefined }
    if (!codec) return { name, label, section, codecFields: [], note: notPublished }
    if (name !== 'sensor') return { name, label, section, codecFields: [], note: noneOfOwnType }
    return { name, label, section, codecFields: codec.fields, note: codec.note }
  })
}

/** Sensor fields carry their values in a wrapper, the others bare (service.md, "Downlinks"). */
export function wrapperOf(field: Field, section: SectionName): 'group' | 'main' | undefined {
  return section === 'sensor' ? field.part : undefined
}

/** The field of the same section whose value decides whether this one counts, and the values. */
export function conditionOf({ onlyWhen }: Field, { fields }: Section) {
  const field = fields.find(({ key }) => key === onlyWhen?.key)
  return onlyWhen && field ? { field, values: onlyWhen.values } : undefined
}
