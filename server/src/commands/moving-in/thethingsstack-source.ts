// Reads the end devices of applications of The Things Stack from its four registries.

import { objectOf, textOf } from '../../networks/answer-fields.ts'
import type { JsonObject } from '../../networks/message-fields.ts'
import { isMissing } from '../../networks/rest.ts'
import { toServer } from '../../networks/thethingsnetwork/account.ts'
import { listPages, openSession, type Session } from '../../networks/thethingsnetwork/client.ts'
import { devicePath } from '../../networks/thethingsnetwork/device-ids.ts'
import { countOf } from '../command.ts'
import { inTurns } from './in-turns.ts'
import { outsideOf } from './outside-of.ts'
import { isDenied, readIfAllowed } from './read-if-allowed.ts'
import type { Source } from './source.ts'
import type { SourceDevice } from './source-device.ts'
import { type FoundFormatters, noteFormatters, toSourceDevice } from './thethingsstack-file.ts'
import { readStackGateways } from './thethingsstack-gateways.ts'

export interface StackPlace {
  /** The address of the cluster, or its name in the public network. */
  cluster: string
  identityServer: string | undefined
  apiKey: string
  applications: readonly string[]
  /** Whose gateways are read; the owner of the API key if both are left out. */
  owner: { user_id?: string | undefined; organization_id?: string | undefined }
  withGateways: boolean
  signal: AbortSignal
  tell(line: string): void
}

/** @throws NetworkError, or an Error for a person. */
export async function readTheThingsStack(place: StackPlace): Promise<Source> {
  const server = toServer(place.cluster)
  if (!server) throw new Error('--server must be a cluster such as eu1, or its address.')
  const devices: SourceDevice[] = []
  const formatters: FoundFormatters = { codecs: new Map(), lacking: new Map() }
  const openAt = (application: string) => {
    const values = toValues(place, application)
    return openSession(values, outsideOf(server), { deadlineMs: 30_000 })
  }
  for (const application of place.applications) {
    const found = await within(openAt(application), (session) =>
      readApplication(session, place, formatters),
    )
    place.tell(`${application}: ${countOf(found.length, 'device')}.`)
    devices.push(...found)
  }
  const gateways = await within(openAt(place.applications[0] ?? ''), (session) =>
    readIfAllowed(() => readStackGateways(session), {
      isWanted: place.withGateways,
      tell: place.tell,
    }),
  )
  return { name: `The Things Stack at ${server.host}`, devices, ...gateways, ...formatters }
}

function toValues({ cluster, identityServer, apiKey, owner }: StackPlace, application: string) {
  const given = { identity_server: identityServer, ...owner }
  const values = Object.entries(given).filter((entry): entry is [string, string] => !!entry[1])
  return {
    ...Object.fromEntries(values),
    cluster,
    application_id: application,
    api_key: apiKey,
  }
}

async function within<Result>(
  session: Session,
  read: (session: Session) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(session)
  } finally {
    session.close()
  }
}

async function readApplication(
  session: Session,
  { signal, tell }: StackPlace,
  formatters: FoundFormatters,
): Promise<SourceDevice[]> {
  const { applicationId } = session.account
  const path = `/applications/${encodeURIComponent(applicationId)}/devices`
  const devices: SourceDevice[] = []
  const ofApplication = await readDefaultFormatters(session, tell)
  for await (const page of listPages(session, path, 'end_devices')) {
    const read = await inTurns(page, signal, async (listed) => {
      const whole = await readWhole(session, textOf(objectOf(listed.ids).device_id))
      const device = toSourceDevice({ ...whole, ...listed }, applicationId)
      return { device, own: whole.formatters }
    })
    for (const { device, own } of read) noteFormatters(formatters, device, { own, ofApplication })
    devices.push(...read.map(({ device }) => device))
  }
  return devices
}

/** Those of devices without their own. They take a right that a key for devices may lack. */
async function readDefaultFormatters(session: Session, tell: StackPlace['tell']): Promise<unknown> {
  const { applicationId } = session.account
  const path = `/as/applications/${encodeURIComponent(applicationId)}/link`
  try {
    const query = { field_mask: 'default_formatters' }
    return (await session.askCluster({ method: 'GET', path, query })).default_formatters
  } catch (error) {
    if (isMissing(error)) return undefined
    if (!isDenied(error)) throw error
    tell(`${applicationId}: its default formatters are left out. ${error.message}`)
    return undefined
  }
}

/** Its members in the four registries; a registry without the device tells nothing. */
async function readWhole(session: Session, id: string): Promise<JsonObject> {
  const ask = async (
    registry: Parameters<typeof devicePath>[1],
    fields: string,
  ): Promise<JsonObject> => {
    const path = devicePath(session, registry, id)
    const call = { method: 'GET', path, query: { field_mask: fields } } as const
    const answer =
      registry === 'identity' ? session.askIdentityServer(call) : session.askCluster(call)
    return answer.catch((error) => {
      if (isMissing(error)) return {}
      throw error
    })
  }
  const [identity, network, application, join] = [
    await ask('identity', 'ids,name,description,attributes,version_ids'),
    await ask('network', 'ids,supports_join,lorawan_version,frequency_plan_id'),
    await ask('application', 'ids,formatters'),
    await ask('join', 'ids,root_keys.app_key.key,root_keys.nwk_key.key'),
  ]
  return { ...join, ...application, ...network, ...identity }
}
