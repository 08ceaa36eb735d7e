import type { ServiceApi } from '../service-api.ts'
import type { ChirpStackSource } from './chirpstack-source.ts'
import { type Connecting, connectAccount, findMissing } from './connect-source.ts'

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
export async function connectApplications(
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
