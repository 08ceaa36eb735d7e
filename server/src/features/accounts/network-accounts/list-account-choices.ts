import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import type {
  AccountValues,
  Choice,
  Network,
  NetworkConnection,
} from '../../../networks/network.ts'
import type { NetworkError } from '../../../networks/network-error.ts'
import { endpoint } from '../../core-services.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { type ConnectionServices, openValues } from '../connections/connections.ts'
import { stepMilliseconds, toNetworkError, within } from './account-checks.ts'
import { accountParams, methodOf, readNetwork } from './account-record.ts'
import { requireValues } from './account-values.ts'
import { checkRecord } from './check-network-account.ts'
import { judgeAccess } from './check-words.ts'
import { accountBody, refuseVendor } from './set-network-account.ts'
import { tryInTurn } from './trial-limits.ts'

const fieldChoices = z
  .object(
    withExamples(
      {
        field: z.string(),
        choices: z
          .array(z.object({ value: z.string(), label: z.string() }))
          .nullable()
          .describe('Null where the network does not list them to this account.'),
        message: z.string().describe("Why there is no list, often in the network's words."),
      },
      {
        field: 'tenant_id',
        choices: [{ value: '00000000-0000-4000-a000-000000000001', label: 'Buildings' }],
        message: '',
      },
    ),
  )
  .meta({ id: 'FieldChoices' })

/** Stores nothing, and changes nothing at the network. */
export const listAccountChoices = endpoint({
  summary: 'The values that the further fields of an account may have, as its network lists them',
  description: `Takes the fields of the account as far as they are known; of the required ones only those that are \`listed\` may be left out, and a secret that is left out is the stored one, as in PUT. \`fields\` has each field that is listed, once the field that it is \`within\` has a value. \`checks\` says whether the network answers and accepts the credentials; where one fails, \`fields\` is empty. It takes at most ${stepMilliseconds / 1000} seconds; 503 when too many accounts are being tried already.`,
  params: accountParams,
  body: accountBody,
  examples: [
    {
      name: 'ChirpStack: server and key',
      params: { network: 'chirpstack' },
      body: { server: 'https://chirpstack.example.com', api_key: 'example.api.key' },
    },
  ],
  changesNothing: true,
  answer: z.object({
    data: z.object({ checks: z.array(checkRecord), fields: z.array(fieldChoices) }),
  }),
  failures: [404, 503],
  async handle({ params, body, caller }, services: ConnectionServices) {
    const { db, sealer, connections } = services
    const network = readNetwork(params.network)
    const registerMethod = methodOf(body)
    refuseVendor(registerMethod, caller.organizationId)
    const stored = await accountQueries.find(db, caller.organizationId, network.key, registerMethod)
    const known = stored ? openValues(stored, sealer) : {}
    const values = requireValues(withoutNeed(network), body, known)
    const found = await tryInTurn(caller, async () => {
      const connection = await connections.openAnew(network, values, stored)
      try {
        return await readFields(connection, listedFields(network, values))
      } finally {
        connection.close?.()
      }
    })
    return { data: toAnswer(network, found) }
  },
})

/** The network with no field required that can be chosen from a list. */
function withoutNeed(network: Network): Network {
  const accountFields = network.accountFields.map(({ required, ...field }) =>
    required && !field.listed ? { ...field, required } : field,
  )
  return { ...network, accountFields }
}

function listedFields({ accountFields }: Network, values: AccountValues): string[] {
  return accountFields
    .filter(({ listed }) => listed && (listed.within === undefined || values[listed.within]))
    .map(({ name }) => name)
}

interface Found {
  field: string
  choices: Choice[] | null
  fault?: NetworkError
}

function readFields(connection: NetworkConnection, fields: string[]): Promise<Found[]> {
  const read = async (field: string): Promise<Found> => {
    try {
      return {
        field,
        choices: await within(connection.listChoices?.(field) ?? Promise.resolve([])),
      }
    } catch (error) {
      return { field, choices: null, fault: toNetworkError(error) }
    }
  }
  return Promise.all(fields.map(read))
}

function toAnswer(network: Network, found: Found[]) {
  const fault = found.find(({ fault }) => fault && isOfAccount(fault))?.fault
  const checks = judgeAccess(network, fault)
  if (fault) return { checks, fields: [] }
  const fields = found.map(({ field, choices, fault }) => ({
    field,
    choices,
    message: fault?.message ?? '',
  }))
  return { checks, fields }
}

/** Whether no other call would do better: the network is away, or does not know the key. */
function isOfAccount({ about, kind }: NetworkError): boolean {
  return about === 'account' || kind === 'unreachable'
}
