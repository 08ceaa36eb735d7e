import { z } from 'zod'
import { changeBy, dataOf, textOf } from '../../../http/change-record.ts'
import { bodyLimits, type Caller } from '../../../http/endpoint.ts'
import { forbidden, invalid, lacksPermission } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { optionalBoolean, requiredInteger } from '../../../http/fields.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import { endpoint } from '../../core-services.ts'
import type { CatalogueModel } from '../../fleet/catalogue/catalogue-record.ts'
import { type Found, findAll, showModels } from '../../fleet/catalogue/find-models.ts'
import type { CatalogueServices } from '../../fleet/catalogue/folder-catalogue.ts'
import { keyOfModel } from '../../fleet/catalogue/published/catalogue-entry.ts'
import { findMissing, listAll } from '../../fleet/device-types/device-type-queries.ts'
import { type RegistrationServices, typeUnknown } from '../../fleet/devices/registration.ts'
import * as groupQueries from '../../fleet/groups/group-queries.ts'
import { usableTags } from '../../fleet/inventory/tags.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import { accountBodyFields, accountParams, methodOf } from '../network-accounts/account-record.ts'
import { type ActionContext, carryOutRows } from './actions.ts'
import { findComparable } from './comparable-account.ts'
import type { Comparison } from './comparison.ts'
import type { Difference } from './difference.ts'
import { fleetOffer, isOffered, type OfferedProfile, sumUpOffer } from './fleet-offer.ts'
import { compareOrExplain, markIgnored } from './reconcile-network.ts'
import type { RowResult } from './reconciliation-record.ts'
import type { RequestedRow } from './reconciliation-rows.ts'
import { takeTurn } from './turns.ts'

const mostTypes = 200
/** Codecs that are read for one look. */
const mostCodecs = 20
const mostRefusals = 20
const mostGroups = 1000
const longestGroupName = 255

const requestBody = z.object({
  ...accountBodyFields,
  dry_run: optionalBoolean('dry run').describe('Only look at what is there.'),
  types: z
    .array(
      z.object({
        profile: z.string().max(255).describe('The id of a profile of the look.'),
        device_type: requiredInteger('device type'),
      }),
      { error: 'The types must be an array.' },
    )
    .max(mostTypes, `The types may not have more than ${mostTypes} entries.`)
    .nullish()
    .describe('The device type of each profile. Devices of another profile stay where they are.'),
  group_by: z
    .string({ error: 'The group by must be "application" or the key of a tag, as "tag:site".' })
    .regex(/^(application|tag:.{1,64})$/, {
      error: 'The group by must be "application" or the key of a tag, as "tag:site".',
    })
    .nullish()
    .describe('Makes a group of each application, or of each value of a tag (`tag:site`).'),
  gateways: optionalBoolean('gateways'),
})

type Body = z.infer<typeof requestBody>

const refusal = z.object(
  withExamples(
    { eui: z.string(), message: z.string() },
    { eui: '00AA000000000001', message: 'The device EUI has already been taken.' },
  ),
)

const outcome = z
  .object({
    ...withExamples(
      {
        devices: z.int().describe('Devices that are here now.'),
        gateways: z.int(),
        groups: z.int().describe('Groups that were made.'),
        refused: z.int(),
      },
      { devices: 12, gateways: 1, groups: 2, refused: 0 },
    ),
    refusals: z.array(refusal).describe(`The first ${mostRefusals}.`),
  })
  .meta({ id: 'TakeOverOutcome' })

export const takeOverNetwork = endpoint({
  summary: 'Take the devices over that a network has already, with names, groups and types',
  description: `With \`dry_run\` it only looks: how many devices and gateways only the network has, in which applications, with which tags and profiles; for each profile the device type or the model of the device catalogue that it points to, and else the codec that it has there.
Without it, devices whose profile has a type come in as they are at the network, with name, JoinEUI, tags, and their key where the account may read it. The network is not changed, and no device joins again. Uplinks that came before are released from the quarantine. Repeated, it does only what is missing.
\`group_by\` takes the permission \`manage_groups\`. Fails as POST /network-accounts/{network}/reconcile does.`,
  params: accountParams,
  bodyLimit: bodyLimits.batch,
  body: requestBody,
  changesNothing: ({ dry_run }) => dry_run === true,
  answer: z.object({ data: z.object({ ...fleetOffer.shape, outcome: outcome.optional() }) }),
  failures: [404, 503],
  examples: [
    { name: 'a look', params: { network: 'chirpstack' }, body: { dry_run: true } },
    {
      name: 'by application',
      params: { network: 'chirpstack' },
      body: {
        types: [{ profile: '00000000-0000-4000-a000-000000000004', device_type: 16 }],
        group_by: 'application',
        gateways: true,
      },
    },
  ],
  change: changeBy((done) => {
    // As each transaction records it.
    const { done: count = 0 } = (dataOf(done).outcome ?? {}) as { done?: number }
    const subject = textOf(done.params.network)
    return count > 0 ? { kind: 'account', action: 'reconciled', subject, count } : undefined
  }),
  async handle(
    { params, body, caller, record },
    services: RegistrationServices & CatalogueServices,
  ) {
    await checkBody(services, caller, body)
    const found = await findComparable(services.db, caller.organizationId, {
      network: params.network,
      registerMethod: methodOf(body),
    })
    const { organizationId, tenantId } = caller
    const turn = { accountId: found.account.id, organizationId, tenantId }
    return takeTurn(turn, async () => {
      const isDryRun = body.dry_run === true
      const compared = await compareOrExplain(services, found.account, {
        named: new Set(),
        adoptsAll: !isDryRun,
        takesKeys: !isDryRun,
      })
      const own = await listAll(services.db, organizationId)
      const models = await findModels(services, organizationId, compared.differences)
      const offer = sumUpOffer(compared.differences, own, models)
      if (isDryRun) {
        const profiles = await withCodecs(services, found.account, offer.profiles)
        return { data: { ...offer, profiles } }
      }
      const context = { ...found, caller, record, now: services.now() }
      return { data: { ...offer, outcome: await takeOver(services, context, compared, body) } }
    })
  },
})

async function checkBody(
  { db }: RegistrationServices,
  { organizationId, permissions }: Caller,
  { types, group_by, dry_run }: Body,
): Promise<void> {
  if (dry_run) return
  const needed = [
    ...(types?.length ? (['manage_devices'] as const) : []),
    ...(group_by ? (['manage_groups'] as const) : []),
  ]
  const lacking = needed.find((permission) => !permissions.includes(permission))
  if (lacking) throw forbidden(lacksPermission(lacking))
  const ids = (types ?? []).map(({ device_type }) => device_type)
  const missing = await findMissing(db, organizationId, ids)
  const wrong = ids.findIndex((id) => missing.has(id))
  if (wrong >= 0) throw invalid({ [`types.${wrong}.device_type`]: [typeUnknown] })
}

/** The models of the catalogue that the network names, by the ids of its profiles. */
async function findModels(
  { db, catalogueFolder }: CatalogueServices,
  organizationId: number,
  differences: readonly Difference[],
): Promise<Map<string, CatalogueModel>> {
  const named = new Map(
    differences.flatMap((difference) => {
      const { id = '', model } = difference.profileThere ?? {}
      return model && isOffered(difference) ? [[id, model] as const] : []
    }),
  )
  const folder = named.size > 0 ? await catalogueFolder.list() : []
  const ofProfiles: { profile: string; found: Found }[] = []
  for (const [profile, { brand, model }] of [...named].slice(0, mostTypes)) {
    const key = keyOfModel(brand, model)
    const [found] = await findAll(db, organizationId, folder, { words: [], key })
    if (found) ofProfiles.push({ profile, found })
  }
  const all = ofProfiles.map(({ found }) => found)
  const shown = all.length > 0 ? await showModels(db, organizationId, all) : []
  const models = new Map(shown.map((model) => [model.id, model]))
  return new Map(
    ofProfiles.flatMap(({ profile, found: { place, key } }) => {
      const model = models.get(`${place}.${key}`)
      return model ? [[profile, model] as const] : []
    }),
  )
}

/** Codecs of profiles that no type and no model fits. One that cannot be read is left out. */
async function withCodecs(
  { connections }: RegistrationServices,
  account: StoredAccount,
  profiles: readonly OfferedProfile[],
): Promise<OfferedProfile[]> {
  const connection = await connections.open(account.id)
  let room = mostCodecs
  const read: OfferedProfile[] = []
  for (const profile of profiles) {
    const isUnknown = profile.device_type === null && profile.model === null
    const isWanted = isUnknown && room > 0
    if (isWanted) room -= 1
    const codec = isWanted ? await readCodec(connection, profile.id) : null
    read.push({ ...profile, codec })
  }
  return read
}

type Connection = Awaited<ReturnType<RegistrationServices['connections']['open']>>

async function readCodec(connection: Connection, id: string): Promise<OfferedProfile['codec']> {
  try {
    const codec = await connection.readCodec?.(id)
    return codec ? { payload_format: codec.format, codec: codec.script ?? null } : null
  } catch (error) {
    if (error instanceof NetworkError) return null
    throw error
  }
}

async function takeOver(
  services: RegistrationServices,
  base: Omit<ActionContext, 'report' | 'keys' | 'unknown'>,
  { differences, keys, foreignKeys, unknown }: Comparison,
  body: Body,
): Promise<z.infer<typeof outcome>> {
  const report = await markIgnored(services, base.account, differences)
  const types = new Map((body.types ?? []).map((each) => [each.profile, each.device_type]))
  const chosen = [...report.values()].filter((difference) => {
    if (!isOffered(difference) || difference.isIgnored) return false
    if (difference.kind === 'gateway') return body.gateways === true
    return types.has(difference.profileThere?.id ?? '')
  })
  const groups = await makeGroups(services, base, chosen, body.group_by ?? undefined)
  const rows = chosen.map((difference): RequestedRow => {
    const known = foreignKeys.get(difference.eui)
    const group = groups.idOf(difference)
    return {
      kind: difference.kind,
      eui: difference.eui,
      action: 'adopt',
      name: undefined,
      device: {
        typeId: types.get(difference.profileThere?.id ?? ''),
        key: known?.key,
        joinEui: undefined,
        networkKey: known?.networkKey,
      },
      ...(group !== undefined && { groups: [group] }),
    }
  })
  const results = await carryOutRows(services, { ...base, report, keys, unknown }, rows)
  return sumUp(rows, results, groups.made)
}

function sumUp(
  rows: readonly RequestedRow[],
  results: readonly RowResult[],
  groups: number,
): z.infer<typeof outcome> {
  const done = rows.filter((_, index) => results[index]?.status)
  const refused = rows.flatMap(({ eui }, index) => {
    const { status = false, message = '' } = results[index] ?? {}
    return status ? [] : [{ eui, message }]
  })
  const devices = done.filter(({ kind }) => kind === 'device').length
  const gateways = done.length - devices
  const refusals = refused.slice(0, mostRefusals)
  return { devices, gateways, groups, refused: refused.length, refusals }
}

/** Finds the group of each application or value by its name at the top, and makes what is missing. */
async function makeGroups(
  { db }: RegistrationServices,
  { caller: { organizationId, userId }, now }: Pick<ActionContext, 'caller' | 'now'>,
  chosen: readonly Difference[],
  by: string | undefined,
): Promise<{ made: number; idOf(difference: Difference): number | undefined }> {
  const nameOf = (difference: Difference) => groupNameOf(difference, by)
  const names = [...new Set(chosen.flatMap((each) => nameOf(each) ?? []))]
  if (names.length === 0) return { made: 0, idOf: () => undefined }
  if (names.length > mostGroups) {
    throw invalid({ group_by: [`The devices have more than ${mostGroups} values of it.`] })
  }
  const ids = new Map<string, number>()
  const made = await db.transaction(async (tx) => {
    await groupQueries.lockTrees(tx, organizationId)
    const known = await groupQueries.list(tx, organizationId)
    let count = 0
    for (const name of names) {
      const isIt = (group: { name: string; parent_id: number | null }) =>
        group.parent_id === null && group.name.trim().toLowerCase() === name.toLowerCase()
      const found = known.find(isIt)
      const group =
        found ??
        (await groupQueries.insert(tx, organizationId, { name, parentId: null, userId, now }))
      if (!found) known.push(group)
      if (!found) count += 1
      ids.set(name, group.id)
    }
    return count
  })
  return { made, idOf: (difference) => ids.get(nameOf(difference) ?? '') }
}

function groupNameOf(
  { kind, applicationThere, tagsThere }: Difference,
  by: string | undefined,
): string | undefined {
  if (kind !== 'device' || by === undefined) return undefined
  const tag = by.startsWith('tag:') ? by.slice('tag:'.length) : undefined
  const name = tag === undefined ? applicationThere : usableTags(tagsThere ?? {})[tag]
  return name?.trim().slice(0, longestGroupName) || undefined
}
