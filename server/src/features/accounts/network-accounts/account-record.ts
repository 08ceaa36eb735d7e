import { z } from 'zod'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { queryChoice } from '../../../http/fields.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { AccountField, Callback, Network } from '../../../networks/network.ts'
import { callbackHeaderOf } from '../../../uplinks/receive/senders.ts'
import { verdictRecord } from '../../fleet/inventory/verdict.ts'
import {
  accountNameField,
  accountNameInAnswer,
  methodInAnswer,
  readMethod,
  type WireMethod,
} from '../connections/account-name.ts'
import type { RegisterMethod, StoredAccount } from '../connections/account-queries.ts'
import { callbackUrlOf } from '../connections/callback-secret.ts'
import { callbackMessageOf, toAccountVerdict } from './account-verdict.ts'

/** An account in the API, without its secrets. */
export const accountRecord = z
  .object(
    withExamples(
      {
        network: z.string(),
        register_method: z.enum(['user_account', 'vendor']),
        ...accountNameInAnswer,
        status: z.enum(['connected', 'unreachable', 'refused']),
        message: z.string(),
        account: z.record(z.string(), z.string()),
        callback: z.object({ url: z.string(), header: z.string(), value: z.string().nullable() }),
      },
      {
        network: 'chirpstack',
        register_method: 'user_account',
        status: 'connected',
        message: '',
        account: {
          server: 'https://chirpstack.example.com',
          tenant_id: '00000000-0000-4000-a000-000000000001',
          application_id: '00000000-0000-4000-a000-000000000002',
          device_profile_id: '00000000-0000-4000-a000-000000000003',
        },
        callback: {
          url: 'https://console.example.com/v1/callbacks/chirpstack/00000000-0000-4000-a000-000000000009',
          header: 'x-callback-secret-00000000',
          value: 'exampleSecretM2kzRtVw9LhYc4Ns8Ed1Bf6Gp3Uo5T',
        },
      },
    ),
  )
  .meta({ id: 'NetworkAccount' })

type Listed = NonNullable<AccountField['listed']>

/** A field that connecting an account takes. */
export const accountFieldRecord = z.object(
  withExamples(
    {
      name: z.string(),
      label: z.string(),
      required: z.boolean(),
      secret: z.boolean(),
      listed: z
        .object({
          label: z.string().describe('The label where a name is chosen, in place of `label`.'),
          within: z.string().nullable().describe('The field whose value the list depends on.'),
          several: z.boolean().describe('Whether a value is a list, with commas.'),
        })
        .nullable()
        .describe('Not null where the network can list the values.'),
    },
    { name: 'api_key', label: 'API key', required: true, secret: true, listed: null },
  ),
)

export function toAccountFields({ accountFields }: Network): z.infer<typeof accountFieldRecord>[] {
  return accountFields.map(({ name, label, required = false, secret = false, listed }) => ({
    name,
    label,
    required,
    secret,
    listed: listed ? toListed(listed) : null,
  }))
}

function toListed({ as, within, several }: Listed) {
  return { label: as, within: within ?? null, several: several ?? false }
}

/** A line of the list of accounts: a network, connected or not, with its fields. */
export const listedAccount = z
  .object({
    ...accountRecord.shape,
    ...withExamples({ name: z.string() }, { name: 'ChirpStack v4' }),
    status: z.enum(['connected', 'unreachable', 'refused', 'not_connected']),
    account: accountRecord.shape.account.nullable(),
    callback: accountRecord.shape.callback.nullable(),
    verdict: verdictRecord.nullable(),
    fields: z.array(accountFieldRecord),
  })
  .meta({ id: 'ListedNetworkAccount' })

interface Opener {
  sealer: Sealer
  publicUrl: string
}

/** Only members with `manage_account` see the callback's value: it allows to send uplinks. */
export function toAccountRecord(
  account: StoredAccount,
  opener: Opener,
  caller: Pick<Caller, 'permissions'>,
): z.infer<typeof accountRecord> {
  return {
    network: account.network,
    ...methodInAnswer(account.register_method),
    status: account.status,
    message: messageOf(account),
    account: account.account_fields,
    callback: caller.permissions.includes('manage_account')
      ? callbackOf(account, opener)
      : { ...addressOf(account, opener), value: null },
  }
}

const unknownBroker = 'The MQTT broker is not reached yet.'

/** Joins the messages about the network's API, its callback and its broker. */
function messageOf(account: StoredAccount): string {
  const { status_message, broker_message, account_fields } = account
  const broker = account_fields.mqtt_url ? (broker_message ?? unknownBroker) : ''
  return [status_message, callbackMessageOf(account), broker]
    .filter((words) => words !== '')
    .map((words, at, all) => (at + 1 < all.length && !/[.!?]$/.test(words) ? `${words}.` : words))
    .join(' ')
}

/** The callback that the network must call with the account's events. */
export function callbackOf(account: StoredAccount, { sealer, publicUrl }: Opener): Callback {
  return {
    ...addressOf(account, { publicUrl }),
    value: sealer.open(account.sealed_callback_secret, sealContext('callbackSecret', account.id)),
  }
}

function addressOf(account: StoredAccount, { publicUrl }: Pick<Opener, 'publicUrl'>) {
  return {
    url: callbackUrlOf(publicUrl, account),
    header: callbackHeaderOf(account.network, account.uuid),
  }
}

/** One line for each of the network's accounts, or one line without an account. */
export function toListedAccounts(
  network: Network,
  accounts: StoredAccount[],
  opener: Opener & { now(): Date },
  caller: Pick<Caller, 'permissions'>,
): z.infer<typeof listedAccount>[] {
  const fields = toAccountFields(network)
  if (accounts.length === 0) {
    const nothing = {
      status: 'not_connected',
      message: '',
      account: null,
      callback: null,
      verdict: null,
    } as const
    const { key, name } = network
    return [{ network: key, name, register_method: 'user_account', ...nothing, fields }]
  }
  return accounts.map((account) => ({
    name: network.name,
    ...toAccountRecord(account, opener, caller),
    verdict: toAccountVerdict(account, opener.now()),
    fields,
  }))
}

/** Whether there is no API: the account is the login at a broker. */
export function isBrokerAlone({ accountFields }: Network): boolean {
  return accountFields.some(({ name, required }) => name === 'mqtt_url' && required === true)
}

/** The parameters that the endpoints of one account share. */
export const accountParams = z.object({
  network: z.string().meta({ description: 'Network key.', examples: ['chirpstack'] }),
})

export const registerMethodField = queryChoice('register method', [
  'user_account',
  'vendor',
]).default('user_account')

/** The query parameters that name an account of the network. */
export const accountQueryFields = {
  register_method: registerMethodField,
  account_name: accountNameField.optional(),
}

export const accountQuery = z.object(accountQueryFields)

/** The members of a body that name an account of the network. */
export const accountBodyFields = {
  register_method: registerMethodField,
  account_name: accountNameField.nullish(),
}

/** The account that a query or a body names. */
export function methodOf(named: {
  register_method: WireMethod
  account_name?: string | null | undefined
}): RegisterMethod {
  return readMethod(named.register_method, named.account_name)
}

/** The network of the path, by its key or alias. */
export function readNetwork(key: string): Network {
  const network = findNetwork(key)
  if (!network) throw notFound('Network not found')
  return network
}

export const noAccount = 'Network account not found'
