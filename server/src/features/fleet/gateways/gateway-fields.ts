import { isIP } from 'node:net'
import { z } from 'zod'
import type { FieldErrors } from '../../../http/errors.ts'
import { hexadecimal, optionalText, requiredLines, requiredText } from '../../../http/fields.ts'
import { readLater } from '../../../http/unknown-members.ts'
import { findLimitFault } from '../../../networks/capabilities.ts'
import {
  commonGatewayFields,
  type GatewayField,
  type GatewayFieldName,
  type GatewayForm,
  gatewayFields,
  regionValues,
  requiredField,
} from '../../../networks/forms.ts'
import type { Network } from '../../../networks/network.ts'
import { placeFields } from '../inventory/places.ts'
import { tagsField } from '../inventory/tags.ts'

const anyText = z.unknown().optional().meta({ type: 'string' })
const alias = anyText.meta({ isAlias: true })

/**
 * The fields of a gateway as requests name them. POST /gateways uses the first name, the registration
 * form and POST /batch-gateway-requests use the others.
 */
export const requestNames: Readonly<Record<GatewayFieldName, readonly [string, ...string[]]>> = {
  gatewayName: ['gateway_name', 'gatewayName'],
  gatewayIp: ['gateway_ip', 'gatewayIp'],
  description: ['description'],
  gatewayEui: ['gateway_eui', 'gatewayEui'],
  loriotGateway: [
    'loriot_gateway',
    'loriotGateway',
    'network_key_4Gateway',
    '<network_key_4>Gateway',
  ],
  concentrator: ['concentrator'],
  bus: ['bus'],
  card: ['card'],
  brand: ['brand'],
  region: ['region', 'appRegion'],
  fleet: ['fleet'],
  visibility: ['visibility'],
  frequencyPlans: ['frequency_plan', 'frequencyPlan', 'frequencyPlans'],
  zoneId: ['zone_id', 'zoneId'],
  model: ['model'],
  ismBand: ['ism_band', 'ismBand', 'appRegion'],
  serialNumber: ['serial_number', 'serialNumber'],
}

const bridgeNames = ['gateway_bridge', 'gatewayBridge'] as const

/** The names under which requests say through which account a gateway goes. */
export const accountNames = ['account_name', 'accountName'] as const

/**
 * All fields of all forms. The form of the network says which it needs. Each field is known by all
 * of its names; the API document lists the one of `spelling`.
 */
const tagsAndPlace = {
  tags: readLater(tagsField).optional(),
  ...Object.fromEntries(
    Object.entries(placeFields).map(([name, field]) => [name, readLater(field).optional()]),
  ),
}

function registrationFieldsIn(spelling: RegExp) {
  const fields = [bridgeNames, accountNames, ...Object.values(requestNames)]
  const shown = fields.map((names) => names.find((name) => spelling.test(name)) ?? names[0])
  const named = fields.flat().map((name) => [name, shown.includes(name) ? anyText : alias])
  // Read with the others, which depend on the network.
  return z.object({ ...Object.fromEntries(named), ...tagsAndPlace })
}

/** Of POST /gateways: `gateway_name`. */
export const registrationFields = registrationFieldsIn(/^[a-z_]+$/)
/** Of POST /batch-gateway-requests: `gatewayName`. */
export const batchFields = registrationFieldsIn(/^[a-z]+[A-Z][A-Za-z]+$/)

const longestDescription = 1000

const notIpAddress = 'The gateway ip must be an IP address such as 192.168.2.1.'

/** An IPv4 or IPv6 address; null and `''` mean none. */
export const ipAddress = optionalText('gateway ip')
  .refine((text) => !text || isIP(text) !== 0, notIpAddress)
  .transform((text) => (text === '' ? null : text))

/**
 * Fields that are required on every network, with their labels. A batch requires them
 * (docs/contract.txt, 4.27): there, other fields that the form requires are optional, and follow
 * from region and account.
 */
export type RequiredBeside = Partial<Record<'gatewayIp' | 'region', string>>

/**
 * Reads the fields of the network's form and those required besides it; others are ignored. Without
 * a form it reads the fields that all networks share, so that a wrong network hides no other fault.
 */
export function readGatewayFields(
  body: Record<string, unknown>,
  network: Network | undefined,
  beside: RequiredBeside,
): { values: Partial<Record<GatewayFieldName, string>>; errors: FieldErrors } {
  const values: Partial<Record<GatewayFieldName, string>> = {}
  const errors: FieldErrors = {}
  const labels: Partial<Record<GatewayFieldName, string>> = beside
  const fields = fieldsOf(network?.forms.gateway, beside)
  for (const name of gatewayFields) {
    const field = fields[name]
    if (!field) continue
    const sentAs = requestNames[name].find((key) => !isAbsent(body[key]))
    const value = sentAs === undefined ? undefined : body[sentAs]
    if (value === undefined && field.validation === 'optional') continue
    const { data, error } = schemaOf(name, field, labels[name]).safeParse(value)
    const key = sentAs ?? requestNames[name][0]
    const fault = data !== undefined && network && findFieldFault(network, name, data)
    if (error) errors[key] ??= error.issues.map(({ message }) => message)
    else if (fault) errors[key] = [fault]
    else values[name] = data
  }
  return { values, errors }
}

/** Checks a value against the limits of the network. */
function findFieldFault(
  network: Network,
  name: GatewayFieldName,
  value: string,
): string | undefined {
  if (name === 'gatewayName') return findNameFault(network, value)
  if (name !== 'description') return undefined
  return findLimitFault(network, 'gatewayDescription', 'description', value)
}

/** Checks a gateway's name against the limits of its network. */
export function findNameFault(network: Network, name: string): string | undefined {
  return findLimitFault(network, 'gatewayName', 'gateway name', name)
}

function fieldsOf(form: GatewayForm | undefined, beside: RequiredBeside): GatewayForm['fields'] {
  const fields: GatewayForm['fields'] = form?.fields ?? commonGatewayFields
  return {
    ...(Object.keys(beside).length > 0 ? withoutOwnRequirements(fields) : fields),
    ...(beside.gatewayIp !== undefined && { gatewayIp: requiredField }),
    ...(beside.region !== undefined && {
      region: { validation: 'required', values: regionValues },
    }),
  }
}

function withoutOwnRequirements(fields: GatewayForm['fields']): GatewayForm['fields'] {
  const entries = Object.entries(fields).map(([name, field]) => {
    const validation = name in commonGatewayFields ? field.validation : 'optional'
    return [name, { ...field, validation }] as const
  })
  return Object.fromEntries(entries)
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function schemaOf(
  name: GatewayFieldName,
  { values }: GatewayField,
  label = labelOf(name),
): z.ZodType<string> {
  if (name === 'gatewayEui') return hexadecimal(label, 16)
  if (name === 'gatewayIp')
    return requiredText(label).refine((text) => isIP(text) !== 0, notIpAddress)
  if (name === 'description') return requiredLines(label, longestDescription)
  if (!values) return requiredText(label)
  return requiredText(label).refine(
    (text) => Object.hasOwn(values, text),
    `The selected ${label} is invalid.`,
  )
}

/** The label of a field in messages: `gateway EUI`, `zone id`. */
function labelOf(name: GatewayFieldName): string {
  return requestNames[name][0].replaceAll('_', ' ').replace(/\beui\b/, 'EUI')
}
