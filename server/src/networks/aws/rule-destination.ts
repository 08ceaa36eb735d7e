// HTTP action destinations of AWS IoT Core: developer guide, "HTTP action destinations". AWS sends
// nothing to an address until the address has confirmed that it wants it.
import {
  CreateTopicRuleDestinationCommand,
  DeleteTopicRuleDestinationCommand,
  GetTopicRuleDestinationCommand,
  type IoTClient,
  paginateListTopicRuleDestinations,
  type TopicRuleDestinationSummary,
  UpdateTopicRuleDestinationCommand,
} from '@aws-sdk/client-iot'
import type { CallbackState } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import type { Outside } from '../outside.ts'
import { limitPages } from '../pages.ts'
import { allowMissing, openRest } from '../rest.ts'
import { type AwsAccount, addressOf } from './account.ts'
import { isConflict, RefusedByAws } from './errors.ts'

/** Far more pages of destinations than an account has. */
const mostPages = 100

/** Makes AWS ask the callback for its confirmation, unless it has confirmed already. */
export async function enterDestination(iot: IoTClient, url: string): Promise<void> {
  const known = await findDestination(iot, url)
  if (!known) return createDestination(iot, url)
  if (known.status === 'ENABLED') return
  // A destination that was confirmed and then disabled needs no new confirmation.
  const status = known.status === 'DISABLED' ? 'ENABLED' : 'IN_PROGRESS'
  await iot.send(new UpdateTopicRuleDestinationCommand({ arn: known.arn, status }))
}

/** How long AWS may wait for a confirmation before its absence counts, in milliseconds. */
const confirmationMs = 60_000

/** Undefined if AWS sends to the callback. */
export async function readDestination(
  iot: IoTClient,
  url: string,
  now = Date.now(),
): Promise<CallbackState | undefined> {
  const known = await findDestination(iot, url)
  if (!known) {
    return { state: 'missing', words: 'AWS IoT has no HTTP action destination for the callback.' }
  }
  const { status, statusReason, lastUpdatedAt } = known
  if (status === 'ENABLED') return undefined
  const isNew = now - Number(lastUpdatedAt ?? 0) < confirmationMs
  if (status === 'IN_PROGRESS' && isNew) return undefined
  const words = `The HTTP action destination of the callback is ${status} at AWS IoT${statusReason ? `: ${statusReason}` : ''}.`
  return { state: 'changed', words }
}

export async function withdrawDestination(iot: IoTClient, url: string): Promise<void> {
  const known = await findDestination(iot, url)
  if (!known) return
  await allowMissing(iot.send(new DeleteTopicRuleDestinationCommand({ arn: known.arn })))
}

/**
 * Confirms a destination by calling the address that AWS gave for it. Anybody can post such a
 * message: the address must be one of AWS IoT in the account's region, and the destination one of
 * this account, which AWS is asked with the account's own credentials. Throws `NetworkError`.
 */
export async function confirmDestination(
  iot: IoTClient,
  account: AwsAccount,
  outside: Outside,
  details: Record<string, string>,
): Promise<void> {
  const { arn = '', enableUrl = '' } = details
  const address = checkAddress(account, enableUrl)
  if (!arn.startsWith('arn:aws') || arn.split(':')[3] !== account.region) throw foreign()
  if ((await readStatus(iot, arn)) === 'ENABLED') return
  const base = address.origin
  const rest = openRest({ name: 'AWS IoT', base, outside, secrets: [account.secretAccessKey] })
  try {
    await rest.call({ method: 'GET', path: address.pathname })
  } finally {
    rest.close()
  }
  // The AWS console enables a confirmed destination; the API may leave that to the caller.
  if ((await readStatus(iot, arn)) !== 'DISABLED') return
  await iot.send(new UpdateTopicRuleDestinationCommand({ arn, status: 'ENABLED' }))
}

function checkAddress(account: AwsAccount, enableUrl: string): URL {
  const url = URL.parse(enableUrl)
  const isOurs =
    url !== null &&
    url.origin === addressOf(account, 'iot').origin &&
    url.pathname.startsWith('/confirmdestination/') &&
    !url.username &&
    !url.password
  if (isOurs) return url
  throw new NetworkError(
    'refused',
    `A destination is confirmed at ${addressOf(account, 'iot').host} only.`,
  )
}

async function readStatus(iot: IoTClient, arn: string): Promise<string | undefined> {
  try {
    const answer = await iot.send(new GetTopicRuleDestinationCommand({ arn }))
    const found = answer.topicRuleDestination
    if (found?.arn === arn) return found.status
  } catch (error) {
    if (!(error instanceof RefusedByAws)) throw error
  }
  throw foreign()
}

function foreign(): NetworkError {
  return new NetworkError(
    'refused',
    'The destination to confirm is not one of this AWS account and region that its access key may see (iot:GetTopicRuleDestination).',
  )
}

async function findDestination(
  iot: IoTClient,
  url: string,
): Promise<TopicRuleDestinationSummary | undefined> {
  const pages = paginateListTopicRuleDestinations({ client: iot }, {})
  for await (const page of limitPages('AWS', pages, mostPages)) {
    const found = page.destinationSummaries?.find(
      ({ httpUrlSummary }) => httpUrlSummary?.confirmationUrl === url,
    )
    if (found) return found
  }
  return undefined
}

async function createDestination(iot: IoTClient, confirmationUrl: string): Promise<void> {
  const destinationConfiguration = { httpUrlConfiguration: { confirmationUrl } }
  try {
    await iot.send(new CreateTopicRuleDestinationCommand({ destinationConfiguration }))
  } catch (error) {
    // It was created meanwhile.
    if (!isConflict(error)) throw error
  }
}
