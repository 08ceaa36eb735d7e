import type { Queryable } from '../../../db/connect.ts'
import { lacksPermission, unavailable } from '../../../http/errors.ts'
import { toOneLine } from '../../../http/fields.ts'
import { normalizeEui } from '../../../lora/eui.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { Network } from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import * as accountQueries from '../../accounts/connections/account-queries.ts'
import { noAccount } from '../../accounts/network-accounts/account-record.ts'
import { nameOf } from '../../accounts/reconciliation/actions.ts'
import {
  type Adoption,
  adoptDevices,
  adoptGateways,
} from '../../accounts/reconciliation/adoption.ts'
import { type Comparison, compareWithNetwork } from '../../accounts/reconciliation/comparison.ts'
import { type Difference, type Kind, placeOf } from '../../accounts/reconciliation/difference.ts'
import { takeTurn } from '../../accounts/reconciliation/turns.ts'
import { announce } from '../../outgoing/events/announce.ts'
import { findTakenGateways } from '../gateways/gateway-write-queries.ts'
import * as groupQueries from '../groups/group-queries.ts'
import { lockRemaining } from '../inventory/quota-queries.ts'
import { usableTags } from '../inventory/tags.ts'
import { mostRows } from './job-body.ts'
import type { StoredJob } from './job-queries.ts'
import {
  done,
  failed,
  type JobServices,
  type Portion,
  type RowResult,
  type WorkRows,
  waiting,
} from './portion.ts'
import { findDevices, listWaiting, type WaitingRow } from './row-queries.ts'

/** Rows of a portion: the network lists everything for each, and tells keys one by one. */
const portionSize = 1000
/** For the network's lists, and for calls about single devices of a portion. */
const [listSeconds, detailSeconds] = [120, 60]
const longestGroupName = 255

export interface TakeOverSettings {
  account_id: number
  network: string
  /** The type of each profile; a row that names one of its own has that. */
  types: readonly { profile: string; device_type: number }[]
  group_by: string | null
}

/** What a row is about, as its input says. */
export function placeOfRow({ input }: Pick<WaitingRow, 'input'>): { kind: Kind; eui: string } {
  return typeof input.gateway_id === 'string'
    ? { kind: 'gateway', eui: normalizeEui(input.gateway_id) }
    : { kind: 'device', eui: normalizeEui(String(input.device_id)) }
}

/**
 * Reads from the network what it has of the next rows, keys included, before the transaction that
 * takes them over. Throws what may pass: the job tries again.
 */
export async function readTakeOver(
  services: JobServices,
  job: StoredJob,
  isStopped: () => boolean,
): Promise<readonly [WorkRows, number]> {
  const rows = await listWaiting(services.db, job.id, portionSize)
  // All are worked: nothing is to be read.
  if (rows.length === 0) return failAll('')
  const { account_id } = job.settings as unknown as TakeOverSettings
  const account = await accountQueries.findById(services.db, account_id)
  const network = account && findNetwork(account.network)
  if (!network || account.organization_id !== job.organization_id) {
    return failAll(noAccount)
  }
  const places = rows.map(placeOfRow).filter(({ kind }) => kind === 'device')
  const named = new Set(places.map(({ eui }) => eui))
  const { id: accountId, organization_id: organizationId } = account
  try {
    const turn = { accountId, organizationId, tenantId: job.tenant_id }
    const compared = await takeTurn(turn, () =>
      compareWithNetwork(services, account, {
        ...{ seconds: listSeconds, detailSeconds },
        ...{ named, takesKeys: true, isStopped },
      }),
    )
    if (!compared) return failAll(noAccount)
    const wanted = compared.differences.filter(
      ({ kind, eui, difference }) =>
        kind === 'device' && difference === 'only_at_network' && named.has(eui),
    )
    if (wanted.length > 0 && wanted.every((each) => compared.unread.has(placeOf(each)))) {
      throw new NetworkError('unreachable', `${network.name} does not answer about its devices.`)
    }
    const known = new Set(rows.map(({ number }) => number))
    const work: WorkRows = (tx, services, portion, rows) => {
      // Another process has worked what was read: the next look reads what is left.
      if (rows.some(({ number }) => !known.has(number))) throw unavailable(1)
      return takeOverRows(tx, services, { ...portion, network, account, compared }, rows)
    }
    return [work, portionSize]
  } catch (error) {
    const isLasting =
      error instanceof NetworkError && (error.kind === 'refused' || error.kind === 'unauthorized')
    if (!isLasting) throw error
    return failAll(error.message)
  }
}

/** Fails all rows of a job at once. */
export function failAll(message: string): readonly [WorkRows, number] {
  return [async (_tx, _services, _portion, rows) => rows.map(() => failed(message)), mostRows + 1]
}

interface TakeOver extends Portion {
  network: Network
  account: accountQueries.StoredAccount
  compared: Comparison
}

async function takeOverRows(
  tx: Queryable,
  services: JobServices,
  portion: TakeOver,
  rows: readonly WaitingRow[],
): Promise<RowResult[]> {
  const { network, compared, sender } = portion
  // First, as everything that adds devices: with two orders, requests would deadlock.
  await lockRemaining(tx, sender.organizationId)
  const found = new Map(compared.differences.map((each) => [placeOf(each), each]))
  const adoptions = new Map<WaitingRow, Adoption>()
  const unread = new Set<WaitingRow>()
  for (const row of rows) {
    const place = placeOf(placeOfRow(row))
    const difference = found.get(place)
    if (difference?.difference !== 'only_at_network') continue
    if (compared.unread.has(place)) unread.add(row)
    else adoptions.set(row, toAdoption(row, difference, portion))
  }
  const adopted = await adoptAll(tx, services, portion, adoptions)
  const euis = rows.flatMap(({ eui }) => eui ?? [])
  const here = await findDevices(tx, sender.organizationId, euis)
  const gateways = await findTakenGateways(
    tx,
    sender.organizationId,
    network.key,
    rows.map(placeOfRow).flatMap(({ kind, eui }) => (kind === 'gateway' ? eui : [])),
  )
  return rows.map((row) => {
    if (unread.has(row)) return waiting
    const deviceId = here.get(row.eui ?? '')?.id ?? null
    const result = adopted.get(row)
    if (result && !result.status) return failed(result.message)
    if (result) return done(wordsOf(adoptions.get(row)), deviceId)
    const { kind, eui } = placeOfRow(row)
    const isHere =
      deviceId !== null ||
      (kind === 'gateway' && gateways.has(eui)) ||
      found.has(placeOf({ kind, eui }))
    return isHere
      ? done('It is here already.', deviceId)
      : failed(`${network.name} does not list it now.`)
  })
}

/** The results of those that can be adopted. */
async function adoptAll(
  tx: Queryable,
  services: JobServices,
  portion: TakeOver,
  adoptions: ReadonlyMap<WaitingRow, Adoption>,
): Promise<Map<WaitingRow, { status: boolean; message: string }>> {
  const adopted = new Map<WaitingRow, { status: boolean; message: string }>()
  const { account, network, sender, now, compared } = portion
  const found = new Map(compared.differences.map((each) => [placeOf(each), each]))
  const groupsOf = (accepted: readonly Adoption[]) => groupAll(tx, portion, found, accepted)
  const context = { network, account, caller: sender, now, groupsOf }
  for (const [kind, adopt] of [
    ['device', adoptDevices],
    ['gateway', adoptGateways],
  ] as const) {
    const ofKind = [...adoptions].filter(([, adoption]) => adoption.kind === kind)
    if (ofKind.length === 0) continue
    const all = ofKind.map(([, adoption]) => adoption)
    const right = `manage_${kind}s` as const
    const results = sender.permissions.includes(right)
      ? await adopt(tx, services, context, all)
      : all.map(() => ({ status: false, message: lacksPermission(right) }))
    for (const [index, [row]] of ofKind.entries()) {
      const result = results[index]
      if (result) adopted.set(row, result)
    }
    if (kind === 'gateway') announce(services, sender.organizationId, { kind })
  }
  return adopted
}

function wordsOf(adoption: Adoption | undefined): string {
  return adoption?.kind === 'device' && adoption.device.key === undefined
    ? 'Taken over without its key, which the network does not tell.'
    : 'Taken over.'
}

function toAdoption(
  { input }: WaitingRow,
  found: Difference,
  { job, compared }: TakeOver,
): Adoption {
  const { types } = job.settings as unknown as TakeOverSettings
  const { kind, eui } = found
  const ofProfile = types.find(({ profile }) => profile === (found.profileThere?.id ?? ''))
  const typeId = typeof input.device_type === 'number' ? input.device_type : ofProfile?.device_type
  const known = compared.foreignKeys.get(eui)
  return {
    ...{ kind, eui, name: String(input.device_name || nameOf(eui, found)) },
    device: {
      ...{ typeId, key: known?.key, networkKey: known?.networkKey },
      joinEui: found.joinEuiThere,
    },
    radio: found.radioThere,
    tags: usableTags(found.tagsThere ?? {}),
  }
}

/** The groups of what is adopted; only those are made. */
async function groupAll(
  tx: Queryable,
  portion: TakeOver,
  found: ReadonlyMap<string, Difference>,
  accepted: readonly Adoption[],
): Promise<Map<string, number[]>> {
  const { group_by: by } = portion.job.settings as unknown as TakeOverSettings
  const taken = accepted.flatMap((each) => found.get(placeOf(each)) ?? [])
  const groups = await makeGroups(tx, portion, taken)
  const idOf = (each: Difference) => groups.get(groupNameOf(each, by)?.toLowerCase() ?? '')
  return new Map(taken.map((each) => [each.eui, [idOf(each) ?? []].flat()]))
}

/** Finds the group of each application or value by its name at the top, and makes what is missing. */
async function makeGroups(
  tx: Queryable,
  { job, sender: { organizationId, userId, permissions }, now }: TakeOver,
  taken: readonly Difference[],
): Promise<Map<string, number>> {
  const { group_by: by } = job.settings as unknown as TakeOverSettings
  const names = [...new Set(taken.flatMap((each) => groupNameOf(each, by) ?? []))]
  const ids = new Map<string, number>()
  if (names.length === 0 || !permissions.includes('manage_groups')) return ids
  await groupQueries.lockTrees(tx, organizationId)
  for (const { id, name, parent_id } of await groupQueries.list(tx, organizationId)) {
    const plain = name.trim().toLowerCase()
    if (parent_id === null && !ids.has(plain)) ids.set(plain, id)
  }
  for (const name of names) {
    if (ids.has(name.toLowerCase())) continue
    const made = await groupQueries.insert(tx, organizationId, {
      ...{ name, parentId: null, userId, now },
    })
    ids.set(name.toLowerCase(), made.id)
  }
  return ids
}

/** The name of the application, or the value of the tag (`tag:site`), as the database can hold it. */
export function groupNameOf(
  { kind, applicationThere, tagsThere }: Difference,
  by: string | null,
): string | undefined {
  if (kind !== 'device' || by === null) return undefined
  const tag = by.startsWith('tag:') ? by.slice('tag:'.length) : undefined
  const name = tag === undefined ? applicationThere : usableTags(tagsThere ?? {})[tag]
  const plain = toOneLine(name?.trim() ?? '').slice(0, longestGroupName)
  return plain.toWellFormed().trim() || undefined
}
