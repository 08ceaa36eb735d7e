import { invalid, notFound, unavailable } from '../../../http/errors.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import type { RegistrationServices } from '../../fleet/devices/registration.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import { noAccount } from '../network-accounts/account-record.ts'
import type { Report } from './actions.ts'
import { type Comparison, compareWithNetwork } from './comparison.ts'
import { type Difference, placeOf } from './difference.ts'
import * as reportQueries from './report-queries.ts'

/** For the network's lists: as long as clients and proxies usually wait. */
export const listSeconds = 120
/** For calls about single devices; the daily comparison has more time. */
const detailSeconds = 30
/** The `Retry-After` when the network is out of reach. */
const pauseSeconds = 30

/** Compares for a request; throws the 422 or 503 that says why it cannot. */
export async function compareOrExplain(
  services: RegistrationServices,
  account: StoredAccount,
  scope: { named?: ReadonlySet<string>; adoptsAll: boolean; takesKeys?: boolean },
): Promise<Comparison> {
  try {
    const patience = { seconds: listSeconds, detailSeconds, ...scope }
    const found = await compareWithNetwork(services, account, patience)
    if (!found) throw notFound(noAccount)
    return found
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    // These may pass; a refusal stays until the account is changed.
    const isPassing = ['unreachable', 'slow_down', 'not_yet'].includes(error.kind)
    if (isPassing) throw unavailable(pauseSeconds, error.message)
    throw invalid({ network: [error.message] })
  }
}

export async function markIgnored(
  { db }: RegistrationServices,
  account: StoredAccount,
  differences: readonly Difference[],
): Promise<Report> {
  const ignored = new Set((await reportQueries.listIgnored(db, account)).map(placeOf))
  return new Map(
    differences.map((difference) => {
      const place = placeOf(difference)
      return [place, { ...difference, isIgnored: ignored.has(place) }]
    }),
  )
}
