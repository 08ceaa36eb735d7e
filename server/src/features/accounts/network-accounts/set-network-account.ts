import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { changeAt } from '../../../http/change-record.ts'
import { forbidden, invalid, notFound } from '../../../http/errors.ts'
import { networks, optionalNetworks } from '../../../networks/index.ts'
import { awaitBroker } from '../../../uplinks/brokers/broker-health.ts'
import { endpoint } from '../../core-services.ts'
import type { DownlinkServices } from '../../downlinks/downlink-services.ts'
import { operatorOrganization } from '../connections/account-name.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { openValues } from '../connections/connections.ts'
import { makeWorkDue } from '../connections/lane-queries.ts'
import {
  accountBodyFields,
  accountParams,
  accountRecord,
  methodOf,
  noAccount,
  readNetwork,
  toAccountRecord,
} from './account-record.ts'
import { checkAtNetwork, requireValues, saveAccount } from './account-values.ts'
import { enterCallback } from './callback-entry.ts'
import { withdrawNow } from './callback-withdrawal.ts'

/** The fields of all networks; each network takes its own. */
export const accountBody = z.object({
  ...Object.fromEntries(
    [...networks, ...optionalNetworks]
      .flatMap(({ accountFields }) => accountFields)
      .map(({ name }) => [name, z.unknown().optional().meta({ type: 'string' })]),
  ),
  ...accountBodyFields,
})

/**
 * Connects or changes the account at a network. An account is kept when its network is out of reach;
 * `status` says so. A secret that is left out stays.
 */
export const setNetworkAccount = endpoint({
  summary: 'Connect or change the account at a network',
  params: accountParams,
  body: accountBody,
  examples: [
    {
      name: 'ChirpStack',
      body: {
        register_method: 'user_account',
        server: 'https://chirpstack.example.com',
        api_key: 'example.api.key',
        tenant_id: '00000000-0000-4000-a000-000000000001',
        application_id: '00000000-0000-4000-a000-000000000002',
        device_profile_id: '00000000-0000-4000-a000-000000000003',
      },
    },
  ],
  answer: z.object({ data: accountRecord }),
  failures: [404],
  change: changeAt('account', 'saved', 'network'),
  async handle({ params, body, caller, record }, services: DownlinkServices) {
    const { db, sealer, now, provisioner, downlinkSender } = services
    const { organizationId } = caller
    const network = readNetwork(params.network)
    const { key } = network
    const registerMethod = methodOf(body)
    refuseVendor(registerMethod, organizationId)
    const known = await accountQueries.find(db, organizationId, key, registerMethod)
    if (!known) await refuseTooMany(db, organizationId, key)
    const values = requireValues(network, body, known ? openValues(known, sealer) : {})
    const target = { organizationId, network: key, registerMethod, record }
    const accountId = await saveAccount(services, target, network, values)
    // When the former place is out of reach, the background retries.
    if (known?.status === 'connected') await withdrawNow(services, accountId)
    if (await checkAtNetwork(services, accountId)) await enterAtNetwork(services, accountId)
    await makeWorkDue(db, accountId, now())
    provisioner.wake()
    downlinkSender.wake()
    if (network.readBroker) await awaitBroker(services, accountId)
    const account = await accountQueries.find(db, organizationId, key, registerMethod)
    // The account was removed during the call to the network.
    if (!account) throw notFound(noAccount)
    return { data: toAccountRecord(account, services, caller) }
  },
})

/** The most accounts of an organization at one network, so that each keeps its share of the work. */
export const mostAccounts = 20

/** Requests that are made at the same time may exceed the limit by their number. */
async function refuseTooMany(db: Queryable, organizationId: number, key: string): Promise<void> {
  const accounts = await accountQueries.list(db, organizationId)
  if (accounts.filter(({ network }) => network === key).length < mostAccounts) return
  const message = `The organization has ${mostAccounts} accounts at this network already.`
  throw invalid({ account_name: [message] })
}

/** Throws the 403 for an account that only the operator may have. */
export function refuseVendor(
  registerMethod: accountQueries.RegisterMethod,
  organizationId: number,
): void {
  if (registerMethod !== 'vendor' || organizationId === operatorOrganization) return
  throw forbidden("Only the operator's organization can connect a vendor account.")
}

async function enterAtNetwork(services: DownlinkServices, accountId: number): Promise<void> {
  const account = await accountQueries.findById(services.db, accountId)
  if (account) await enterCallback(services, account)
}
