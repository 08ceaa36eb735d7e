import type { Answer } from '../../api/client.ts'
import { t } from '../../languages/text.ts'

type Configuration = Extract<Answer<'GET /configurations'>, { form: { data: { models: unknown } } }>
type Asked = Configuration['form']['fields']

/** The API document does not say more of them than that they are texts by value, or a list. */
type FormValues = Record<string, string> | string[] | undefined

interface Choice {
  value: string
  label: string
}

/** A field of a network's form, as the page shows it. */
export interface FormField {
  name: string
  label: string
  isRequired: boolean
  choices: readonly Choice[] | undefined
  hint: string | undefined
  isCode: boolean
}

/** What the networks let choose if their forms give no values. */
interface Choices {
  frequency_plans: readonly { id: string; name: string }[]
  zones: Readonly<Record<string, { id: string; region: string }>>
  models: readonly string[]
}

const labels: Readonly<Record<string, string>> = {
  gatewayName: t('Name'),
  gatewayEui: t('Gateway EUI'),
  gatewayIp: t('IP address'),
  description: t('Description'),
  loriotGateway: t('Kind of gateway'),
  concentrator: t('Concentrator'),
  bus: t('Bus'),
  card: t('Card'),
  brand: t('Brand'),
  region: t('Region'),
  fleet: t('Fleet'),
  visibility: t('Visibility'),
  frequencyPlans: t('Frequency plan'),
  zoneId: t('Cluster'),
  model: t('Model'),
  ismBand: t('ISM band'),
  serialNumber: t('Serial number'),
}

const hints: Readonly<Record<string, string>> = {
  gatewayEui: t('16 hexadecimal digits, from the label or the gateway’s own page'),
  gatewayIp: t('For your own notes'),
}

/** The fields that the network uses: those that it needs, and then those that may stay empty. */
export function fieldsOf(asked: Asked, choices: Choices): FormField[] {
  const fields = Object.entries(asked).flatMap(([name, field]): FormField[] => {
    if (field === 'na') return []
    return [
      {
        name,
        label: labels[name] ?? name,
        isRequired: field.validation === 'required',
        choices: choicesOf(name, field.values as FormValues, choices),
        hint: hints[name],
        isCode: name === 'gatewayEui',
      },
    ]
  })
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
  ]
}

/** The choice of an account if the organization has several at the network. */
export function accountFields({ accounts }: Answer<'GET /fleet/networks'>['data'][number]) {
  const names = accounts.flatMap(({ account_name: name }) => name ?? [])
  const choices = names.map((name) => ({ value: name, label: name }))
  const field: FormField = {
    name: 'account_name',
    label: t('Account'),
    isRequired: false,
    choices,
    hint: t('None is the first account.'),
    isCode: false,
  }
  return names.length > 0 ? [field] : []
}

function choicesOf(
  name: string,
  values: FormValues,
  { frequency_plans, zones, models }: Choices,
): Choice[] | undefined {
  if (Array.isArray(values)) return values.map((value) => ({ value, label: value }))
  if (values) return Object.entries(values).map(([value, label]) => ({ value, label }))
  if (name === 'frequencyPlans' && frequency_plans.length > 0) {
    return frequency_plans.map((plan) => ({ value: plan.id, label: plan.name }))
  }
  const zoneChoices = Object.values(zones)
  if (name === 'zoneId' && zoneChoices.length > 0) {
    return zoneChoices.map(({ id, region }) => ({ value: id, label: `${region} (${id})` }))
  }
  if (name === 'model' && models.length > 0) {
    return models.map((value) => ({ value, label: value }))
  }
  return undefined
}

/** The text of a piece of HTML of the API, read without showing it. */
export function textOf(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''
}
