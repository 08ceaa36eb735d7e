import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { requiredInteger, requiredText } from '../../http/fields.ts'
import type { Network } from '../../networks/network.ts'
import { accountNameInAnswer, methodInAnswer } from '../connections/account-name.ts'
import type { StoredAccount } from '../connections/account-queries.ts'

/** The most device types of an account with a profile of their own. */
export const mostProfiles = 100

/** A device type, and the profile that its devices get at the network. */
export const typeProfile = z.object(
  withExamples(
    {
      device_type: requiredInteger('device type'),
      profile: requiredText('profile').describe("The network's own id of a device profile."),
    },
    { device_type: 16, profile: '00000000-0000-4000-a000-000000000004' },
  ),
)

export const profilesRecord = z
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

export function toProfilesRecord(
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
