import type { Queryable } from '../../../db/connect.ts'
import { findNetwork } from '../../../networks/index.ts'
import { nameOfMethod } from '../connections/account-name.ts'
import { type AccountStanding, listStandings } from '../connections/account-queries.ts'
import type { ProvisioningTarget } from './outbox-queries.ts'

/** A device or gateway to register at a network, and the kind of account for it. */
type Registering = Pick<ProvisioningTarget, 'kind' | 'network' | 'register_method'>

export type HindranceOf = (registering: Registering) => Hindrance | undefined

/** Why a registration cannot be made now, and whether it waits. */
interface Hindrance {
  /** The reason, for the user. */
  reason: string
  /** The reason, and what happens to the registration. */
  sentence: string
  /**
   * False when the registration does not wait, because the network never accepts registrations from
   * here.
   */
  waits: boolean
}

/**
 * Returns a function that finds the hindrance of a registration. It uses the current accounts of
 * the organization.
 */
export async function findHindrances(db: Queryable, organizationId: number): Promise<HindranceOf> {
  const accounts = await listStandings(db, organizationId)
  return (registering) => {
    const network = findNetwork(registering.network)
    // A gateway of kind `other` is recorded here only.
    if (!network || network.key === 'other') return undefined
    const { kind, register_method } = registering
    if (kind === 'device' && network.capabilities.registration === 'by_hand') {
      const sentence = `${network.name} takes no registrations from here: register the device in its portal as well.`
      return { reason: sentence, sentence, waits: false }
    }
    // A gateway is never registered through the operator's account, unless the organization is the
    // operator.
    const account = accounts.find(
      (one) =>
        one.network === network.key &&
        one.register_method === register_method &&
        (one.is_own || (one.register_method === 'vendor' && kind === 'device')),
    )
    const reason = account
      ? whatIsWrong(network.name, account)
      : whatIsMissing(network, registering)
    return reason === undefined
      ? undefined
      : { reason, sentence: `${reason} The ${kind} stays pending until then.`, waits: true }
  }
}

/** The reasons why what is about to be registered has to wait, by id. */
export async function findReasonsToWait(
  tx: Queryable,
  organizationId: number,
  targets: readonly ProvisioningTarget[],
): Promise<ReadonlyMap<number, string>> {
  if (targets.length === 0) return new Map()
  const hindranceOf = await findHindrances(tx, organizationId)
  return new Map(
    targets.flatMap((target): [number, string][] => {
      const hindrance = hindranceOf(target)
      return hindrance?.waits ? [[target.id, hindrance.sentence]] : []
    }),
  )
}

function whatIsMissing(
  { name, key }: { name: string; key: string },
  { register_method }: Registering,
): string {
  const accountName = nameOfMethod(register_method)
  if (accountName !== undefined) {
    return `The organization has no account ${accountName} at ${name}: connect one with PUT /network-accounts/${key} and account_name.`
  }
  return register_method === 'vendor'
    ? `The operator has no account at ${name} yet, through which the register method vendor goes.`
    : `The organization has no account at ${name}: connect one with PUT /network-accounts/${key}.`
}

/** Only the operator sees the network's message about the operator's account. */
function whatIsWrong(name: string, account: AccountStanding): string | undefined {
  const { is_own, register_method, status, status_message: words } = account
  if (status === 'connected') return undefined
  const accountName = nameOfMethod(register_method)
  const own = accountName === undefined ? 'the account' : `the account ${accountName}`
  const whose = register_method === 'vendor' ? "the operator's account" : own
  const said = is_own && words !== '' ? ` (${words.replace(/\.$/, '')})` : ''
  return status === 'refused'
    ? `${name} refuses ${whose}${said}: it has to be fixed.`
    : `${name} cannot be reached through ${whose} just now${said}: it is tried again.`
}
