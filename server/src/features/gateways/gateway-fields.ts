import { isIP } from 'node:net'
import { z } from 'zod'
import type { FieldErrors } from '../../http/errors.ts'
import { hexadecimal, optionalText, requiredText } from '../../http/fields.ts'
import {
  commonGatewayFields,
  type GatewayField,
  type GatewayFieldName,
  type GatewayForm,
  gatewayFields,
} from '../../networks/forms.ts'

/**
 * The fields of a gateway as requests name them. The first name is that of POST /gateways, the
 * others are those of the registration form and of POST /batch-gateway-requests.
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
  ismBand: ['ism_band', 'ismBand'],
  serialNumber: ['serial_number', 'serialNumber'],
}

const longestDescription = 1000

/** An IPv4 or IPv6 address; null and `''` for none. */
export const ipAddress = optionalText('gateway ip')
  .refine(
    (text) => !text || isIP(text) !== 0,
    'The gateway ip must be an IP address such as 192.168.2.1.',
  )
  .transform((text) => (text === '' ? null : text))

/**
 * Reads the fields that the network's form has; all others are ignored. Without a form those that
 * every network asks for, so that a mistake in the network's key hides no other.
 */
export function readGatewayFields(
  body: Record<string, unknown>,
  form: GatewayForm | undefined,
): { values: Partial<Record<GatewayFieldName, string>>; errors: FieldErrors } {
  const values: Partial<Record<GatewayFieldName, string>> = {}
  const errors: FieldErrors = {}
  for (const name of gatewayFields) {
    const field = (form?.fields ?? (commonGatewayFields as GatewayForm['fields']))[name]
    if (!field) continue
    const sentAs = requestNames[name].find((key) => !isAbsent(body[key]))
    const value = sentAs === undefined ? undefined : body[sentAs]
    if (value === undefined && field.validation === 'optional') continue
    const result = schemaOf(name, field).safeParse(value)
    if (result.success) values[name] = result.data
    else errors[sentAs ?? requestNames[name][0]] = result.error.issues.map(({ message }) => message)
  }
  return { values, errors }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function schemaOf(name: GatewayFieldName, { values }: GatewayField): z.ZodType<string> {
  const label = labelOf(name)
  if (name === 'gatewayEui') return hexadecimal(label, 16)
  if (name === 'gatewayIp') return ipAddress.pipe(z.string())
  if (name === 'description') return requiredText(label, longestDescription)
  if (!values) return requiredText(label)
  return requiredText(label).refine(
    (text) => Object.hasOwn(values, text),
    `The selected ${label} is invalid.`,
  )
}

/** As a person calls the field: `gateway EUI`, `zone id`. */
function labelOf(name: GatewayFieldName): string {
  return requestNames[name][0].replaceAll('_', ' ').replace(/\beui\b/, 'EUI')
}
