import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../db/connect.ts'
import { operatorOrganization } from '../features/accounts/connections/account-name.ts'
import {
  type ChildOrganization,
  findOne,
  type Limits,
  listAll,
  setLimits,
} from '../features/people/child-organizations/child-queries.ts'
import { newLimits } from '../features/people/child-organizations/child-record.ts'
import { begin, find } from '../features/people/child-organizations/deletion-queries.ts'
import { command } from './command.ts'

/** Most lines of one call. */
const most = 1000

export const listOrganizations = command({
  name: 'organization list',
  parameters: [],
  summary:
    'lists organizations: id, the one above, name, devices and organizations of their limits',
  help: `Lists ${most} organizations at most, by id. What one uses counts all that is below it, within its tenant.

  --below ID     only those directly below this one
  --search TEXT  only those whose name has this in it, in any case`,
  options: { below: { type: 'string' }, search: { type: 'string' } },
  run: ({ say, withDatabase }, _parameters, { below, search }) =>
    withDatabase(async ({ db }) => {
      const parent = below === undefined ? undefined : (await findById(db, below)).id
      const found = await listAll(db, { parent, search: search ?? '', most: most + 1 })
      for (const one of found.slice(0, most)) say(describe(one))
      if (found.length === 0) say('There is no such organization.')
      if (found.length > most) say('There are more: name some with --search.')
      return { organizations: found.slice(0, most), more: found.length > most }
    }),
})

export const limitOrganizationCommand = command({
  name: 'organization limit',
  parameters: ['ID'],
  summary: 'sets limits of an organization, which hold for all that is below it, too',
  help: `What is left out stays. A limit below what is used refuses more, and deletes nothing.

  --devices NUMBER        devices
  --organizations NUMBER  organizations below it, up to 1000; organization 1 has no such limit
  --requests NUMBER       requests a minute of a tenant, all members and keys together; or usual`,
  options: {
    devices: { type: 'string' },
    organizations: { type: 'string' },
    requests: { type: 'string' },
  },
  run({ say, log, withDatabase }, [id = ''], values) {
    const limits = readLimits(values)
    return withDatabase(async ({ db }) => {
      const organization = await findById(db, id)
      if (limits.requests_per_minute !== undefined && !organization.is_tenant) {
        throw new Error('Only tenants have a limit of requests.')
      }
      await setLimits(db, organization.id, limits)
      log.info({ organizationId: organization.id, ...limits }, 'limits set by the operator')
      const changed = await findById(db, id)
      say(describe(changed))
      return { organization: changed }
    })
  },
})

export const deleteOrganizationCommand = command({
  name: 'organization delete',
  parameters: ['ID', 'NAME'],
  summary: 'deletes an organization with all that is in it and below it',
  help: `NAME is the name of the organization, repeated. It accepts nothing from now on, and nobody can undo it.
The rest is done by the running service, or at its next start.

  --wait  ends when it is done, and says how far it is`,
  options: { wait: { type: 'boolean' } },
  run: ({ say, log, signal, withDatabase }, [id = '', name = ''], { wait }) =>
    withDatabase(async ({ db }) => {
      const organization = await findById(db, id)
      if (organization.id === operatorOrganization) {
        throw new Error('Organization 1 is the one of the operator, and cannot be deleted.')
      }
      if (organization.name !== name.trim()) {
        throw new Error(`Organization ${id} is not called ${name}: nothing was changed.`)
      }
      const by = { userId: null, now: new Date() }
      const deletion = await db.transaction((tx) => begin(tx, organization.id, by))
      if (deletion === undefined) throw new Error(`There is no organization ${id}.`)
      log.info({ organizationId: organization.id }, 'organization deleted by the operator')
      say(`${organization.name} is being deleted.`)
      if (wait) await waitForEnd(db, deletion, { say, signal })
      return { ...(await find(db, deletion)) }
    }),
})

async function waitForEnd(
  db: Queryable,
  id: number,
  { say, signal }: { say(line: string): void; signal: AbortSignal },
): Promise<void> {
  for (let last = ''; ; await sleep(1000, undefined, { signal })) {
    const deletion = await find(db, id)
    if (!deletion || deletion.state === 'done') break
    const { state, organizations_left, devices_left, uplinks_left } = deletion
    const line = `${state}: ${organizations_left} organizations, ${devices_left} devices and ${uplinks_left} uplinks are left.`
    if (line !== last) say(line)
    last = line
  }
  say('It is deleted.')
}

function describe(one: ChildOrganization): string {
  const { devices, device_limit, organizations, organization_limit } = one
  return [
    one.id,
    one.parent_org_id ?? '-',
    one.name,
    `${devices} of ${device_limit} devices`,
    one.id === operatorOrganization
      ? `${organizations} organizations`
      : `${organizations} of ${organization_limit} organizations`,
    ...(one.request_limit === null ? [] : [`${one.request_limit} requests a minute`]),
    ...(one.is_being_deleted ? ['being deleted'] : []),
  ].join('\t')
}

/** @throws Error for a person to read when there is no such organization. */
async function findById(db: Queryable, text: string): Promise<ChildOrganization> {
  const id = /^\d{1,9}$/.test(text) ? Number(text) : 0
  const organization = id > 0 ? await findOne(db, id) : undefined
  if (organization) return organization
  throw new Error(`There is no organization ${text}. lora-console organization list shows them.`)
}

/** @throws Error for a person to read when a value is no limit, or there is none. */
function readLimits(values: Record<string, string | undefined>): Limits {
  const { devices, organizations, requests } = values
  const given = {
    ...(devices === undefined ? {} : { devices: Number(devices || 'x') }),
    ...(organizations === undefined ? {} : { organizations: Number(organizations || 'x') }),
    ...(requests === undefined
      ? {}
      : { requests_per_minute: requests === 'usual' ? null : Number(requests || 'x') }),
  }
  if (Object.keys(given).length === 0) throw new Error('Name a limit, such as --devices 5000.')
  const { success, data, error } = newLimits.safeParse(given)
  if (success) return data
  throw new Error(error.issues[0]?.message ?? 'This is no limit.')
}
