import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { endpoint } from '../services.ts'
import { accountParams, accountQuery, noAccount, readNetwork } from './account-parameters.ts'
import * as accountQueries from './account-queries.ts'
import { accountRecord, toAccountRecord } from './account-record.ts'
import { enterCallback } from './callback-entry.ts'
import { hashOfSecret, newCallbackSecret } from './callback-secret.ts'
import { callbackContext } from './connections.ts'

const overlapMilliseconds = 24 * 60 * 60 * 1000

export const rotateCallbackSecret = endpoint({
  summary: 'Make another callback secret; the old one stays valid for 24 hours',
  params: accountParams,
  query: accountQuery,
  answer: z.object({ data: accountRecord }),
  failures: [404],
  async handle({ params, query, caller }, services) {
    const { db, sealer, now } = services
    const { key } = readNetwork(params.network)
    const find = () => accountQueries.find(db, caller.organizationId, key, query.register_method)
    const account = await find()
    if (!account) throw notFound(noAccount)
    const secret = newCallbackSecret()
    await accountQueries.setCallbackSecret(db, account.id, {
      sealed: sealer.seal(secret, callbackContext(account.id)),
      hash: hashOfSecret(secret),
      previousUntil: new Date(now().getTime() + overlapMilliseconds),
    })
    const changed = await find()
    if (!changed) throw notFound(noAccount)
    await enterCallback(services, changed)
    return { data: toAccountRecord(changed, services) }
  },
})
