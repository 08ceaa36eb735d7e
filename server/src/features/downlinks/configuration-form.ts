import { type Html, html } from '../../http/html.ts'
import { choicesOf, rangeOf } from '../../sensors/setting-texts.ts'
import type { Field, NumberField, Section, SectionName } from '../../sensors/settings.ts'
import {
  conditionOf,
  type FormSection,
  formSections,
  notPublished,
  wrapperOf,
} from './form-sections.ts'

/** The device that a form is for, and what proves where the form comes from. */
export interface FormSubject {
  deviceEui: string
  deviceName: string
  typeId: number
  token: string
}

/**
 * The configuration form of a device: three sections, of which a radio button chooses the one that
 * is sent. Every field holds its default, so that the form sent back unchanged is accepted.
 */
export function configurationForm({ deviceEui, deviceName, typeId, token }: FormSubject): Html {
  const sections = formSections(typeId)
  const chosen = sections.find(({ section }) => section)
  return html`<form class="device-configuration" method="post" aria-label="Configuration of ${deviceName}">
<input type="hidden" name="deviceId" value="${deviceEui}">
<input type="hidden" name="config_field[islorawan]" value="1">
<input type="hidden" name="_token" value="${token}">
<p>${deviceName} (${deviceEui})</p>
<fieldset>
<legend>Send</legend>
${sections.map((one) => sectionChoice(one, one === chosen))}</fieldset>
${sections.map(sectionFields)}<button type="submit">Send configuration</button>
</form>
`
}

function sectionChoice({ name, label, section }: FormSection, isChosen: boolean): Html {
  return html`<label><input type="radio" name="config_field[config_type]" value="${name}"${isChosen && html` checked`}${!section && html` disabled`}> ${label}</label>
`
}

function sectionFields({ name, label, section }: FormSection): Html {
  return html`<fieldset data-section="${name}">
<legend>${label}</legend>
${
  section
    ? section.fields.map((field) => fieldRow(field, section))
    : html`<p>${notPublished}</p>
`
}</fieldset>
`
}

function fieldRow(field: Field, section: Section): Html {
  const id = `configuration-${section.name}-${field.id}`
  const unit = field.kind === 'number' && field.unit !== '' ? ` (${field.unit})` : ''
  const range = field.kind === 'number' ? `Range: ${rangeOf(field)}.` : ''
  const help = [field.description, range, field.note].filter(Boolean).join(' ')
  return html`<div class="field"${dependence(field, section)}>
<label for="${id}">${field.label}${unit}</label>
${control(field, { id, name: inputName(field, section.name) })}
<small id="${id}-help">${help}${field.isInferred && html` <em>Inferred, not published by the maker.</em>`}</small>
</div>
`
}

function inputName(field: Field, section: SectionName): string {
  const wrapper = wrapperOf(field, section)
  return wrapper ? `config_field[${field.id}][${wrapper}]` : `config_field[${field.id}]`
}

/** For scripts: on which value of which other field this one depends. */
function dependence(field: Field, section: Section): Html | false {
  const condition = conditionOf(field, section)
  if (!condition) return false
  const name = inputName(condition.field, section.name)
  return html` data-only-when="${name}" data-only-values="${condition.values.join(' ')}"`
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
