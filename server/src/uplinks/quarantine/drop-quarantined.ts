import { z } from 'zod'
import { accountQuery, methodOf } from '../../features/accounts/network-accounts/account-record.ts'
import { endpoint } from '../../features/core-services.ts'
import { changeBy, dataOf, textOf } from '../../http/change-record.ts'
import { notFound } from '../../http/errors.ts'
import { removeEui } from '../store/quarantine-queries.ts'
import { euiParams, findAccountId, nothingQuarantined } from './quarantine-record.ts'

/** Messages that come later are quarantined again, as long as the device is not registered. */
export const dropQuarantined = endpoint({
  summary: 'Remove the quarantined messages of an EUI',
  params: euiParams,
  query: accountQuery,
  answer: z.object({ data: z.object({ dropped: z.int().meta({ examples: [12] }) }) }),
  failures: [404],
  change: changeBy((done) => ({
    kind: 'quarantine',
    action: 'dropped',
    subject: textOf(done.params.eui) ?? '--',
    count: Number(dataOf(done).dropped ?? 0),
  })),
  async handle({ params, query, caller: { organizationId }, record }, { db }) {
    const { network, eui } = params
    const id = await findAccountId(db, organizationId, network, methodOf(query))
    let dropped = 0
    let removed = 0
    do {
      removed = await db.transaction(async (tx) => {
        const count = await removeEui(tx, organizationId, id, eui)
        if (count > 0) await record(tx, { data: { dropped: count } })
        return count
      })
      dropped += removed
    } while (removed > 0)
    if (dropped === 0) throw notFound(nothingQuarantined)
    return { data: { dropped } }
  },
})
