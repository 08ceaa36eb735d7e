// What an account has, api/ttn/lorawan/v3/end_device_services.proto and gateway_services.proto.
import { isEui } from '../../lora/eui.ts'
import { textOf } from '../answer-fields.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import { type ListedThing, NetworkError } from '../network.ts'
import { RefusedCall } from '../rest.ts'
import { findCollaborator } from './check-access.ts'
import type { Session } from './client.ts'
import { idsOf } from './device-ids.ts'

/** 1000 is the most that may be asked for. */
const pageSize = 500

export async function* listDevices(session: Session): AsyncGenerator<ListedThing[]> {
  const path = `/applications/${encodeURIComponent(session.account.applicationId)}/devices`
  for await (const page of listPages(session, path, 'end_devices')) {
    yield page.flatMap((device) => {
      const joinEui = textOf(idsOf(device).join_eui).toUpperCase()
      const things = toListed(device, textOf(idsOf(device).dev_eui))
      return things.map((thing) => (isEui(joinEui) ? { ...thing, joinEui } : thing))
    })
  }
}

/** A key without the right is good for all else: the error says that it is about gateways. */
export async function* listGateways(session: Session): AsyncGenerator<ListedThing[]> {
  const { kind, id } = await findCollaborator(session)
  const path = `/${kind}/${encodeURIComponent(id)}/gateways`
  try {
    for await (const page of listPages(session, path, 'gateways')) {
      yield page.flatMap((gateway) => toListed(gateway, textOf(idsOf(gateway).eui)))
    }
  } catch (error) {
    if (!(error instanceof RefusedCall) || error.status !== 403) throw error
    throw new NetworkError('unauthorized', error.message, { about: 'gateway' })
  }
}

async function* listPages(
  session: Session,
  path: string,
  member: string,
): AsyncGenerator<JsonObject[]> {
  for (let page = 1; ; page += 1) {
    const query = { field_mask: 'ids,name', order: 'created_at', limit: pageSize, page }
    const answer = await session.askIdentityServer({ method: 'GET', path, query })
    const list = answer[member]
    const things = Array.isArray(list) ? list.filter(isObject) : []
    yield things
    if (things.length < pageSize) return
  }
}

/** Without an EUI (an ABP device, a gateway that has none) it is nothing of ours. */
function toListed(thing: JsonObject, eui: string): ListedThing[] {
  return isEui(eui) ? [{ eui: eui.toUpperCase(), name: textOf(thing.name) }] : []
}
