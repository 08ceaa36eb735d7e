import { z } from 'zod'
import { notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { tryBroker } from '../../../networks/mqtt/follow-broker.ts'
import type { AccountValues, Network } from '../../../networks/network.ts'
import { endpoint } from '../../core-services.ts'
import { noteAnswered, noteFailedCheck } from '../connections/account-health.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { type ConnectionServices, openValues } from '../connections/connections.ts'
import { makeWorkDue } from '../connections/lane-queries.ts'
import { stepMilliseconds, type TrialResult, tryAccount } from './account-checks.ts'
import {
  accountParams,
  callbackOf,
  isBrokerAlone,
  methodOf,
  noAccount,
  readNetwork,
} from './account-record.ts'
import { requireValues } from './account-values.ts'
import { careNow } from './callback-care.ts'
import { checkNames } from './check-words.ts'
import { accountBody, refuseVendor } from './set-network-account.ts'
import { tryInTurn } from './trial-limits.ts'

export const checkRecord = z
  .object(
    withExamples(
      {
        name: z.enum(checkNames),
        ok: z.boolean().nullable().describe('Null where it cannot be found out now.'),
        message: z.string().describe("What was found, often in the network's words."),
        what_to_do: z.string(),
        fields: z.array(z.string()).describe('The fields of the account that may be wrong.'),
      },
      {
        name: 'credentials',
        ok: false,
        message: 'ChirpStack does not accept the account: InvalidToken.',
        what_to_do: 'Compare with the network: API key.',
        fields: ['api_key'],
      },
    ),
  )
  .meta({ id: 'AccountCheck' })

/** Stores no values. At the network it changes nothing, but sets the callback again that was lost there. */
export const checkNetworkAccount = endpoint({
  summary: 'Try an account at its network, before or after it is saved',
  description: `With fields of the account in the body they are tried without being saved; a secret that is left out is the stored one, as in PUT. Without them the stored account is tried, and its status is set to what is found; a callback that was lost at the network is set again, and the account's \`message\` says so. \`checks\` come in a fixed order; those that do not apply to the network are left out. It takes at most ${(3 * stepMilliseconds) / 1000} seconds; 503 when too many checks wait already.`,
  params: accountParams,
  body: accountBody,
  examples: [{ name: 'the stored account', params: { network: 'chirpstack' }, body: {} }],
  changesNothing: true,
  answer: z.object({
    data: z.object({
      ok: z.boolean().meta({ description: 'Whether no check failed.', examples: [false] }),
      checks: z.array(checkRecord),
    }),
  }),
  failures: [404, 503],
  async handle({ params, body, caller }, services: ConnectionServices) {
    const { organizationId } = caller
    const network = readNetwork(params.network)
    const registerMethod = methodOf(body)
    refuseVendor(registerMethod, organizationId)
    const stored = await accountQueries.find(
      services.db,
      organizationId,
      network.key,
      registerMethod,
    )
    const known = stored ? openValues(stored, services.sealer) : {}
    const isUnsaved = network.accountFields.some(
      ({ name }) => (body as Record<string, unknown>)[name] !== undefined,
    )
    if (!isUnsaved && !stored) throw notFound(noAccount)
    const values = isUnsaved ? requireValues(network, body, known) : known
    const subject = { network, values, stored: isUnsaved ? undefined : stored }
    const { checks } = await tryInTurn(caller, () =>
      check(services, { ...subject, pacedBy: stored }),
    )
    return { data: { ok: checks.every(({ ok }) => ok !== false), checks } }
  },
})

interface Subject {
  network: Network
  values: AccountValues
  /** The account, if it is tried as it is stored. */
  stored: accountQueries.StoredAccount | undefined
  /** The account whose pace the calls keep. */
  pacedBy: accountQueries.StoredAccount | undefined
}

async function check(
  services: ConnectionServices,
  { network, values, stored, pacedBy }: Subject,
): Promise<TrialResult> {
  const { connections, outside } = services
  const connection = await connections.openAnew(network, values, pacedBy)
  // Its check is the login already.
  const broker = isBrokerAlone(network) ? undefined : network.readBroker?.(values)
  try {
    const result = await tryAccount({
      network,
      connection,
      callback: stored && callbackOf(stored, services),
      probeBroker: broker && (() => tryBroker(broker, outside)),
    })
    if (stored) await note(services, stored, result)
    const isLost = result.checks.some(({ name, ok }) => name === 'callback' && ok === false)
    if (stored && isLost && network.capabilities.callbacks) await careNow(services, stored.id)
    return result
  } finally {
    connection.close?.()
  }
}

async function note(
  { db, now }: ConnectionServices,
  { id }: accountQueries.StoredAccount,
  { fault }: TrialResult,
): Promise<void> {
  if (fault) return noteFailedCheck(db, id, fault, now())
  await noteAnswered(db, id, now(), { isProven: true })
  await makeWorkDue(db, id, now())
}
