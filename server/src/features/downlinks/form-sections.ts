import { settingsOf } from '../../sensors/device-settings.ts'
import type { Field, Section, SectionName } from '../../sensors/settings.ts'

/** One of the three parts of the configuration form, whatever the type of the device. */
export interface FormSection {
  /** The `config_type` that sends it. */
  name: SectionName
  label: string
  /** Undefined where the maker has not published what the device would have to be sent. */
  section: Section | undefined
}

const labels: readonly [SectionName, string][] = [
  ['sensor', 'Sensor configuration'],
  ['general', 'General configuration'],
  ['advanced', 'Advanced configuration'],
]

/** Stands where a section without fields would have them. */
export const notPublished =
  'How these settings are sent is not published for this type of device, so they can not be set from here.'

/** What the form of this type of device consists of, as HTML and as data. */
export function formSections(typeId: number): FormSection[] {
  const sections = new Map(settingsOf(typeId).map((section) => [section.name, section]))
  return labels.map(([name, label]) => ({ name, label, section: sections.get(name) }))
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
