import type { Queryable } from '../../db/connect.ts'
import { findNetwork } from '../../networks/index.ts'
import { type AccountStanding, listStandings } from '../connections/account-queries.ts'
import { noteWaiting, type ProvisioningTarget } from './outbox-queries.ts'

/** Something that is to be registered at a network, and through whose account. */
type Registering = Pick<ProvisioningTarget, 'kind' | 'network' | 'register_method'>

export type HindranceOf = (registering: Registering) => Hindrance | undefined

/** Why a registration is not made just now, and whether it waits for that. */
interface Hindrance {
  /** What is in the way, for the user. */
  reason: string
  /** The same, and what becomes of the registration. */
  sentence: string
  /** False where nothing is waited for: the network takes no registrations from here at all. */
  waits: boolean
}

/** Tells what hinders registrations of the organization, as its accounts stand now. */
export async function findHindrances(db: Queryable, organizationId: number): Promise<HindranceOf> {
  const accounts = await listStandings(db, organizationId)
  return (registering) => {
    const network = findNetwork(registering.network)
    // A gateway of another network is recorded here only.
    if (!network || network.key === 'other') return undefined
    const { kind, register_method } = registering
    if (kind === 'device' && network.capabilities.registration === 'by_hand') {
      const sentence = `${network.name} takes no registrations from here: register the device in its portal as well.`
      return { reason: sentence, sentence, waits: false }
    }
    // A gateway never goes through the operator's account, unless the organization is the operator.
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

/** Says with what was just registered why it waits, where something is in the way. */
export async function noteHindrances(
  tx: Queryable,
  organizationId: number,
  targets: readonly ProvisioningTarget[],
): Promise<void> {
  if (targets.length === 0) return
  const hindranceOf = await findHindrances(tx, organizationId)
  for (const kind of ['device', 'gateway'] as const) {
    const waiting = targets.flatMap((target) => {
      const hindrance = target.kind === kind ? hindranceOf(target) : undefined
      return hindrance?.waits ? { id: target.id, reason: hindrance.sentence } : []
    })
    await noteWaiting(tx, kind, waiting)
  }
}

function whatIsMissing(
  { name, key }: { name: string; key: string },
  { register_method }: Registering,
): string {
  return register_method === 'vendor'
    ? `The operator has no account at ${name} yet, through which the register method vendor goes.`
    : `The organization has no account at ${name}: connect one with PUT /network-accounts/${key}.`
}

/** What the network said of the operator's account is for the operator alone. */
function whatIsWrong(name: string, account: AccountStanding): string | undefined {
  const { is_own, register_method, status, status_message: words } = account
  if (status === 'connected') return undefined
  const whose = register_method === 'vendor' ? "the operator's account" : 'the account'
  const said = is_own && words !== '' ? ` (${words.replace(/\.$/, '')})` : ''
  return status === 'refused'
    ? `${name} refuses ${whose}${said}: it has to be mended.`
    : `${name} cannot be reached through ${whose} just now${said}: it is tried again.`
}
