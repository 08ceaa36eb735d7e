import { command, WrongUse } from '../command.ts'
import type { ServiceApi } from '../service-api.ts'
import { readChirpStack } from './chirpstack-source.ts'
import { connectApplications } from './connect-chirpstack.ts'
import {
  bringIn,
  importHelp,
  importOptions,
  openService,
  readAccount,
  sourceKeyOf,
} from './import-options.ts'

export const importChirpStack = command({
  name: 'import chirpstack',
  parameters: [],
  summary: 'takes devices over from ChirpStack v4, grouped by application',
  help: `Reads the applications, device profiles and devices of a tenant, with their keys, and changes nothing
there. SOURCE_API_KEY is an API key of the tenant (Tenant, API Keys).

  --server URL       ChirpStack, as http://host:8080; that of the organization's account if left out
  --tenant ID        the tenant; likewise
  --application NAME only this application, by name or ID; may be repeated
  --connect          first connects the organization with all of these applications: the service enters
                     its address in the HTTP integration of each
${importHelp}`,
  options: {
    ...importOptions,
    server: { type: 'string' },
    tenant: { type: 'string' },
    application: { type: 'string', multiple: true, default: [] as string[] },
    connect: { type: 'boolean' },
  },
  async run(context, _parameters, values) {
    const service = openService(context, values)
    const place = await findPlace(service, values)
    const tell = context.say
    const apiKey = sourceKeyOf(context, 'ChirpStack')
    const { application: applications, connect = false } = values
    const { signal } = context
    const source = await readChirpStack({ ...place, apiKey, applications, signal, tell })
    const isDryRun = values['dry-run'] ?? false
    if (connect) await connectApplications(service, source, { ...place, apiKey, isDryRun, tell })
    return bringIn(context, service, values, {
      source,
      usual: { way: 'adopt', network: 'chirpstack' },
      isConnected: !(connect && isDryRun),
    })
  },
})

/** The server and tenant that are typed, or those of the account. */
async function findPlace(
  service: ServiceApi,
  { server, tenant }: { server?: string | undefined; tenant?: string | undefined },
) {
  const isNamed = server !== undefined && tenant !== undefined
  const account = isNamed ? undefined : await readAccount(service, 'chirpstack')
  const address = URL.parse(server ?? account?.server ?? '')
  const tenantId = tenant ?? account?.tenant_id
  if (!address) throw new WrongUse('--server must be like http://host:8080 or https://host.')
  if (!tenantId) throw new WrongUse('--tenant must be the ID of a tenant of ChirpStack.')
  return { server: address, tenantId }
}
