// Devices as things of AWS IoT Core, named by their DevEUI: AWS IoT API reference, CreateThing.
import {
  CreateThingCommand,
  DeleteThingCommand,
  DescribeThingCommand,
  type DescribeThingResponse,
  DetachThingPrincipalCommand,
  paginateListThingPrincipals,
  paginateListThings,
  UpdateThingCommand,
} from '@aws-sdk/client-iot'
import { toListed } from '../answer-fields.ts'
import { isConflict, RefusedByAws } from '../aws/errors.ts'
import type { ListedThing, NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { limitPages } from '../pages.ts'
import { allowMissing, isMissing } from '../rest.ts'
import type { Session } from './client.ts'

/** The attribute by which a thing is known to be one of this account's devices. */
const owner = 'topic_prefix'
const pageSize = 100
const mostPrincipalPages = 100

/** Creates the thing, or adopts it if it exists. Keys and regions mean nothing to AWS IoT. */
export async function addDevice(session: Session, { devEui, name }: NetworkDevice): Promise<void> {
  const { iot, account } = session
  const attributes = { name: toAttribute(name), [owner]: account.topicPrefix }
  try {
    const thing = { thingName: devEui, attributePayload: { attributes } }
    await iot.send(new CreateThingCommand(thing))
  } catch (error) {
    if (!isConflict(error)) throw error
    if (!(await findOwnThing(session, devEui))) {
      throw new NetworkError(
        'refused',
        `This AWS account has a thing ${devEui} that is not one of ${owner} ${account.topicPrefix}: the attribute ${owner} of the thing says so.`,
      )
    }
    await writeName(session, devEui, name)
  }
}

export async function renameDevice(session: Session, devEui: string, name: string): Promise<void> {
  if (await findOwnThing(session, devEui)) return writeName(session, devEui, name)
  throw new NetworkError('refused', `AWS has no thing ${devEui} of this account.`)
}

/** Does not touch a thing that is not one of ours. */
export async function removeDevice(session: Session, devEui: string): Promise<void> {
  if (!(await findOwnThing(session, devEui))) return
  const hadPrincipals = await detachPrincipals(session, devEui)
  try {
    await session.iot.send(new DeleteThingCommand({ thingName: devEui }))
  } catch (error) {
    if (isMissing(error)) return
    // A detachment takes effect after some seconds (DetachThingPrincipal).
    const isTooEarly = hadPrincipals && error instanceof RefusedByAws && error.kind === 'refused'
    throw isTooEarly ? new NetworkError('not_yet', error.message) : error
  }
}

export async function* listDevices({ iot, account }: Session): AsyncGenerator<ListedThing[]> {
  const query = {
    attributeName: owner,
    attributeValue: account.topicPrefix,
    maxResults: pageSize,
  }
  for await (const page of limitPages('AWS', paginateListThings({ client: iot }, query))) {
    yield (page.things ?? []).flatMap(({ thingName, attributes }) =>
      toListed(thingName, fromAttribute(attributes?.name ?? '')),
    )
  }
}

async function writeName({ iot }: Session, devEui: string, name: string): Promise<void> {
  const attributePayload = { attributes: { name: toAttribute(name) }, merge: true }
  await iot.send(new UpdateThingCommand({ thingName: devEui, attributePayload }))
}

async function findOwnThing(
  { iot, account }: Session,
  devEui: string,
): Promise<DescribeThingResponse | undefined> {
  const thing = await allowMissing(iot.send(new DescribeThingCommand({ thingName: devEui })))
  return thing?.attributes?.[owner] === account.topicPrefix ? thing : undefined
}

/**
 * AWS deletes no thing that has a certificate. The certificates themselves stay: they are the
 * owner's.
 */
async function detachPrincipals({ iot }: Session, thingName: string): Promise<boolean> {
  const principals: string[] = []
  const pages = paginateListThingPrincipals({ client: iot }, { thingName })
  for await (const page of limitPages('AWS', pages, mostPrincipalPages)) {
    principals.push(...(page.principals ?? []))
  }
  for (const principal of principals) {
    await iot.send(new DetachThingPrincipalCommand({ thingName, principal }))
  }
  return principals.length > 0
}

/** AttributeValue of the AWS IoT API reference: neither spaces nor letters beyond ASCII. */
const longestValue = 800

/**
 * Encodes the name of a device for the attribute of a thing: `Back#20door`. Other characters are
 * encoded as in a URL, with `#` in place of the percent sign; a name that is too long is cut.
 */
export function toAttribute(name: string): string {
  let value = ''
  for (const character of name) {
    const isAllowed = /^[\w.,@/:=-]$/.test(character)
    const digits = Buffer.from(character).toString('hex').toUpperCase()
    const next = isAllowed ? character : digits.replace(/../g, '#$&')
    if (value.length + next.length > longestValue) break
    value += next
  }
  return value
}

export function fromAttribute(value: string): string {
  try {
    return decodeURIComponent(value.replace(/#(?=[0-9A-F]{2})/g, '%'))
  } catch {
    return value
  }
}
