import { command, WrongUse } from '../command.ts'
import type { ServiceApi } from '../service-api.ts'
import { readChirpStack } from './chirpstack-source.ts'
import { connectApplications } from './connect-chirpstack.ts'
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

export const importChirpStack = command({
  name: 'import chirpstack',
  parameters: [],
  summary: 'takes devices, grouped by application, and gateways over from ChirpStack v4',
  help: `Reads the applications, device profiles, devices and gateways of a tenant, with the keys of devices,
and changes nothing there. SOURCE_API_KEY is an API key of the tenant (Tenant, API Keys).

  --server URL       ChirpStack, as http://host:8080; that of the organization's account if left out
  --tenant ID        the tenant; likewise
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
