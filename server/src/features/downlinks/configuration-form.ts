import { SealError, type Sealer } from '../../db/seal.ts'
import type { Session } from '../../http/endpoint.ts'
import { notFound } from '../../http/errors.ts'
import { type Html, html, markupOf } from '../../http/html.ts'
import {
  choicesOf,
  type Field,
  type NumberField,
  rangeOf,
  type Section,
  type SectionName,
} from '../../sensors/settings/section.ts'
import { endpoint } from '../core-services.ts'
import * as deviceQueries from '../fleet/inventory/device-queries.ts'
import { devicePath, readReference } from '../fleet/inventory/references.ts'
import { findCodecForm } from './codec-configuration.ts'
import {
  type CodecField,
  type CodecForm,
  conditionOf,
  type FormSection,
  formSections,
  wrapperOf,
} from './form-sections.ts'

/** The device that the form configures, and the token that proves the form's origin. */
interface FormSubject {
  deviceEui: string
  deviceName: string
  typeId: number
  /** Set for a type that an organization created. */
  codec?: CodecForm | undefined
  token: string
}

/**
 * The configuration form of a device. It has three sections, and a radio button chooses the section
 * that is sent. Each field contains its default value, so an unchanged form is accepted.
 */
export function configurationForm(subject: FormSubject): Html {
  const { deviceEui, deviceName, token } = subject
  const sections = formSections(subject.typeId, subject.codec)
  const chosen = sections.find(({ note }) => note === undefined)
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

function sectionChoice({ name, label, note }: FormSection, isChosen: boolean): Html {
  return html`<label><input type="radio" name="config_field[config_type]" value="${name}"${isChosen && html` checked`}${note !== undefined && html` disabled`}> ${label}</label>
`
}

function sectionFields({ name, label, section, codecFields, note }: FormSection): Html {
  const rows = section?.fields.map((field) => fieldRow(field, section)) ?? codecFields.map(codecRow)
  return html`<fieldset data-section="${name}">
<legend>${label}</legend>
${rows}${
  note !== undefined &&
  html`<p>${note}</p>
`
}</fieldset>
`
}

function codecRow({ name, label, help, type, minimum, maximum }: CodecField): Html {
  const id = `configuration-sensor-${name}`
  const place = html`id="${id}" name="config_field[${name}]" aria-describedby="${id}-help"`
  const control =
    type === 'json'
      ? html`<textarea ${place} rows="6" spellcheck="false">{}</textarea>`
      : html`<input type="number" ${place} value="" min="${minimum ?? ''}" max="${maximum ?? ''}" step="1">`
  return html`<div class="field">
<label for="${id}">${label}</label>
${control}
<small id="${id}-help">${help}</small>
</div>
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

/** For scripts: the field that this field depends on, and the values that it must have. */
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

/**
 * The hidden token of the configuration form. It is valid for one hour, for one device and for the
 * session that loaded the form. The token is a sealed expiry time. The seal also authenticates the
 * session and the device, so the server stores nothing (OWASP ASVS 5.0.0, 3.5.1).
 */
const lifetimeMilliseconds = 3600 * 1000

interface FormOf {
  session: Session
  deviceId: number
  now: Date
}

function issueFormToken(sealer: Sealer, form: FormOf): string {
  const expiresAt = form.now.getTime() + lifetimeMilliseconds
  return sealer.seal(String(expiresAt), contextOf(form)).toString('base64url')
}

export function isFormToken(sealer: Sealer, token: string, form: FormOf): boolean {
  try {
    const expiresAt = Number(sealer.open(Buffer.from(token, 'base64url'), contextOf(form)))
    return form.now.getTime() < expiresAt
  } catch (error) {
    if (error instanceof SealError) return false
    throw error
  }
}

function contextOf({ session, deviceId }: FormOf): string {
  return `configuration form:${session.sessionId}:${deviceId}`
}

export const showConfigurationForm = endpoint({
  summary: 'The configuration form of a device as an HTML fragment',
  params: devicePath,
  produces: {
    type: 'text/html; charset=utf-8',
    example:
      '<form class="device-configuration" method="post" aria-label="Configuration of Front door"> … </form>\n',
  },
  failures: [404],
  async handle({ params, caller }, services) {
    const { db, sealer, now } = services
    const reference = readReference(params.device_id)
    const device = await deviceQueries.find(db, caller.organizationId, reference)
    if (!device) throw notFound('device not found')
    const token = issueFormToken(sealer, { session: caller, deviceId: device.id, now: now() })
    const form = configurationForm({
      deviceEui: device.device_eui,
      deviceName: device.name,
      typeId: device.type_id,
      codec: await findCodecForm(services, caller.organizationId, device.type_id),
      token,
    })
    return markupOf(form)
  },
})
