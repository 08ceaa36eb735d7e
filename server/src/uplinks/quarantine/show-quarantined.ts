import { z } from 'zod'
import { accountQuery, methodOf } from '../../features/accounts/network-accounts/account-record.ts'
import { endpoint } from '../../features/core-services.ts'
import { notFound } from '../../http/errors.ts'
import { listMessages } from './quarantine-list-queries.ts'
import {
  euiParams,
  findAccountId,
  nothingQuarantined,
  quarantinedMessage,
  toQuarantinedMessage,
} from './quarantine-record.ts'

/** Each has up to 8 kB. */
const mostListed = 50

export const showQuarantined = endpoint({
  summary: `The newest ${mostListed} quarantined messages of an EUI, as its network sent them`,
  params: euiParams,
  query: accountQuery,
  answer: z.object({ data: z.array(quarantinedMessage) }),
  failures: [404],
  async handle({ params, query, caller: { organizationId } }, { db }) {
    const { network, eui } = params
    const id = await findAccountId(db, organizationId, network, methodOf(query))
    const rows = await listMessages(db, organizationId, id, { eui, limit: mostListed })
    if (rows.length === 0) throw notFound(nothingQuarantined)
    return { data: rows.map(toQuarantinedMessage) }
  },
})
