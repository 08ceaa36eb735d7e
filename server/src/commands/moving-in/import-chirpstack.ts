import { command, WrongUse } from '../command.ts'
import type { ServiceApi } from '../service-api.ts'
import type { ChirpStackSource } from './chirpstack-source.ts'
import { type Connecting, connectAccount, findMissing } from './connect-source.ts'
import {
  bringIn,
  importHelp,
  importOptions,
  openService,
  reachService,
  readSourceAccount,
  sourceKeyOf,
} from './import-options.ts'
import { readAccount } from './known-accounts.ts'
import type { DevicePlace } from './source-device.ts'

interface ChirpStackConnecting extends Connecting {
  server: URL
  tenantId: string
  apiKey: string
  tell(line: string): void
}

/**
 * Connects the organization with all applications that were read: the service enters its callback in
 * each of them. An account that is there keeps what it has, and gets the applications that it lacks.
 * @throws Error with the service's words where the account is not connected then.
 */
async function connectApplications(
  service: ServiceApi,
  { applications, devices, profiles }: ChirpStackSource,
  { server, tenantId, apiKey, accountName, isDryRun, tell }: ChirpStackConnecting,
): Promise<void> {
  const place = { network: 'chirpstack', ...(accountName !== undefined && { accountName }) }
  const { known, held, missing } = await findMissing(service, {
    place,
    what: 'ChirpStack or tenant',
    isSamePlace: (fields) =>
      URL.parse(fields.server ?? '')?.origin === server.origin &&
      fields.tenant_id === tenantId.toLowerCase(),
    applicationsOf,
    applications,
    takesMore: true,
  })
  if (known && missing.length === 0) return
  const names = missing.map(({ name }) => name).join(', ')
  if (isDryRun) return tell(`Would be connected: ${names}.`)
  const [first, ...others] = [...held, ...missing.map(({ id }) => id)]
  const profile = mostUsed(devices.map((device) => device.profile))
  const [profileId] = [...profiles].find(([, each]) => each.getName() === profile) ?? []
  const fields = {
    server: server.origin,
    tenant_id: tenantId,
    device_profile_id: profileId,
    ...known,
    api_key: apiKey,
    application_id: first,
    more_application_ids: others.join(','),
  }
  await connectAccount(service, place, { fields, names, tell })
}

function applicationsOf({ application_id, more_application_ids = '' }: Record<string, string>) {
  return [application_id ?? '', ...more_application_ids.split(',')]
    .map((id) => id.trim().toLowerCase())
    .filter((id) => id !== '')
}

function mostUsed(names: readonly (string | undefined)[]): string | undefined {
  const counts = Map.groupBy(names, (name) => name)
  const [most] = [...counts].sort(([, one], [, other]) => other.length - one.length)
  return most?.[0]
}

export const importChirpStack = command({
  name: 'import chirpstack',
  parameters: [],
  summary: 'takes devices, grouped by application, and gateways over from ChirpStack v4',
  help: `Reads the applications, device profiles, devices and gateways of a tenant, with the keys of devices,
and changes nothing there. SOURCE_API_KEY is an API key of the tenant (Tenant, API Keys).

  --server URL       ChirpStack, as http://host:8080; that of the organization's account if left out
  --tenant ID        the tenant, in the same way
  --application NAME only this application, by name or ID; may be repeated
  --connect          first connects the organization with all of these applications: the service enters
                     its address in the HTTP integration of each. With --account it connects a further
                     account, for a second server or tenant
  --no-gateways      leaves out the gateways of the tenant
${importHelp}`,
  options: {
    ...importOptions,
    server: { type: 'string' },
    tenant: { type: 'string' },
    application: { type: 'string', multiple: true, default: [] as string[] },
    connect: { type: 'boolean' },
    'no-gateways': { type: 'boolean' },
  },
  async run(context, _parameters, values) {
    const service = openService(context, values)
    const accountName = readSourceAccount(values)
    const place = await findPlace(service, values, { network: 'chirpstack', ...accountName })
    const tell = context.say
    const apiKey = sourceKeyOf(context, 'ChirpStack')
    const { application: applications, connect = false } = values
    const { signal } = context
    const withGateways = !values['no-gateways']
    const asked = { ...place, apiKey, applications, withGateways, signal, tell }
    await reachService(service)
    // With gRPC, which no other command needs.
    const { readChirpStack } = await import('./chirpstack-source.ts')
    const source = await readChirpStack(asked)
    const isDryRun = values['dry-run'] ?? false
    if (connect) {
      const connecting = { ...place, ...accountName, apiKey, isDryRun, tell }
      await connectApplications(service, source, connecting)
    }
    return bringIn(context, service, values, {
      source,
      usual: { way: 'adopt', network: 'chirpstack' },
      isConnected: !(connect && isDryRun),
    })
  },
})

/** The server and tenant that are typed, or those of the account at `of`. */
async function findPlace(
  service: ServiceApi,
  { server, tenant }: { server?: string | undefined; tenant?: string | undefined },
  of: DevicePlace,
) {
  const isNamed = server !== undefined && tenant !== undefined
  const account = isNamed ? undefined : await readAccount(service, of)
  const address = URL.parse(server ?? account?.server ?? '')
  const tenantId = tenant ?? account?.tenant_id
  if (!address) throw new WrongUse('--server must be like http://host:8080 or https://host.')
  if (!tenantId) throw new WrongUse('--tenant must be the ID of a tenant of ChirpStack.')
  return { server: address, tenantId }
}
