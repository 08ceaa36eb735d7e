import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { isoTime } from '../../../http/timestamps.ts'
import type { Capabilities } from '../../../networks/capabilities.ts'
import type { Network } from '../../../networks/network.ts'
import { accountNameInAnswer, methodInAnswer } from '../connections/account-name.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import { comparedKinds } from './comparison.ts'
import {
  type DifferenceWord,
  differenceWords,
  type Kind,
  kinds,
  leftOutParts,
} from './difference.ts'
import { type Action, actions } from './reconciliation-rows.ts'
import type { DifferenceCount, StoredDifference, StoredReport } from './report-queries.ts'

/** The result of a requested row. */
const rowResult = z.object({
  status: z.boolean().meta({ examples: [true] }),
  message: z.string().meta({ examples: ['Device adopted.'] }),
})

export type RowResult = z.infer<typeof rowResult>

const rowFields = {
  kind: z.enum(kinds).nullable(),
  /** 16 upper-case digits; null when the row that was sent has none. */
  eui: z.string().nullable(),
  /** Null when both sides agree. */
  difference: z.enum(differenceWords).nullable(),
  problem: z
    .string()
    .describe('What is wrong, in words, where the difference does not say it all. Never a key.')
    .optional(),
  name_here: z.string().nullable(),
  name_there: z.string().nullable(),
  ignored: z.boolean(),
  /** The possible actions. */
  actions: z.array(z.enum(actions)),
  result: rowResult.optional(),
}

export const reportRow = z
  .object(
    withExamples(rowFields, {
      eui: '00AA000000000001',
      problem: 'The key at the network is another one than here.',
      name_here: null,
      name_there: 'Back door',
      ignored: false,
      actions: ['adopt', 'ignore'],
    }),
  )
  .meta({ id: 'ReconciliationRow' })

export type ReportRow = z.infer<typeof reportRow>

const nothingFound = {
  only_at_network: 0,
  only_here: 0,
  name_differs: 0,
  key_differs: 0,
  join_eui_differs: 0,
  lorawan_differs: 0,
  incomplete: 0,
  ignored: 0,
} satisfies Record<DifferenceWord | 'ignored', number>

/** Totals of one kind. Ignored differences count as `ignored` only. */
const totalFields = {
  only_at_network: z.int(),
  only_here: z.int(),
  name_differs: z.int(),
  key_differs: z.int(),
  join_eui_differs: z.int(),
  lorawan_differs: z.int(),
  incomplete: z.int(),
  ignored: z.int(),
}

const totals = z.object(withExamples(totalFields, { ...nothingFound, only_at_network: 1 }))

const leftOut = z.object(
  withExamples(
    {
      kind: z.enum(kinds),
      part: z
        .enum(leftOutParts)
        .describe('`list`: everything of the kind; `keys`: what is read from each device alone.'),
      reason: z.string().describe("In the network's words."),
    },
    { kind: 'gateway', reason: 'The API key (api_key) is one of an application.' },
  ),
)

const recordFields = {
  network: z.string(),
  register_method: z.enum(['user_account', 'vendor']),
  ...accountNameInAnswer,
  /** The kinds that the network lists to the account. */
  compares: z.array(z.enum(kinds)),
  left_out: z
    .array(leftOut)
    .describe(
      'What the last comparison left out: the account may not read it, or there was no time for it. None of it counts as a difference.',
    ),
  /** When the last complete comparison began; null before the first. */
  compared_at: z.string().nullable(),
  /** Why the last attempt failed; empty when it succeeded. */
  failure: z.string(),
  /** The differences left after the actions of the request. */
  totals: z.object({ device: totals, gateway: totals }),
  rows: z.array(reportRow),
  /** Whether more rows exist. */
  more: z.boolean(),
  /** The numbers of rows done and refused, listed or not. */
  outcome: z
    .object(withExamples({ done: z.int(), refused: z.int() }, { done: 1, refused: 0 }))
    .optional(),
}

export const reconciliationRecord = z
  .object(
    withExamples(recordFields, {
      network: 'chirpstack',
      compares: ['device'],
      compared_at: '2026-03-01T12:00:00.000000Z',
      failure: '',
      more: false,
    }),
  )
  .meta({ id: 'Reconciliation' })

export function toReconciliationRecord(
  { network, account }: { network: Network; account: StoredAccount },
  { report, counts }: { report: StoredReport | undefined; counts: readonly DifferenceCount[] },
  listed: Pick<z.infer<typeof reconciliationRecord>, 'rows' | 'more' | 'outcome'>,
): z.infer<typeof reconciliationRecord> {
  const comparedAt = report?.compared_at ?? null
  const leftOut = report?.left_out ?? []
  const isCompared = (kind: Kind) =>
    !leftOut.some((each) => each.kind === kind && each.part === 'list')
  return {
    network: network.key,
    ...methodInAnswer(account.register_method),
    compares: comparedKinds(network).filter(isCompared),
    left_out: leftOut,
    compared_at: comparedAt === null ? null : isoTime(comparedAt),
    failure: report?.failure ?? '',
    totals: { device: sumUp(counts, 'device'), gateway: sumUp(counts, 'gateway') },
    ...listed,
  }
}

function sumUp(counts: readonly DifferenceCount[], wanted: Kind): z.infer<typeof totals> {
  const sums = { ...nothingFound }
  for (const { kind, difference, is_ignored, count } of counts) {
    if (kind === wanted) sums[is_ignored ? 'ignored' : difference] += count
  }
  return sums
}

export function toReportRow(network: Network, row: StoredDifference): ReportRow {
  return {
    kind: row.kind,
    eui: row.eui,
    difference: row.difference,
    ...(row.problem !== null && { problem: row.problem }),
    name_here: row.nameHere,
    name_there: row.nameThere,
    ignored: row.isIgnored,
    actions: possibleActions(network, row),
  }
}

/** The possible actions for a difference at this network. */
export function possibleActions({ capabilities }: Network, row: StoredDifference): Action[] {
  return [
    ...(mayAdopt(row) ? (['adopt'] as const) : []),
    ...(mayRepair(capabilities, row) ? (['repair'] as const) : []),
    row.isIgnored ? 'unignore' : 'ignore',
  ]
}

/** Whether the network's side can be recorded here. */
function mayAdopt({ difference, isTaken }: StoredDifference): boolean {
  if (difference === 'only_at_network') return !isTaken
  return ['key_differs', 'join_eui_differs', 'lorawan_differs'].includes(difference)
}

/** Whether the network can be changed to what is here. */
function mayRepair(can: Capabilities, { kind, difference }: StoredDifference): boolean {
  const takesDevices = can.registration === 'api'
  const fixes: Record<DifferenceWord, boolean> = {
    only_at_network: false,
    only_here: kind === 'gateway' || takesDevices,
    name_differs: true,
    key_differs: can.rekeys === true,
    join_eui_differs: can.changesJoinEui === true,
    // No network changes it in a device that it has.
    lorawan_differs: false,
    incomplete: takesDevices,
  }
  return fixes[difference]
}
