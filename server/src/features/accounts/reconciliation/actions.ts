import type { Caller, Permission, RecordChange } from '../../../http/endpoint.ts'
import { lacksPermission } from '../../../http/errors.ts'
import { toWholeRadio } from '../../../networks/device-radio.ts'
import type { Network } from '../../../networks/network.ts'
import type { RegistrationServices } from '../../fleet/devices/registration.ts'
import { usableTags } from '../../fleet/inventory/tags.ts'
import { announce } from '../../outgoing/events/announce.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import { type Adoption, adopt, done, refused } from './adoption.ts'
import { type Difference, type Kind, kinds, type LeftOut, placeOf } from './difference.ts'
import type { NetworkKey } from './inspection.ts'
import { possibleActions, type RowResult } from './reconciliation-record.ts'
import type { RequestedRow, UnreadableRow } from './reconciliation-rows.ts'
import { type Repair, repair, type TakeOver, takeOver } from './repair.ts'
import * as reportQueries from './report-queries.ts'

/** The report by `placeOf`, ignored differences included. */
export type Report = ReadonlyMap<string, reportQueries.StoredDifference>

export interface ActionContext {
  network: Network
  account: StoredAccount
  caller: Caller
  record: RecordChange
  now: Date
  report: Report
  /** The network's keys of named devices, by EUI. */
  keys: ReadonlyMap<string, NetworkKey>
  /** What the comparison left out. */
  unknown: readonly LeftOut[]
}

/** Rows adopted or repaired in one transaction. */
const batchSize = 1000

/** Carries out the rows, each independently, and returns their results in order. */
export async function carryOutRows(
  services: RegistrationServices,
  context: ActionContext,
  rows: readonly (RequestedRow | UnreadableRow)[],
): Promise<RowResult[]> {
  const results = new Map<number, RowResult>()
  const accepted = new Map<number, RequestedRow>()
  const seen = new Set<string>()
  for (const [position, row] of rows.entries()) {
    const fault = 'message' in row ? row.message : findFault(row, context, seen)
    if (fault !== undefined) results.set(position, refused(fault))
    else if (!('message' in row)) accepted.set(position, row)
  }
  await markIgnored(services, context, accepted, results)
  for (const kind of kinds) {
    const [foreign, own] = splitAdoptions(context, select(accepted, kind, 'adopt'))
    const repairs = select(accepted, kind, 'repair')
    await inBatches(foreign, results, (rows) =>
      adopt(
        services,
        context,
        kind,
        rows.map((row) => toAdoption(row, context)),
      ),
    )
    await inBatches(own, results, (rows) =>
      takeOver(
        services,
        context,
        rows.map((row) => toTakeOver(row, context)),
      ),
    )
    await inBatches(repairs, results, (rows) =>
      repair(
        services,
        context,
        kind,
        rows.map((row) => toRepair(row, context)),
      ),
    )
    if (repairs.length > 0) services.provisioner.wake()
    if (foreign.length + own.length + repairs.length > 0) {
      announce(services, context.caller.organizationId, { kind })
    }
  }
  await forgetMended(services, context, accepted, results)
  return rows.map((_, position) => results.get(position) ?? refused('Nothing was done.'))
}

const permissionFor: Record<Kind, Permission> = {
  device: 'manage_devices',
  gateway: 'manage_gateways',
}

/** Returns the fault that the report shows in a row. */
function findFault(
  row: RequestedRow,
  { network, caller, report, keys, unknown }: ActionContext,
  seen: Set<string>,
): string | undefined {
  const place = placeOf(row)
  if (seen.has(place)) return `The ${row.kind} is named more than once.`
  seen.add(place)
  const difference = report.get(place)
  if (!difference && !givesKey(row) && !takesKey(row, keys)) {
    return agreed(row.kind, unknown)
  }
  const isChange = row.action === 'adopt' || row.action === 'repair'
  if (!isChange) return undefined
  if (difference && !possibleActions(network, difference).includes(row.action)) {
    return difference.isTaken
      ? `The ${row.kind} EUI has already been taken.`
      : `There is no way to ${row.action} this difference.`
  }
  const permission = permissionFor[row.kind]
  return caller.permissions.includes(permission) ? undefined : lacksPermission(permission)
}

/** The message when both sides agree, as far as was compared. */
function agreed(kind: Kind, unknown: ActionContext['unknown']): string {
  const leftOut = unknown.find((each) => each.kind === kind)
  if (leftOut?.part === 'list') return `No ${kind}s are compared. ${leftOut.reason}`
  const words = `The network and the service agree about this ${kind}`
  return leftOut ? `${words}, as far as is told. ${leftOut.reason}` : `${words}.`
}

/** A device adopted without its key can be given one while both sides agree. */
function givesKey({ kind, action, device }: RequestedRow): boolean {
  return kind === 'device' && action === 'repair' && device.key !== undefined
}

/** A device can take the key that its network reveals. */
function takesKey({ kind, eui, action }: RequestedRow, keys: ActionContext['keys']): boolean {
  return kind === 'device' && action === 'adopt' && keys.has(eui)
}

type Positioned = [number, RequestedRow][]

function select(
  accepted: ReadonlyMap<number, RequestedRow>,
  kind: Kind,
  action: RequestedRow['action'],
): Positioned {
  return [...accepted].filter(([, row]) => row.kind === kind && row.action === action)
}

/** Splits adoptions: devices known only to the network, and devices known to both sides. */
function splitAdoptions({ report }: ActionContext, rows: Positioned): [Positioned, Positioned] {
  const isForeign = ([, row]: Positioned[number]) =>
    report.get(placeOf(row))?.difference === 'only_at_network'
  return [rows.filter(isForeign), rows.filter((row) => !isForeign(row))]
}

async function markIgnored(
  { db }: RegistrationServices,
  { account, record }: ActionContext,
  accepted: ReadonlyMap<number, RequestedRow>,
  results: Map<number, RowResult>,
): Promise<void> {
  const changes = [...accepted].filter(
    ([, { action }]) => action === 'ignore' || action === 'unignore',
  )
  const rowsOf = (wanted: string) =>
    changes.flatMap(([, row]) => (row.action === wanted ? row : []))
  const [ignored, unignored] = [rowsOf('ignore'), rowsOf('unignore')]
  if (changes.length === 0) return
  await db.transaction(async (tx) => {
    if (ignored.length > 0) await reportQueries.ignore(tx, account, ignored)
    if (unignored.length > 0) await reportQueries.unignore(tx, account, unignored)
    await record(tx, { data: { outcome: { done: changes.length } } })
  })
  for (const [position, { action }] of changes) {
    results.set(
      position,
      done(action === 'ignore' ? 'Ignored from now on.' : 'Counted again from now on.'),
    )
  }
}

function toAdoption(
  { kind, eui, name, device }: RequestedRow,
  { report }: ActionContext,
): Adoption {
  const found = report.get(placeOf({ kind, eui }))
  const joinEui = device.joinEui ?? found?.joinEuiThere
  return {
    kind,
    eui,
    name: name ?? nameOf(eui, found),
    device: { ...device, joinEui },
    radio: found?.radioThere,
    tags: usableTags(found?.tagsThere ?? {}),
  }
}

/** Its name at the network; the EUI where it has none there. */
export function nameOf(eui: string, found: Pick<Difference, 'nameThere'> | undefined): string {
  const nameThere = found?.nameThere ?? ''
  return nameThere.trim() === '' ? eui : nameThere
}

/** Takes over only what differs: with another JoinEUI, the key stays. */
function toTakeOver({ eui }: RequestedRow, { report, keys }: ActionContext): TakeOver {
  const found = report.get(placeOf({ kind: 'device', eui }))
  const isJoinEui = found?.difference === 'join_eui_differs'
  const isRadio = found?.difference === 'lorawan_differs'
  return {
    eui,
    key: isJoinEui ? undefined : keys.get(eui),
    joinEui: found?.joinEuiThere,
    radio: isRadio && found.radioThere ? toWholeRadio(found.radioThere) : undefined,
  }
}

function toRepair({ kind, eui, device }: RequestedRow, { report }: ActionContext): Repair {
  const found = report.get(placeOf({ kind, eui }))?.difference
  const isRepaired = found !== 'only_at_network' && found !== 'lorawan_differs'
  return { kind, eui, difference: isRepaired ? found : undefined, key: device.key }
}

/** Removes repaired rows from the report and from the ignored ones. */
async function forgetMended(
  { db }: RegistrationServices,
  { account, report }: ActionContext,
  accepted: ReadonlyMap<number, RequestedRow>,
  results: ReadonlyMap<number, RowResult>,
): Promise<void> {
  const fixed = [...accepted].flatMap(([position, { kind, eui, action }]) => {
    const isFixed = action === 'adopt' || action === 'repair'
    return isFixed && results.get(position)?.status ? { kind, eui } : []
  })
  if (fixed.length > 0) await reportQueries.removeDifferences(db, account, fixed)
  const ignored = fixed.filter((place) => report.get(placeOf(place))?.isIgnored)
  if (ignored.length > 0) await reportQueries.unignore(db, account, ignored)
}

/** Carries out rows in transactions of `batchSize` rows, and stores their results. */
async function inBatches(
  rows: Positioned,
  results: Map<number, RowResult>,
  carryOut: (rows: readonly RequestedRow[]) => Promise<RowResult[]>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = rows.slice(start, start + batchSize)
    const answers = await carryOut(batch.map(([, row]) => row))
    for (const [index, [position]] of batch.entries()) {
      const answer = answers[index]
      if (answer) results.set(position, answer)
    }
  }
}
