import type { Queryable } from '../../db/connect.ts'
import type { Sealer } from '../../db/seal.ts'
import type { Caller } from '../../http/endpoint.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { GatewayFieldName } from '../../networks/forms.ts'
import { allotIds } from '../batches/id-queries.ts'
import type { RegisterMethod } from '../connections/account-queries.ts'
import { hashOfSecret, newCallbackSecret } from '../connections/callback-access.ts'
import { noteHindrances } from '../provisioning/hindrances.ts'
import { type Call, enqueueAll } from '../provisioning/outbox-batch-queries.ts'
import { requestNames } from './gateway-fields.ts'
import type { GatewayRegistration } from './gateway-registration.ts'
import { tokenContext } from './gateway-token.ts'
import * as registrationQueries from './gateway-write-queries.ts'

/**
 * Takes gateways into the database and the outbox and returns their ids, in the same order;
 * undefined when another request took one of the EUIs, and the transaction must end. Those of kind
 * `other` are active at once, with a token of their own. The number of statements is the same for
 * one gateway and for a thousand.
 */
export async function insertGateways(
  tx: Queryable,
  sealer: Sealer,
  { organizationId, userId }: Pick<Caller, 'organizationId' | 'userId'>,
  { registrations, now }: { registrations: readonly GatewayRegistration[]; now: Date },
): Promise<number[] | undefined> {
  const networks = [...new Set(registrations.map(({ network }) => network.key))]
  const methods = await registrationQueries.findRegisterMethods(tx, organizationId, networks)
  const ids = await allotIds(tx, 'gateways', registrations.length)
  const gateways = registrations.map((registration, index) =>
    toNewGateway(registration, ids[index] ?? 0, { methods, sealer }),
  )
  const origin = { userId, now }
  const inserted = await registrationQueries.insertAll(tx, organizationId, gateways, origin)
  if (inserted < gateways.length) return undefined
  const calls = gateways.flatMap(toCall)
  await enqueueAll(tx, organizationId, calls, now)
  await noteHindrances(tx, organizationId, calls)
  return ids
}

function toNewGateway(
  { network, values }: GatewayRegistration,
  id: number,
  { methods, sealer }: { methods: ReadonlyMap<string, RegisterMethod[]>; sealer: Sealer },
): registrationQueries.NewGateway {
  const isOther = network.key === 'other'
  return {
    id,
    gatewayEui: values.gatewayEui ?? '',
    name: values.gatewayName ?? '',
    network: network.key,
    registerMethod: chooseMethod(methods.get(network.key) ?? []),
    ip: values.gatewayIp ?? null,
    region: values.region ?? null,
    description: values.description ?? null,
    settings: settingsOf(values),
    registerStatus: isOther ? 'active' : 'pending',
    token: isOther ? makeToken(sealer, id) : undefined,
  }
}

/**
 * A gateway goes through an account of the organization itself, never through the operator's: there
 * one organization could adopt, rename and remove what is another's. The operator's organization
 * may have no account but that one.
 */
function chooseMethod(methods: readonly RegisterMethod[]): RegisterMethod {
  const isOperatorsOnly = methods.includes('vendor') && !methods.includes('user_account')
  return isOperatorsOnly ? 'vendor' : 'user_account'
}

function makeToken(sealer: Sealer, gatewayId: number): { sealed: Buffer; hash: Buffer } {
  const token = newCallbackSecret()
  return { sealed: sealer.seal(token, tokenContext(gatewayId)), hash: hashOfSecret(token) }
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

function toCall(gateway: registrationQueries.NewGateway): Call[] {
  if (gateway.network === 'other') return []
  return [
    {
      kind: 'gateway',
      id: gateway.id,
      eui: normalizeEui(gateway.gatewayEui),
      network: gateway.network,
      register_method: gateway.registerMethod,
      action: 'add',
    },
  ]
}
