import { z } from 'zod'
import { pageQuery, queryInteger } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { accountParams, accountQueryFields, methodOf } from '../network-accounts/account-record.ts'
import { findComparable } from './comparable-account.ts'
import {
  reconciliationRecord,
  toReconciliationRecord,
  toReportRow,
} from './reconciliation-record.ts'
import * as reportQueries from './report-queries.ts'

/** As many as POST lists: page 2 continues where its answer ends. */
const rowsPerPage = queryInteger('items per page', { min: 1, max: 1000, fallback: 1000 })

export const showReconciliation = endpoint({
  summary: 'The last comparison of an account with its network, without what was fixed since',
  params: accountParams,
  query: z.object({
    ...accountQueryFields,
    page: pageQuery.page,
    itemsPerPage: rowsPerPage,
  }),
  answer: z.object({ data: reconciliationRecord }),
  failures: [404],
  async handle({ params, query, caller: { organizationId } }, { db }) {
    const { page, itemsPerPage: limit } = query
    const found = await findComparable(db, organizationId, {
      network: params.network,
      registerMethod: methodOf(query),
    })
    const { id } = found.account
    const report = await reportQueries.find(db, organizationId, id)
    const counts = await reportQueries.count(db, organizationId, id)
    const offset = (page - 1) * limit
    const rows = await reportQueries.list(db, organizationId, id, { limit, offset })
    const total = counts.reduce((sum, { count }) => sum + count, 0)
    const listed = {
      rows: rows.map((row) => toReportRow(found.network, row)),
      more: offset + rows.length < total,
    }
    return { data: toReconciliationRecord(found, { report, counts }, listed) }
  },
})
