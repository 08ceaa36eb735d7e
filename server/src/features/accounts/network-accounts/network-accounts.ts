import { z } from 'zod'
import { sealContext } from '../../../db/secret-keys.ts'
import { changeAt } from '../../../http/change-record.ts'
import { conflict, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { optionalBoolean } from '../../../http/fields.ts'
import { networks } from '../../../networks/index.ts'
import { endpoint } from '../../core-services.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { hashOfSecret, newCallbackSecret } from '../connections/callback-secret.ts'
import type { ConnectionServices } from '../connections/connections.ts'
import {
  accountParams,
  accountQuery,
  accountRecord,
  listedAccount,
  methodOf,
  noAccount,
  readNetwork,
  toAccountRecord,
  toListedAccounts,
} from './account-record.ts'
import { removeAccount } from './account-values.ts'
import { enterCallback } from './callback-entry.ts'
import { withdrawNow } from './callback-withdrawal.ts'

const overlapMilliseconds = 24 * 60 * 60 * 1000

const tooMany =
  'Too many former secrets are still valid. Please send end_former to end them, or wait.'

export const rotateCallbackSecret = endpoint({
  summary: 'Make another callback secret; the old one stays valid for 24 hours',
  description:
    'Every former secret is valid for 24 hours from the moment at which it was replaced, however often that happens; 409 when there are 10 of them. With `end_former` all of them end at once: what the network still sends with one of them is refused with 401.',
  params: accountParams,
  query: accountQuery,
  body: z.object(
    withExamples({ end_former: optionalBoolean('end former') }, { end_former: false }),
  ),
  answer: z.object({ data: accountRecord }),
  failures: [404, 409],
  change: changeAt('account', 'given a new secret', 'network'),
  async handle({ params, query, body, caller, record }, services: ConnectionServices) {
    const { db, sealer } = services
    const { key } = readNetwork(params.network)
    const find = () => accountQueries.find(db, caller.organizationId, key, methodOf(query))
    const account = await find()
    if (!account) throw notFound(noAccount)
    const secret = newCallbackSecret()
    const sealed = sealer.seal(secret, sealContext('callbackSecret', account.id))
    const hash = hashOfSecret(secret)
    const now = services.now()
    const rotation = {
      now,
      until: new Date(now.getTime() + overlapMilliseconds),
      endsFormer: body.end_former ?? false,
    }
    const isRotated = await db.transaction(async (tx) => {
      const fresh = { sealed, hash }
      const isDone = await accountQueries.rotateCallbackSecret(tx, account.id, fresh, rotation)
      if (isDone) await record(tx)
      return isDone
    })
    const changed = await find()
    if (!changed) throw notFound(noAccount)
    if (!isRotated) throw conflict(tooMany)
    await enterCallback(services, changed)
    return { data: toAccountRecord(changed, services, caller) }
  },
})

export const listNetworkAccounts = endpoint({
  summary: 'Every network, the account at it, and the fields that connecting it takes',
  answer: z.object({ data: z.array(listedAccount) }),
  async handle({ caller }, services) {
    const accounts = await accountQueries.list(services.db, caller.organizationId)
    return {
      data: networks.flatMap((network) =>
        toListedAccounts(
          network,
          accounts.filter((account) => account.network === network.key),
          services,
          caller,
        ),
      ),
    }
  },
})

export const showNetworkAccount = endpoint({
  summary: 'The account at a network, and what to enter there so that its events arrive',
  params: accountParams,
  query: accountQuery,
  answer: z.object({ data: accountRecord }),
  failures: [404],
  async handle({ params, query, caller }, services) {
    const account = await accountQueries.find(
      services.db,
      caller.organizationId,
      readNetwork(params.network).key,
      methodOf(query),
    )
    if (!account) throw notFound(noAccount)
    return { data: toAccountRecord(account, services, caller) }
  },
})

/** Devices stay here and at the network; callbacks with the former secret are refused at once. */
export const deleteNetworkAccount = endpoint({
  summary: 'Disconnect the account at a network',
  params: accountParams,
  query: accountQuery,
  status: 204,
  failures: [404],
  change: changeAt('account', 'disconnected', 'network'),
  async handle({ params, query, caller, record }, services) {
    const { key } = readNetwork(params.network)
    const registerMethod = methodOf(query)
    const { organizationId } = caller
    const stored = await accountQueries.find(services.db, organizationId, key, registerMethod)
    const target = { organizationId, network: key, registerMethod, record }
    if (!stored || !(await removeAccount(services, target))) throw notFound(noAccount)
    await withdrawNow(services, stored.id)
  },
})
