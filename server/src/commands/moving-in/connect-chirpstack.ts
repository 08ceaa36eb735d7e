import type { ServiceApi } from '../service-api.ts'
import type { ChirpStackSource } from './chirpstack-source.ts'
import { findAccount } from './import-options.ts'

interface Connecting {
  server: URL
  tenantId: string
  apiKey: string
  isDryRun: boolean
  tell(line: string): void
}

/**
 * Connects the organization with all applications that were read: the service enters its callback in
 * each of them. An account that is there keeps what it has, and gets the applications that it lacks.
 * @throws Error with the service's words where the account is not connected then.
 */
export async function connectApplications(
  service: ServiceApi,
  { applications, devices, profiles }: ChirpStackSource,
  { server, tenantId, apiKey, isDryRun, tell }: Connecting,
): Promise<void> {
  const account = await findAccount(service, 'chirpstack')
  const { application_id, more_application_ids = '', ...known } = account ?? {}
  const held = [application_id ?? '', ...more_application_ids.split(',')]
    .map((id) => id.trim().toLowerCase())
    .filter((id) => id !== '')
  const missing = applications.filter(({ id }) => !held.includes(id.toLowerCase()))
  if (account && missing.length === 0) return
  const isElsewhere = account && URL.parse(account.server ?? '')?.origin !== server.origin
  if (isElsewhere || (account && account.tenant_id !== tenantId.toLowerCase())) {
    throw new Error(
      `The organization is connected with another ChirpStack or tenant (${account.server}): use another organization, or leave out --connect.`,
    )
  }
  const names = missing.map(({ name }) => name).join(', ')
  if (isDryRun) return tell(`Would be connected: ${names}.`)
  const [first, ...others] = [...held, ...missing.map(({ id }) => id)]
  const profile = mostUsed(devices.map((device) => device.profile))
  const [profileId] = [...profiles].find(([, each]) => each.getName() === profile) ?? []
  const body = {
    ...{ server: server.origin, tenant_id: tenantId, device_profile_id: profileId },
    ...known,
    ...{ api_key: apiKey, application_id: first, more_application_ids: others.join(',') },
  }
  const { data } = await service.call('PUT', '/network-accounts/chirpstack', { body })
  if (data.status !== 'connected') throw new Error(data.message)
  tell(`Connected: ${names}.${data.message ? ` ${data.message}` : ''}`)
}

function mostUsed(names: readonly (string | undefined)[]): string | undefined {
  const counts = Map.groupBy(names, (name) => name)
  const [most] = [...counts].sort(([, one], [, other]) => other.length - one.length)
  return most?.[0]
}
