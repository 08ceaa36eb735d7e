import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { endpoint } from '../core-services.ts'
import { accountParams, accountQuery, methodOf, noAccount, readNetwork } from './account-record.ts'
import { readProfiles } from './profile-queries.ts'
import { profilesRecord, toProfilesRecord } from './profile-record.ts'

export const showAccountProfiles = endpoint({
  summary: 'The device profiles that new devices get at the network, by device type',
  params: accountParams,
  query: accountQuery,
  answer: z.object({ data: profilesRecord }),
  failures: [404],
  async handle({ params, query, caller: { organizationId } }, { db }) {
    const network = readNetwork(params.network)
    const account = await accountQueries.find(db, organizationId, network.key, methodOf(query))
    if (!account) throw notFound(noAccount)
    const profiles = await readProfiles(db, organizationId, account.id)
    return { data: toProfilesRecord(network, account, profiles) }
  },
})
