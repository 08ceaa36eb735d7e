import { z } from 'zod'
import { changeAt } from '../../../http/change-record.ts'
import { type FieldErrors, invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredInteger, requiredText } from '../../../http/fields.ts'
import type { Network } from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import { findDeviceType, firstCustomTypeId } from '../../../sensors/index.ts'
import { endpoint } from '../../core-services.ts'
import { findMissing } from '../../fleet/device-types/device-type-queries.ts'
import { accountNameInAnswer, methodInAnswer } from '../connections/account-name.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { type ConnectionServices, openValues } from '../connections/connections.ts'
import { findProfileFault } from '../connections/device-profiles.ts'
import {
  accountBodyFields,
  accountParams,
  accountQuery,
  methodOf,
  noAccount,
  readNetwork,
} from './account-record.ts'
import { readProfiles, setProfiles } from './profile-queries.ts'
import { refuseVendor } from './set-network-account.ts'

/** The most device types of an account with a profile of their own. */
const mostProfiles = 100

/** A device type, and the profile that its devices get at the network. */
const typeProfile = z.object(
  withExamples(
    {
      device_type: requiredInteger('device type'),
      profile: requiredText('profile').describe("The network's own id of a device profile."),
    },
    { device_type: 16, profile: '00000000-0000-4000-a000-000000000004' },
  ),
)

const profilesRecord = z
  .object({
    ...withExamples(
      {
        network: z.string(),
        register_method: z.enum(['user_account', 'vendor']),
        ...accountNameInAnswer,
        usual: z
          .string()
          .nullable()
          .describe(
            'The profile of all other types: that of the account. Null where there is none.',
          ),
        message: z.string().describe('Why the profiles could not be checked at the network.'),
      },
      {
        network: 'chirpstack',
        register_method: 'user_account',
        usual: '00000000-0000-4000-a000-000000000003',
        message: '',
      },
    ),
    profiles: z.array(typeProfile),
  })
  .meta({ id: 'AccountProfiles' })

function toProfilesRecord(
  { key, profileField }: Network,
  account: StoredAccount,
  profiles: Readonly<Record<string, string>>,
  message = '',
): z.infer<typeof profilesRecord> {
  const usual = profileField === undefined ? undefined : account.account_fields[profileField]
  return {
    network: key,
    ...methodInAnswer(account.register_method),
    usual: usual ?? null,
    message,
    profiles: Object.entries(profiles).map(([type, profile]) => ({
      device_type: Number(type),
      profile,
    })),
  }
}

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

const tooMany = `The profiles may not have more than ${mostProfiles} items.`
const requestBody = z.object({
  ...accountBodyFields,
  profiles: z
    .array(typeProfile, { error: 'The profiles must be a list.' })
    .max(mostProfiles, tooMany),
})
type TypeProfiles = z.infer<typeof requestBody>['profiles']

/** The most profiles that are tried at the network by one request. */
const mostTried = 20
/** In milliseconds, for all of them. */
const longestTrial = 12_000

/**
 * Sets the whole list. Each profile is tried at the network as the account's own would be. Devices
 * that are at the network keep theirs.
 */
export const setAccountProfiles = endpoint({
  summary: 'Choose the device profiles that new devices get at the network, by device type',
  description: `The whole list: a type that is left out gets the profile of the account. 422 for a profile that the network does not have; where it cannot be asked just now, the list is stored and \`message\` says so. The first ${mostTried} different profiles are tried.`,
  params: accountParams,
  body: requestBody,
  examples: [
    {
      name: 'another profile for one type',
      params: { network: 'chirpstack' },
      body: { profiles: [{ device_type: 16, profile: '00000000-0000-4000-a000-000000000004' }] },
    },
  ],
  answer: z.object({ data: profilesRecord }),
  failures: [404],
  change: changeAt('account', 'given profiles', 'network'),
  async handle({ params, body, caller: { organizationId }, record }, services: ConnectionServices) {
    const { db } = services
    const network = readNetwork(params.network)
    const method = methodOf(body)
    refuseVendor(method, organizationId)
    const account = await accountQueries.find(db, organizationId, network.key, method)
    if (!account) throw notFound(noAccount)
    const custom = body.profiles.map(({ device_type }) => device_type)
    const missing = await findMissing(db, organizationId, custom)
    const errors = findFaults(network, body.profiles, missing)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const message = await tryProfiles(services, network, account, body.profiles)
    const profiles = Object.fromEntries(
      body.profiles.map(({ device_type, profile }) => [String(device_type), profile]),
    )
    await db.transaction(async (tx) => {
      await setProfiles(tx, organizationId, account.id, profiles)
      await record(tx)
    })
    return { data: toProfilesRecord(network, account, profiles, message) }
  },
})

function findFaults(
  network: Network,
  profiles: TypeProfiles,
  missing: ReadonlySet<number>,
): FieldErrors {
  const errors: FieldErrors = {}
  const seen = new Set<number>()
  for (const [index, { device_type: type, profile }] of profiles.entries()) {
    const isKnown = type >= firstCustomTypeId ? !missing.has(type) : findDeviceType(type)
    if (!isKnown) errors[`profiles.${index}.device_type`] = ['The selected device type is invalid.']
    else if (seen.has(type)) {
      errors[`profiles.${index}.device_type`] = ['The device type is in the list twice.']
    }
    seen.add(type)
    const fault = findProfileFault(network, profile)
    if (fault) errors[`profiles.${index}.profile`] = [fault]
  }
  return errors
}

/** Throws the 422 for profiles that the network refuses. Returns why they could not be tried. */
async function tryProfiles(
  services: ConnectionServices,
  network: Network,
  account: accountQueries.StoredAccount,
  profiles: TypeProfiles,
): Promise<string> {
  const until = performance.now() + longestTrial
  const different = [...new Set(profiles.map(({ profile }) => profile))]
  for (const profile of different.slice(0, mostTried)) {
    if (performance.now() > until) return `${network.name} takes too long to be asked for all.`
    const failure = await tryProfile(services, network, account, profile)
    if (failure?.kind === 'refused') {
      const index = profiles.findIndex((each) => each.profile === profile)
      throw invalid({ [`profiles.${index}.profile`]: [failure.message] })
    }
    if (failure) return failure.message
  }
  return different.length > mostTried ? `Only the first ${mostTried} profiles were tried.` : ''
}

/** The check of the account, with this profile in place of its own. */
async function tryProfile(
  { connections, sealer }: ConnectionServices,
  network: Network,
  account: accountQueries.StoredAccount,
  profile: string,
): Promise<NetworkError | undefined> {
  const values = { ...openValues(account, sealer), [network.profileField ?? '']: profile }
  const connection = await connections.openAnew(network, values, account)
  try {
    await connection.check()
    return undefined
  } catch (error) {
    if (error instanceof NetworkError) return error
    throw error
  } finally {
    connection.close?.()
  }
}
