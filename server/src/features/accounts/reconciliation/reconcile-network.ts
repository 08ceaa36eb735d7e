import { z } from 'zod'
import { changeBy, dataOf, textOf } from '../../../http/change-record.ts'
import { bodyLimits } from '../../../http/endpoint.ts'
import { invalid } from '../../../http/errors.ts'
import type { Network } from '../../../networks/network.ts'
import { endpoint } from '../../core-services.ts'
import { findMissing } from '../../fleet/device-types/device-type-queries.ts'
import { type RegistrationServices, typeUnknown } from '../../fleet/devices/registration.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import { accountBodyFields, accountParams, methodOf } from '../network-accounts/account-record.ts'
import { type ActionContext, carryOutRows, type Report } from './actions.ts'
import { findComparable } from './comparable-account.ts'
import { placeOf } from './difference.ts'
import { compareOrExplain, listSeconds, markIgnored } from './explained-comparison.ts'
import {
  type ReportRow,
  type RowResult,
  reconciliationRecord,
  toReconciliationRecord,
  toReportRow,
} from './reconciliation-record.ts'
import {
  type RequestedRow,
  readRow,
  requestShape,
  type UnreadableRow,
} from './reconciliation-rows.ts'
import * as reportQueries from './report-queries.ts'
import { takeTurn } from './turns.ts'

/** Rows listed in one answer. */
const mostListed = 1000

const requestBody = z.object({ ...accountBodyFields, ...requestShape })
type Body = z.infer<typeof requestBody>

/**
 * Compares the network with what is registered here, then acts on the differences as asked.
 * `adopt_all` imports an existing fleet.
 */
export const reconcileNetwork = endpoint({
  summary: 'Compare an account with its network, and adopt, repair or ignore the differences',
  description: `Without \`rows\` and \`adopt_all\` it only compares, and lists the first ${mostListed} differences in order of EUIs; GET has the further ones.
With them it lists what it did: the rows that were sent, in their order, then the first ${mostListed} of \`adopt_all\`. \`adopt\` records here what is only at the network; \`repair\` tells the network what is only here, or our name or key; \`ignore\` leaves it out of the totals until \`unignore\`.
A device that was adopted without \`device_key\` has none here: \`deviceKey\` is empty in GET /device-groups, and the device can't be told to the network again. A \`repair\` with \`device_key\` gives it, also while both sides agree, and does not replace one.
Where the network tells keys, one that was changed there is \`key_differs\`; neither is shown. \`repair\` sends the network ours; \`adopt\` takes the network's in its place, and gives one to a device that has none. With rows only the keys of these devices, and of known differences, are compared.
\`lorawan_differs\` is a device that the network has for another LoRaWAN version, activation or class: \`adopt\` records it as it is there, and the network is not changed. \`network_key\` of an adopted row is its NwkKey (LoRaWAN 1.1), or its NwkSKey without a join.
\`incomplete\` is a device that the network has in part: \`repair\` registers it again.
What the network does not list to the account is left out, and named in \`left_out\`: the key of an application of The Things Stack sees no gateways, say.
When the network fails while it lists what it has, nothing has changed: 503, or 422 where it refuses the account. 503 as well when it takes more than ${listSeconds} seconds to list it, or when too many comparisons wait already.`,
  params: accountParams,
  bodyLimit: bodyLimits.batch,
  body: requestBody,
  changesNothing: ({ rows, adopt_all }) => !rows && !adopt_all,
  answer: z.object({ data: reconciliationRecord }),
  failures: [404, 503],
  examples: [
    {
      name: 'import of an existing fleet',
      params: { network: 'chirpstack' },
      body: { adopt_all: { device_type: 16 } },
    },
    {
      name: 'one of each',
      params: { network: 'chirpstack' },
      body: {
        rows: [
          { kind: 'device', eui: '00AA000000000001', action: 'adopt', device_type: 16 },
          { kind: 'device', eui: '00AA000000000002', action: 'repair' },
          { kind: 'gateway', eui: '00BB000000000001', action: 'ignore' },
        ],
      },
    },
  ],
  change: changeBy((done) => {
    const { done: count = 0 } = (dataOf(done).outcome ?? {}) as { done?: number }
    const subject = textOf(done.params.network)
    return count > 0 ? { kind: 'account', action: 'reconciled', subject, count } : undefined
  }),
  async handle({ params, body, caller, record }, services: RegistrationServices) {
    const found = await findComparable(services.db, caller.organizationId, {
      network: params.network,
      registerMethod: methodOf(body),
    })
    await checkType(services, caller.organizationId, body.adopt_all?.device_type)
    const { organizationId, tenantId } = caller
    const turn = { accountId: found.account.id, organizationId, tenantId }
    const listed = await takeTurn(turn, () =>
      compareAndAct(services, { ...found, caller, record, body }),
    )
    return { data: await toRecord(services, found, listed) }
  },
})

type Comparable = Pick<ActionContext, 'network' | 'account' | 'caller' | 'record'>

async function compareAndAct(
  services: RegistrationServices,
  { body, ...found }: Comparable & { body: Body },
): Promise<Listed> {
  const sent = (body.rows ?? []).map(readRow)
  const isOnlyComparison = !body.rows && !body.adopt_all
  const named = isOnlyComparison ? undefined : namedDevices(sent)
  const { differences, keys, unknown } = await compareOrExplain(services, found.account, {
    ...(named && { named }),
    adoptsAll: !!body.adopt_all,
  })
  const report = await markIgnored(services, found.account, differences)
  const all = body.adopt_all ? allOthers(sent, report, body.adopt_all.device_type) : []
  const asked = [...sent, ...all]
  const context = { ...found, now: services.now(), report, keys, unknown }
  const results = await carryOutRows(services, context, asked)
  return isOnlyComparison
    ? listDifferences(found.network, report)
    : listResults(context, asked.slice(0, sent.length + mostListed), results)
}

/** Checks a custom type before the network is asked for its lists. */
async function checkType(
  { db }: RegistrationServices,
  organizationId: number,
  typeId: number | undefined,
): Promise<void> {
  if (typeId === undefined) return
  const missing = await findMissing(db, organizationId, [typeId])
  if (missing.size > 0) throw invalid({ 'adopt_all.device_type': [typeUnknown] })
}

function namedDevices(sent: readonly (RequestedRow | UnreadableRow)[]): Set<string> {
  return new Set(sent.flatMap(({ kind, eui }) => (kind === 'device' && eui ? eui : [])))
}

/** The devices of `adopt_all`: only at the network, not ignored, and named by no row. */
function allOthers(
  sent: readonly (RequestedRow | UnreadableRow)[],
  report: Report,
  typeId: number,
): RequestedRow[] {
  const named = new Set(sent.map(({ kind, eui }) => `${kind} ${eui}`))
  return [...report].flatMap(([place, { kind, eui, difference, isIgnored, isTaken }]) => {
    const isMeant = kind === 'device' && difference === 'only_at_network'
    if (!isMeant || isIgnored || isTaken || named.has(place)) return []
    const device = { typeId, key: undefined, joinEui: undefined, networkKey: undefined }
    return { kind, eui, action: 'adopt' as const, name: undefined, device }
  })
}

type Listed = Parameters<typeof toReconciliationRecord>[2]

function listDifferences(network: Network, report: Report): Listed {
  const rows = [...report.values()].slice(0, mostListed).map((row) => toReportRow(network, row))
  return { rows, more: report.size > rows.length }
}

function listResults(
  { network, report }: ActionContext,
  rows: readonly (RequestedRow | UnreadableRow)[],
  results: readonly RowResult[],
): Listed {
  const done = results.filter(({ status }) => status).length
  const listed = rows.map(({ kind, eui }, position): ReportRow => {
    const found = kind && eui !== null ? report.get(placeOf({ kind, eui })) : undefined
    const result = results[position]
    const row = found ? toReportRow(network, found) : agreed({ kind, eui })
    return { ...row, ...(result && { result }) }
  })
  return {
    rows: listed,
    more: results.length > listed.length,
    outcome: { done, refused: results.length - done },
  }
}

function agreed({ kind, eui }: Pick<ReportRow, 'kind' | 'eui'>): ReportRow {
  const nothing = { difference: null, name_here: null, name_there: null }
  return { kind, eui, ...nothing, ignored: false, actions: [] }
}

async function toRecord(
  { db }: RegistrationServices,
  found: { network: Network; account: StoredAccount },
  listed: Listed,
) {
  const { id, organization_id } = found.account
  const report = await reportQueries.find(db, organization_id, id)
  const counts = await reportQueries.count(db, organization_id, id)
  return toReconciliationRecord(found, { report, counts }, listed)
}
