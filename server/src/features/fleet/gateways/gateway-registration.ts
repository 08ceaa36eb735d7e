import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { type FieldErrors, invalid } from '../../../http/errors.ts'
import { fieldErrors as toFieldErrors } from '../../../http/fields.ts'
import { normalizeEui } from '../../../lora/eui.ts'
import type { GatewayFieldName } from '../../../networks/forms.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { Network } from '../../../networks/network.ts'
import { accountNameField } from '../../accounts/connections/account-name.ts'
import { checkPlace, type Place, placeFields, toPlace } from '../inventory/places.ts'
import { type Tags, tagsField } from '../inventory/tags.ts'
import { accountNames, type RequiredBeside, readGatewayFields } from './gateway-fields.ts'
import { findTakenGateways } from './gateway-write-queries.ts'

/** A registration that passed every check. */
export interface GatewayRegistration {
  network: Network
  values: Partial<Record<GatewayFieldName, string>>
  /** Of an account of the organization; undefined for the first one. */
  accountName?: string | undefined
  tags?: Tags | undefined
  place?: Place | undefined
}

/**
 * Checks the fields of POST /gateways against the network's form; throws the 422 with all faults.
 */
export async function checkGateway(
  db: Queryable,
  organizationId: number,
  body: Record<string, unknown>,
): Promise<GatewayRegistration> {
  const { network, errors, ...registration } = readRegistration(body)
  const { gatewayEui } = registration.values
  if (network && gatewayEui !== undefined) {
    const eui = normalizeEui(gatewayEui)
    const taken = await findTakenGateways(db, organizationId, network.key, [eui])
    if (taken.size > 0) Object.assign(errors, euiTaken)
  }
  if (!network || Object.keys(errors).length > 0) throw invalid(errors)
  return { network, ...registration }
}

export const euiTakenMessage = 'The gateway EUI has already been taken.'
export const euiTaken: FieldErrors = { gateway_eui: [euiTakenMessage] }

/** Reads a registration by the network's form; makes all checks that need no database. */
export function readRegistration(
  body: Record<string, unknown>,
  beside: RequiredBeside = {},
): Partial<Pick<GatewayRegistration, 'network'>> &
  Pick<GatewayRegistration, 'values' | 'accountName' | 'tags' | 'place'> & { errors: FieldErrors } {
  const { network, errors: bridgeErrors } = readBridge(body)
  const { values, errors: fieldErrors } = readGatewayFields(body, network, beside)
  const { accountName, errors: nameErrors } = readAccountName(body)
  const { data, error } = tagsAndPlace.safeParse(body)
  const moreErrors = error ? toFieldErrors(error) : {}
  const errors = { ...fieldErrors, ...nameErrors, ...moreErrors, ...bridgeErrors }
  const more = { tags: data?.tags ?? undefined, place: (data && toPlace(data)) ?? undefined }
  return { ...(network && { network }), values, accountName, ...more, errors }
}

const tagsAndPlace = z.object({ tags: tagsField.nullish(), ...placeFields }).superRefine(checkPlace)

function readAccountName(body: Record<string, unknown>): {
  accountName: string | undefined
  errors: FieldErrors
} {
  const sentAs = accountNames.find((name) => body[name] !== undefined) ?? accountNames[0]
  const { data, error } = accountNameField.nullish().safeParse(body[sentAs])
  const messages = error?.issues.map(({ message }) => message)
  return { accountName: data || undefined, errors: messages ? { [sentAs]: messages } : {} }
}

function readBridge(body: Record<string, unknown>): { network?: Network; errors: FieldErrors } {
  const sentAs = 'gatewayBridge' in body ? 'gatewayBridge' : 'gateway_bridge'
  const key = body[sentAs]
  if (key === undefined || key === null || key === '') {
    return { errors: { [sentAs]: ['The gateway bridge field is required.'] } }
  }
  const network = typeof key === 'string' ? findNetwork(key) : undefined
  if (network?.forms.gateway) return { network, errors: {} }
  return { errors: { [sentAs]: ['The selected gateway bridge is invalid.'] } }
}
