import { type Html, html } from '../../http/html.ts'
import { choicesOf, settingsOf } from '../../sensors/device-settings.ts'
import type { Field, NumberField, Section, SectionName } from '../../sensors/settings.ts'

/** The device that a form is for, and what proves where the form comes from. */
export interface FormSubject {
  deviceEui: string
  deviceName: string
  typeId: number
  token: string
}

const sectionLabels: readonly [SectionName, string][] = [
  ['sensor', 'Sensor configuration'],
  ['general', 'General configuration'],
  ['advanced', 'Advanced configuration'],
]

/**
 * The configuration form of a device: three sections, of which a radio button chooses the one that
 * is sent. Every field holds its default, so that the form sent back unchanged is accepted.
 */
export function configurationForm({ deviceEui, deviceName, typeId, token }: FormSubject): Html {
  const sections = new Map(settingsOf(typeId).map((section) => [section.name, section]))
  const chosen = sectionLabels.find(([name]) => sections.has(name))?.[0]
  return html`<form class="device-configuration" method="post" aria-label="Configuration of ${deviceName}">
<input type="hidden" name="deviceId" value="${deviceEui}">
<input type="hidden" name="config_field[islorawan]" value="1">
<input type="hidden" name="_token" value="${token}">
<p>${deviceName} (${deviceEui})</p>
<fieldset>
<legend>Send</legend>
${sectionLabels.map(
  ([name, label]) =>
    html`<label><input type="radio" name="config_field[config_type]" value="${name}"${name === chosen && html` checked`}${!sections.has(name) && html` disabled`}> ${label}</label>
`,
)}</fieldset>
${sectionLabels.map(([name, label]) => sectionFields(name, label, sections.get(name)))}<button type="submit">Send configuration</button>
</form>
`
}

function sectionFields(name: SectionName, label: string, section: Section | undefined): Html {
  return html`<fieldset data-section="${name}">
<legend>${label}</legend>
${
  section
    ? section.fields.map((field) => fieldRow(field, section))
    : html`<p>The layout of these settings is not published for this type of device.</p>
`
}</fieldset>
`
}

function fieldRow(field: Field, section: Section): Html {
  const id = `configuration-${section.name}-${field.id}`
  const unit = field.kind === 'number' && field.unit !== '' ? ` (${field.unit})` : ''
  return html`<div class="field"${conditionOf(field, section)}>
<label for="${id}">${field.label}${unit}</label>
${control(field, { id, name: inputName(field, section.name) })}
<small id="${id}-help">${[field.description, field.note].filter(Boolean).join(' ')}${field.isInferred && html` <em>Inferred, not published by the maker.</em>`}</small>
</div>
`
}

/** Sensor fields carry their values in a wrapper, the others bare (service.md, "Downlinks"). */
function inputName({ id, part }: Field, section: SectionName): string {
  return section === 'sensor' ? `config_field[${id}][${part}]` : `config_field[${id}]`
}

/** For scripts: on which value of which other field this one depends. */
function conditionOf({ onlyWhen }: Field, section: Section): Html | false {
  const other = section.fields.find(({ key }) => key === onlyWhen?.key)
  if (!onlyWhen || !other) return false
  const values = onlyWhen.values.join(' ')
  return html` data-only-when="${inputName(other, section.name)}" data-only-values="${values}"`
}

interface Place {
  id: string
  name: string
}

function control(field: Field, place: Place): Html {
  if (field.kind === 'number') return numberInput(field, place)
  const isDefault = (value: number) => value === field.default && html` selected`
  return html`<select id="${place.id}" name="${place.name}" aria-describedby="${place.id}-help">
<option value="">Default</option>
${choicesOf(field).map(
  ({ value, text }) => html`<option value="${value}"${isDefault(value)}>${text}</option>
`,
)}</select>`
}

function numberInput(field: NumberField, { id, name }: Place): Html {
  const value = field.default === undefined ? '' : String(field.default)
  return html`<input type="number" id="${id}" name="${name}" value="${value}" min="${field.min}" max="${field.max}" step="${field.step}" aria-describedby="${id}-help">`
}
