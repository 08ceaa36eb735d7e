import type { Database, Queryable } from '../../db/connect.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import type { Sealer } from '../../db/seal.ts'
import type { Caller } from '../../http/endpoint.ts'
import { type FieldErrors, invalid } from '../../http/errors.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { GatewayFieldName } from '../../networks/forms.ts'
import { findNetwork } from '../../networks/index.ts'
import type { Network } from '../../networks/network.ts'
import * as accountQueries from '../network-accounts/account-queries.ts'
import { hashOfSecret, newCallbackSecret } from '../network-accounts/callback-secret.ts'
import * as outbox from '../provisioning/outbox-queries.ts'
import { readGatewayFields, requestNames } from './gateway-fields.ts'
import * as gatewayQueries from './gateway-queries.ts'
import { tokenContext } from './gateway-token.ts'

/** A registration that passed every check. */
export interface GatewayRegistration {
  network: Network
  values: Partial<Record<GatewayFieldName, string>>
}

/**
 * Checks the fields of POST /gateways, or of one item of a batch, against the network's form;
 * throws the 422 that names all that is wrong.
 */
export async function checkGateway(
  db: Queryable,
  organizationId: number,
  body: Record<string, unknown>,
): Promise<GatewayRegistration> {
  const { network, errors: bridgeErrors } = readBridge(body)
  const { values, errors: fieldErrors } = readGatewayFields(body, network?.forms.gateway)
  const errors = { ...fieldErrors, ...bridgeErrors }
  if (network && values.gatewayEui !== undefined) {
    const eui = normalizeEui(values.gatewayEui)
    if (await gatewayQueries.isEuiTaken(db, organizationId, network.key, eui)) {
      Object.assign(errors, euiTaken)
    }
  }
  if (!network || Object.keys(errors).length > 0) throw invalid(errors)
  return { network, values }
}

const euiTaken: FieldErrors = { gateway_eui: ['The gateway EUI has already been taken.'] }

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

/**
 * Takes the gateway into the database and the outbox, all or nothing, and returns its id. One of
 * kind `other` is active at once, with a token of its own. Throws the 422 when another
 * registration took the EUI first.
 */
export async function registerGateway(
  { db, sealer }: { db: Database; sealer: Sealer },
  { organizationId, userId }: Caller,
  { network, values }: GatewayRegistration,
  now: Date,
): Promise<number> {
  const isOther = network.key === 'other'
  const gatewayEui = values.gatewayEui ?? ''
  try {
    return await db.transaction(async (tx) => {
      const registerMethod = await chooseAccount(tx, organizationId, network.key)
      const id = await gatewayQueries.insert(tx, organizationId, {
        gatewayEui,
        name: values.gatewayName ?? '',
        network: network.key,
        registerMethod,
        ip: values.gatewayIp ?? null,
        region: values.region ?? null,
        description: values.description ?? null,
        settings: settingsOf(values),
        registerStatus: isOther ? 'active' : 'pending',
        userId,
        createdAt: now,
      })
      if (isOther) {
        const token = newCallbackSecret()
        const sealed = sealer.seal(token, tokenContext(id))
        const hash = hashOfSecret(token)
        await gatewayQueries.setToken(tx, organizationId, id, { sealed, hash })
      } else {
        const target = {
          kind: 'gateway' as const,
          id,
          eui: normalizeEui(gatewayEui),
          network: network.key,
          register_method: registerMethod,
        }
        await outbox.enqueue(tx, organizationId, target, 'add', now)
      }
      return id
    })
  } catch (error) {
    if (isUniqueViolation(error, 'gateways_eui')) throw invalid(euiTaken)
    throw error
  }
}

/**
 * A gateway goes through an account of the organization itself, never through the operator's: there
 * one organization could adopt, rename and remove what is another's. The operator's organization
 * may have no account but that one.
 */
async function chooseAccount(
  tx: Queryable,
  organizationId: number,
  network: string,
): Promise<accountQueries.RegisterMethod> {
  if (await accountQueries.find(tx, organizationId, network, 'user_account')) return 'user_account'
  const isOperator = await accountQueries.find(tx, organizationId, network, 'vendor')
  return isOperator ? 'vendor' : 'user_account'
}

/** Fields with a column of their own. */
const ownColumns: readonly string[] = [
  'gatewayName',
  'gatewayEui',
  'gatewayIp',
  'region',
  'description',
]

function settingsOf(values: GatewayRegistration['values']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => !ownColumns.includes(name))
      .map(([name, value]) => [requestNames[name as GatewayFieldName][0], value]),
  )
}
