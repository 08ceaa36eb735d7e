import type { Database } from '../../db/connect.ts'
import type { Sealer } from '../../db/seal.ts'
import { sealContext } from '../../db/secret-keys.ts'
import { callbackUrlOf } from '../../features/accounts/connections/callback-secret.ts'
import { createOutside, isLocal } from '../../networks/outside.ts'
import { callbackHeaderOf } from '../../uplinks/receive/senders.ts'
import { callOnce, outsideOf } from './call.ts'
import { judgeDate } from './check-address.ts'
import { type DoctorAccount, listAccounts } from './doctor-queries.ts'
import {
  type DoctorSettings,
  type Finding,
  ok,
  problem,
  reasonOf,
  skipped,
  warning,
} from './finding.ts'

const mostAccounts = 50
const mostServers = 10
const atOnce = 5
/** It is no JSON, so it is refused before it is read: with the right secret by 400, otherwise by 401. */
const probe = 'lora-console doctor'

interface Means {
  db: Database
  settings: DoctorSettings
  sealer: Sealer | undefined
  isRunning: boolean
}

/** Each account: whether its network answers, and whether its callback is reached at PUBLIC_URL. */
export async function checkNetworks(means: Means): Promise<Finding[]> {
  const accounts = await listAccounts(means.db, mostAccounts)
  if (accounts.length === 0) return [skipped('network.accounts', 'No network is connected yet.')]
  const callbacks = await inTurns(accounts, (account) => checkCallback(means, account))
  const servers = await checkServers(means.settings, accounts)
  return [...accounts.map(checkState), ...callbacks, ...servers]
}

function nameOf({ network, register_method, organization_id }: DoctorAccount): string {
  return `${network} (${register_method} of organization ${organization_id})`
}

function checkState(account: DoctorAccount): Finding {
  const check = `network.${account.network}`
  const name = nameOf(account)
  const { status, status_message, callback_message, broker_message } = account
  if (status !== 'connected') {
    return problem(
      check,
      `${name} is ${status}: ${reasonOf(status_message)}.`,
      status === 'refused'
        ? 'Correct its key or ids on the page of the network in the console.'
        : 'See that the server of the network runs, and that this machine may call it (OUTBOUND_ALLOW).',
    )
  }
  const fault = callback_message || broker_message
  if (fault) {
    const advice = 'Follow what it says, then save the account again on the page of the network.'
    return warning(check, `${name} is connected, but: ${reasonOf(fault)}.`, advice)
  }
  const heard = account.heard_at
    ? `last heard ${account.heard_at.slice(0, 16)} UTC`
    : 'not heard yet'
  return ok(check, `${name} is connected, ${heard}.`)
}

/** Sends what a network would, with the secret, and nothing that could be stored. */
async function checkCallback(
  { settings, sealer, isRunning }: Means,
  account: DoctorAccount,
): Promise<Finding> {
  const check = `callback.${account.network}`
  if (!isRunning || !sealer) return skipped(check, 'It takes a running service and its key.')
  const { publicUrl, outbound } = settings
  const local = findUnreachable(publicUrl, account)
  if (local) return local
  const context = sealContext('callbackSecret', account.id)
  try {
    const secret = sealer.open(account.sealed_callback_secret, context)
    const headers = {
      'content-type': 'application/json',
      [callbackHeaderOf(account.network, account.uuid)]: secret,
    }
    const call = { method: 'POST', headers, body: probe } as const
    const { status } = await callOnce(callbackUrlOf(publicUrl, account), outsideOf(outbound), call)
    return judgeCallback(account, status)
  } catch (error) {
    return problem(
      check,
      `The callback of ${nameOf(account)} is not reached: ${reasonOf(error)}.`,
      'See "address.reach", and that the proxy passes on POST below /v1/callbacks/.',
    )
  }
}

function judgeCallback(account: DoctorAccount, status: number): Finding {
  const check = `callback.${account.network}`
  const name = nameOf(account)
  if (status === 400) return ok(check, `The callback of ${name} takes messages with its secret.`)
  if (status === 401) {
    return problem(
      check,
      `The callback of ${name} is reached, and its secret is not: the header ${callbackHeaderOf(account.network, account.uuid)} is lost on the way.`,
      'Let the proxy pass this header on.',
    )
  }
  return problem(
    check,
    `${status} answers at the callback of ${name}, and not the service.`,
    'Let the proxy pass POST below /v1/callbacks/ on, without a login, and with bodies of at least 1 MB.',
  )
}

/** A network elsewhere cannot call a local address. */
function findUnreachable(publicUrl: string, account: DoctorAccount): Finding | undefined {
  const server = serverOf(account)
  if (!server || !isLocal(new URL(publicUrl)) || isLocal(server)) return undefined
  // Messages come by MQTT: there the service makes the connection.
  if (account.account_fields.mqtt_url) return undefined
  return problem(
    `callback.${account.network}`,
    `${nameOf(account)} is at ${server.host}, which cannot call PUBLIC_URL ${publicUrl}.`,
    'Give the service a public name (docs/production.md), or use MQTT where the network has it.',
  )
}

function serverOf({ account_fields: fields }: DoctorAccount): URL | undefined {
  const server = fields.server ?? ''
  const url = URL.parse(server.includes('://') ? server : `https://${server}`)
  return server !== '' && url && ['http:', 'https:'].includes(url.protocol) ? url : undefined
}

/** Calls the servers that accounts name, within what accounts may call, and compares clocks. */
async function checkServers(
  { outbound }: DoctorSettings,
  accounts: readonly DoctorAccount[],
): Promise<Finding[]> {
  const outside = createOutside(outbound)
  const origins = new Set(accounts.flatMap((account) => serverOf(account)?.origin ?? []))
  return inTurns([...origins].slice(0, mostServers), async (origin) => {
    const { host } = new URL(origin)
    try {
      return judgeDate('clock.network', await callOnce(origin, outside, { method: 'HEAD' }), host)
    } catch (error) {
      return warning(
        'clock.network',
        `${host} does not answer by HTTP: ${reasonOf(error)}.`,
        'See that the server runs, and that this machine may call it.',
      )
    }
  })
}

/** A few at a time, in their order. */
async function inTurns<One, Result>(
  all: readonly One[],
  work: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < all.length; at += atOnce) {
    results.push(...(await Promise.all(all.slice(at, at + atOnce).map(work))))
  }
  return results
}
