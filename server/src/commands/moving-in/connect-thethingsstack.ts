import { toServer } from '../../networks/thethingsnetwork/account.ts'
import type { ServiceApi } from '../service-api.ts'
import { type Connecting, connectAccount, findMissing } from './connect-source.ts'
import type { StackPlace } from './thethingsstack-source.ts'

/**
 * Connects the organization with one application: the service enters its webhook there. An account
 * that has it already stays as it is.
 * @throws Error with the service's words where the account is not connected then.
 */
export async function connectApplication(
  service: ServiceApi,
  { cluster, identityServer, applications, apiKey, tell }: StackPlace,
  { accountName, isDryRun }: Connecting,
): Promise<void> {
  const [id = ''] = applications
  const place = { network: 'thethingsnetwork', ...(accountName !== undefined && { accountName }) }
  const origin = toServer(cluster)?.origin
  const { known, missing } = await findMissing(service, {
    place,
    what: 'application or cluster of The Things Stack',
    isSamePlace: (fields) => toServer(fields.cluster ?? '')?.origin === origin,
    applicationsOf: (fields) => [fields.application_id ?? ''],
    applications: [{ id, name: id }],
    takesMore: false,
  })
  if (known && missing.length === 0) return
  if (isDryRun) return tell(`Would be connected: ${id}.`)
  const fields = {
    cluster,
    ...(identityServer && { identity_server: identityServer }),
    application_id: id,
    api_key: apiKey,
  }
  await connectAccount(service, place, { fields, names: id, tell })
}
