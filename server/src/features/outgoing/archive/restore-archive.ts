import { normalizeEui } from '../../../lora/eui.ts'
import { findNetwork } from '../../../networks/index.ts'
import { EuiTakenMeanwhile, transactBatch } from '../../fleet/batches/batches.ts'
import * as typeQueries from '../../fleet/device-types/device-type-queries.ts'
import { insertGateways } from '../../fleet/gateways/gateway-writes.ts'
import * as groupQueries from '../../fleet/groups/group-queries.ts'
import { type PlaceFields, toPlace } from '../../fleet/inventory/places.ts'
import type { Tags } from '../../fleet/inventory/tags.ts'
import {
  archivedGateway,
  archivedGroup,
  archivedType,
  type Manifest,
  type MemberName,
} from './archive-format.ts'
import { findGateways, findOwner } from './import-queries.ts'
import { openArchive, readRecords } from './read-archive.ts'
import { restoreDashboards } from './restore-dashboards.ts'
import { restoreDevices } from './restore-devices.ts'
import { restoreNotes } from './restore-notes.ts'
import { restorePhotos } from './restore-photos.ts'
import { restorePlans } from './restore-plans.ts'
import { restoreRules } from './restore-rules.ts'
import { restoreUplinks } from './restore-uplinks.ts'
import { type Ids, type Restored, type Restoring, refuseRepeated } from './restoring.ts'

const groupsAtOnce = 1000

interface ArchivedGroup {
  id: number
  parent_id: number | null
  name: string
  address?: string | null | undefined
}

/** Makes the groups that are missing. One of the same name below the same group is the same. */
async function restoreGroups(restoring: Restoring): Promise<{ ids: Ids; restored: Restored }> {
  const { db, organizationId, userId, now, isDryRun } = restoring
  const groups: ArchivedGroup[] = []
  for await (const page of readRecords(restoring, 'groups', archivedGroup, groupsAtOnce)) {
    groups.push(...page)
  }
  const ids: Ids = new Map()
  const restored = { added: 0, known: 0 }
  await db.transaction(async (tx) => {
    await groupQueries.lockTrees(tx, organizationId)
    const stored = await groupQueries.list(tx, organizationId)
    const known = new Map(
      stored.map(({ id, parent_id, name }) => [placeOf(parent_id, name), id] as const).reverse(),
    )
    // Parents first: a group may have an older id than the one above it.
    for (const group of inOrder(groups)) {
      const parentId = group.parent_id === null ? null : (ids.get(group.parent_id) ?? null)
      const found = known.get(placeOf(parentId, group.name))
      restored[found === undefined ? 'added' : 'known'] += 1
      if (found !== undefined) ids.set(group.id, found)
      else if (isDryRun) ids.set(group.id, -group.id)
      else {
        const { name, address = null } = group
        const values = { name, parentId, userId, now, address }
        const made = await groupQueries.insert(tx, organizationId, values)
        ids.set(group.id, made.id)
      }
    }
  })
  return { ids, restored }
}

function placeOf(parentId: number | null, name: string): string {
  return `${parentId ?? ''}/${name}`
}

function inOrder(groups: readonly ArchivedGroup[]): ArchivedGroup[] {
  const below = Map.groupBy(groups, ({ parent_id }) => parent_id)
  const ordered = [...(below.get(null) ?? [])]
  for (const { id } of ordered) ordered.push(...(below.get(id) ?? []))
  return ordered
}

const typesAtOnce = 20

/** Makes the types that are missing. One with the same name and codec is the same. */
async function restoreTypes(restoring: Restoring): Promise<{ ids: Ids; restored: Restored }> {
  const { db, organizationId, now, isDryRun } = restoring
  const ids: Ids = new Map()
  const restored = { added: 0, known: 0 }
  const stored = await typeQueries.listAll(db, organizationId)
  for await (const page of readRecords(restoring, 'device_types', archivedType, typesAtOnce)) {
    for (const { id, ...values } of page) {
      const alike = stored.filter(({ type_name }) => type_name === values.type_name)
      const codecs = await Promise.all(
        alike.map((type) => typeQueries.find(db, organizationId, type.id)),
      )
      const found = codecs.find(
        (type) => type?.codec === values.codec && type.payload_format === values.payload_format,
      )
      restored[found ? 'known' : 'added'] += 1
      if (found) ids.set(id, found.id)
      else if (isDryRun) ids.set(id, -id)
      else {
        const made = await typeQueries.insert(
          db,
          organizationId,
          values as typeQueries.TypeValues,
          now,
        )
        ids.set(id, made.id)
      }
    }
  }
  return { ids, restored }
}

const gatewaysAtOnce = 500

/** Records the gateways that are missing, without a call to their networks. */
async function restoreGateways(restoring: Restoring): Promise<{ ids: Ids; restored: Restored }> {
  const { db, manifest, organizationId, sealer, now, isDryRun, tell } = restoring
  const ids: Ids = new Map()
  const total = manifest.members.gateways.records
  const restored = { added: 0, known: 0 }
  const placeOf = (gateway: { network: string; eui: string }) => `${gateway.network} ${gateway.eui}`
  for await (const page of readRecords(restoring, 'gateways', archivedGateway, gatewaysAtOnce)) {
    const gateways = page.map((gateway) => ({ ...gateway, eui: normalizeEui(gateway.gateway_eui) }))
    refuseRepeated('gateways', gateways, placeOf)
    await transactBatch(db, async (tx) => {
      const stored = await findGateways(
        tx,
        organizationId,
        gateways.map(({ eui }) => eui),
      )
      const known = new Map(stored.map((gateway) => [placeOf(gateway), gateway.id]))
      const missing = gateways.filter((gateway) => !known.has(placeOf(gateway)))
      if (!isDryRun) {
        for (const [method, some] of Map.groupBy(missing, (gateway) => gateway.register_method)) {
          const made = await insertGateways(tx, sealer, restoring, {
            registrations: some.flatMap(toRegistration),
            now,
            adoptedThrough: method,
          })
          if (!made) throw new EuiTakenMeanwhile()
          for (const [index, gateway] of some.entries())
            known.set(placeOf(gateway), made[index] ?? 0)
        }
      }
      for (const gateway of gateways)
        ids.set(gateway.id, known.get(placeOf(gateway)) ?? -gateway.id)
      restored.added += missing.length
      restored.known += gateways.length - missing.length
    })
    tell('gateways', restored.added + restored.known, total)
  }
  return { ids, restored }
}

interface ArchivedGateway extends PlaceFields {
  network: string
  gateway_eui: string
  name: string
  description: string | null
  tags?: Tags | undefined
}

function toRegistration({ gateway_eui, name, description, tags, ...gateway }: ArchivedGateway) {
  const network = findNetwork(gateway.network)
  if (!network) throw new Error(`This service has no network "${gateway.network}".`)
  const values = { gatewayEui: gateway_eui, gatewayName: name }
  const place = toPlace(gateway) ?? undefined
  return [{ network, values: { ...values, ...(description && { description }) }, tags, place }]
}

export type RestoreResult = Record<Exclude<MemberName, 'network_accounts'>, Restored>

/**
 * Brings an archive into an organization. What is there already stays as it is: groups by their path,
 * types by name and codec, gateways and devices by their EUI. Devices are recorded as they were, and
 * no network hears of them. Uplinks keep their times. It goes on where an earlier run stopped.
 * @throws Error for a person to read.
 */
export async function restoreArchive(
  given: Omit<Restoring, 'userId' | 'manifest'>,
): Promise<{ manifest: Manifest; result: RestoreResult }> {
  const owner = await findOwner(given.db, given.organizationId)
  if (!owner) throw new Error(`There is no organization ${given.organizationId} with a member.`)
  const manifest = await openArchive(given.directory)
  const restoring = { ...given, ...owner, manifest }
  const groups = await restoreGroups(restoring)
  const types = await restoreTypes(restoring)
  const gateways = await restoreGateways(restoring)
  const maps = { groups: groups.ids, types: types.ids, gateways: gateways.ids }
  const devices = await restoreDevices(restoring, maps)
  const plans = await restorePlans(restoring, {
    ...{ groups: groups.ids, devices: devices.ids, gateways: gateways.ids },
  })
  const dashboards = await restoreDashboards(restoring, {
    groups: groups.ids,
    types: types.ids,
    devices: devices.ids,
    plans: plans.ids,
  })
  const photos = await restorePhotos(restoring, devices.ids)
  const notes = await restoreNotes(restoring, { ...maps, devices: devices.ids })
  const rules = await restoreRules(restoring, { ...maps, devices: devices.ids })
  const uplinks = await restoreUplinks(restoring, devices.ids)
  await devices.settle()
  return {
    manifest,
    result: {
      groups: groups.restored,
      device_types: types.restored,
      gateways: gateways.restored,
      devices: devices.restored,
      dashboards,
      floor_plans: plans.restored,
      device_photos: photos,
      notes,
      alert_rules: rules,
      uplinks,
    },
  }
}
