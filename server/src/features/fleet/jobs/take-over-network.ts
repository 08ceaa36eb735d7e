import { z } from 'zod'
import { bodyLimits, type Caller } from '../../../http/endpoint.ts'
import { forbidden, invalid, lacksPermission } from '../../../http/errors.ts'
import {
  hexadecimal,
  isStorable,
  optionalBoolean,
  optionalText,
  requiredInteger,
} from '../../../http/fields.ts'
import { normalizeEui } from '../../../lora/eui.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import type { StoredAccount } from '../../accounts/connections/account-queries.ts'
import {
  accountBodyFields,
  accountParams,
  methodOf,
} from '../../accounts/network-accounts/account-record.ts'
import { findComparable } from '../../accounts/reconciliation/comparable-account.ts'
import type { Difference } from '../../accounts/reconciliation/difference.ts'
import {
  compareOrExplain,
  markIgnored,
} from '../../accounts/reconciliation/explained-comparison.ts'
import {
  fleetOffer,
  isOffered,
  type OfferedProfile,
  sumUpOffer,
} from '../../accounts/reconciliation/fleet-offer.ts'
import { takeTurn } from '../../accounts/reconciliation/turns.ts'
import { endpoint } from '../../core-services.ts'
import type { CatalogueModel } from '../catalogue/catalogue-record.ts'
import { type Found, findAll, showModels } from '../catalogue/find-models.ts'
import type { CatalogueServices } from '../catalogue/folder-catalogue.ts'
import { keyOfModel } from '../catalogue/published/catalogue-entry.ts'
import { findMissing, listAll } from '../device-types/device-type-queries.ts'
import { type RegistrationServices, typeUnknown } from '../devices/registration.ts'
import { mostRows } from './job-body.ts'
import { jobChange, jobRecord, toJobRecord } from './job-record.ts'
import type { JobServicesWithRunner } from './job-runner.ts'
import { beginJob } from './jobs.ts'
import { groupNameOf, type TakeOverSettings } from './take-over-rows.ts'

const mostTypes = 200
/** Codecs that are read for one look. */
const mostCodecs = 20
const mostGroups = 1000
/** Devices whose type a request names one by one. */
const mostNamed = 10_000

const requestBody = z.object({
  ...accountBodyFields,
  dry_run: optionalBoolean('dry run').describe('Only look at what is there.'),
  types: z
    .array(
      z.object({
        profile: z
          .string()
          .max(255)
          .refine(isStorable, 'The profile contains a character that is not allowed.')
          .describe('The id of a profile of the look.'),
        device_type: requiredInteger('device type'),
      }),
      { error: 'The types must be an array.' },
    )
    .max(mostTypes, `The types may not have more than ${mostTypes} entries.`)
    .nullish()
    .describe('The device type of each profile. Devices of another profile stay where they are.'),
  devices: z
    .array(
      z.object({
        eui: hexadecimal('EUI', 16),
        device_type: requiredInteger('device type'),
        device_name: optionalText('device name'),
      }),
      {
        error: 'The devices must be an array.',
      },
    )
    .max(mostNamed, `The devices may not have more than ${mostNamed} entries.`)
    .nullish()
    .describe(
      'Types of single devices, such as those of a file, in place of that of their profile; and names in place of those at the network.',
    ),
  group_by: z
    .string({ error: 'The group by must be "application" or the key of a tag, as "tag:site".' })
    .regex(/^(application|tag:.{1,64})$/, {
      error: 'The group by must be "application" or the key of a tag, as "tag:site".',
    })
    .refine(isStorable, 'The group by contains a character that is not allowed.')
    .nullish()
    .describe('Makes a group of each application, or of each value of a tag (`tag:site`).'),
  gateways: optionalBoolean('gateways'),
})

type Body = z.infer<typeof requestBody>

export const takeOverNetwork = endpoint({
  summary: 'Take the devices over that a network has already, with names, groups and types',
  description: `With \`dry_run\` it only looks: how many devices and gateways only the network has, in which applications, with which tags and profiles; for each profile the device type or the model of the device catalogue that it points to, and else the codec that it has there.
Without it, devices that have a type, by themselves or by their profile, come in as they are at the network, with name, JoinEUI, tags, and their key where the account may read it. The network is not changed, and no device joins again. Uplinks that came before are released from the quarantine.
That is done by a job of the kind \`take_over\`, which goes on without the client: \`job\` is its record, null where nothing is to be done. Its rows say what became of each device and gateway. It takes up to 100,000 of them. Repeated, it does only what is missing.
Takes the permission \`manage_devices\`; \`group_by\` and \`gateways\` take \`manage_groups\` and \`manage_gateways\`. Fails as POST /network-accounts/{network}/reconcile does.`,
  params: accountParams,
  bodyLimit: bodyLimits.batch,
  body: requestBody,
  changesNothing: ({ dry_run }) => dry_run === true,
  answer: z.object({ data: z.object({ ...fleetOffer.shape, job: jobRecord.nullable() }) }),
  failures: [404, 409, 503],
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
  change: jobChange('started'),
  async handle(
    { params, body, caller, record },
    services: JobServicesWithRunner & CatalogueServices,
  ) {
    await checkBody(services, caller, body)
    const { organizationId, tenantId } = caller
    const { network, account } = await findComparable(services.db, organizationId, {
      network: params.network,
      registerMethod: methodOf(body),
    })
    const turn = { accountId: account.id, organizationId, tenantId }
    const [offer, chosen] = await takeTurn(turn, async () => {
      const compared = await compareOrExplain(services, account, {
        named: new Set(),
        adoptsAll: false,
      })
      const own = await listAll(services.db, organizationId)
      const named = new Set((body.devices ?? []).map(({ eui }) => normalizeEui(eui)))
      const models = await findModels(services, organizationId, compared.differences)
      const offer = sumUpOffer(compared.differences, { own, models, named })
      if (body.dry_run) {
        const profiles = await withCodecs(services, account, offer.profiles)
        return [{ ...offer, profiles }, []]
      }
      const report = await markIgnored(services, account, compared.differences)
      return [offer, [...report.values()].filter(({ isIgnored }) => !isIgnored)]
    })
    const rows = toRows(chosen, body).slice(0, mostRows)
    if (rows.length === 0) return { data: { ...offer, job: null } }
    const settings: TakeOverSettings = {
      ...{ account_id: account.id, network: network.key },
      ...{ types: body.types ?? [], group_by: body.group_by ?? null },
    }
    const job = await beginJob(services, caller, {
      ...{ kind: 'take_over', title: network.name, settings: { ...settings } },
      ...{ isDryRun: false, rows, more: false, record },
    })
    return { data: { ...offer, job: toJobRecord(job) } }
  },
})

/** Throws the 422 where they would be in too many groups. */
function toRows(differences: readonly Difference[], body: Body): Record<string, unknown>[] {
  const profiles = new Set((body.types ?? []).map(({ profile }) => profile))
  const named = new Map((body.devices ?? []).map((each) => [normalizeEui(each.eui), each]))
  const chosen = differences.filter((difference) => {
    if (!isOffered(difference)) return false
    if (difference.kind === 'gateway') return body.gateways === true
    return named.has(difference.eui) || profiles.has(difference.profileThere?.id ?? '')
  })
  const groups = new Set(chosen.map((each) => groupNameOf(each, body.group_by ?? null)))
  if (groups.size > mostGroups) {
    throw invalid({ group_by: [`The devices have more than ${mostGroups} values of it.`] })
  }
  return chosen.map(({ kind, eui, nameThere }) => {
    if (kind === 'gateway') return { gateway_id: eui, gateway_name: nameThere ?? '' }
    const { device_type, device_name } = named.get(eui) ?? {}
    return { device_id: eui, device_name: device_name?.trim() || nameThere || '', device_type }
  })
}

async function checkBody(
  { db }: RegistrationServices,
  { organizationId, permissions }: Caller,
  { types, devices, group_by, gateways, dry_run }: Body,
): Promise<void> {
  if (dry_run) return
  const needed = [
    'manage_devices' as const,
    ...(group_by ? (['manage_groups'] as const) : []),
    ...(gateways ? (['manage_gateways'] as const) : []),
  ]
  const lacking = needed.find((permission) => !permissions.includes(permission))
  if (lacking) throw forbidden(lacksPermission(lacking))
  for (const [name, chosen] of Object.entries({ types, devices })) {
    const ids = (chosen ?? []).map(({ device_type }) => device_type)
    const missing = await findMissing(db, organizationId, [...new Set(ids)])
    const wrong = ids.findIndex((id) => missing.has(id))
    if (wrong >= 0) throw invalid({ [`${name}.${wrong}.device_type`]: [typeUnknown] })
  }
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
