import type { ServiceApi } from '../service-api.ts'
import { findAccount, type KnownAccount, noAccountAt, readAccounts } from './known-accounts.ts'
import { readForeign } from './known-fleet.ts'
import type { Row } from './plan.ts'
import type { GatewayRow, GatewayWorld } from './plan-gateways.ts'
import type { Source } from './source.ts'
import { type DeviceTakeOver, takeOverDevices } from './take-over-devices.ts'
import { takeOverGateways } from './take-over-gateways.ts'

export interface TakeOver extends Omit<DeviceTakeOver, 'accounts' | 'foreign'> {
  /** For gateways, as far as the source does not say so: members of POST /gateways. */
  fields: GatewayWorld['fields']
  /** Whether the account can be asked what its network lists. */
  isConnected: boolean
}

/**
 * Brings the devices and gateways of a source into the service, and says what became of each. A second
 * run does only what is missing, so a run that was stopped is simply repeated. A dry run changes
 * nothing.
 */
export async function takeOver(
  service: ServiceApi,
  source: Source,
  plan: TakeOver,
): Promise<{ devices: Row[]; gateways: GatewayRow[] }> {
  const accounts = await readNeededAccounts(service, source, plan)
  const isListed = plan.way === 'adopt' && plan.isConnected
  const foreign = isListed ? await readForeign(service, plan.place) : undefined
  const known = { ...plan, accounts }
  const devices = await takeOverDevices(service, source, { ...known, foreign: foreign?.device })
  const gateways = await takeOverGateways(service, source.gateways, { ...known, foreign })
  return { devices, gateways }
}

/**
 * The organization's accounts, if a place names one or gateways are registered.
 * @throws Error where the account at which all stay is missing
 */
async function readNeededAccounts(
  service: ServiceApi,
  { devices, gateways }: Source,
  { way, place, isConnected }: TakeOver,
): Promise<KnownAccount[]> {
  const places = [{ place }, ...devices, ...gateways].map((each) => each.place)
  const isNamed = places.some(({ accountName }) => accountName !== undefined)
  if (!isNamed && (gateways.length === 0 || way !== 'register')) return []
  const accounts = await readAccounts(service)
  const isAsked = way === 'adopt' && isConnected
  if (!isAsked || place.accountName === undefined || findAccount(accounts, place)) return accounts
  throw new Error(`${noAccountAt(place)}: connect it first, by --connect or in the console.`)
}
