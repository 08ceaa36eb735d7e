// Gateways of The Things Stack, api/ttn/lorawan/v3/gateway.proto: those of a user or an organization by
// the API, or as ttn-lw-cli gateways writes them.
import { usableTags } from '../../features/fleet/inventory/tags.ts'
import { objectOf, objectsOf, textOf } from '../../networks/answer-fields.ts'
import type { JsonObject } from '../../networks/message-fields.ts'
import { findCollaborator } from '../../networks/thethingsnetwork/check-access.ts'
import { listPages, type Session } from '../../networks/thethingsnetwork/client.ts'
import { makeGateway, type SourceGateway, toPosition } from './source-gateway.ts'

/** Without RIGHT_GATEWAY_INFO, a list leaves out what is not public (PublicSafe, pkg/ttnpb). */
const fieldMask = 'ids,name,description,attributes,antennas,frequency_plan_ids'

/** @throws NetworkError */
export async function readStackGateways(session: Session): Promise<SourceGateway[]> {
  const { kind, id } = await findCollaborator(session)
  const path = `/${kind}/${encodeURIComponent(id)}/gateways`
  const gateways: SourceGateway[] = []
  for await (const page of listPages(session, path, 'gateways', fieldMask)) {
    gateways.push(...page.map(toSourceGateway))
  }
  return gateways
}

export function isGateway(thing: JsonObject): boolean {
  return textOf(objectOf(thing.ids).gateway_id) !== ''
}

export function toSourceGateway(gateway: JsonObject): SourceGateway {
  const { gateway_id: id, eui } = objectOf(gateway.ids)
  const { latitude, longitude } = objectOf(objectsOf(gateway.antennas)[0]?.location)
  const plans = Array.isArray(gateway.frequency_plan_ids) ? gateway.frequency_plan_ids : []
  const plan = textOf(plans[0]) || textOf(gateway.frequency_plan_id)
  return makeGateway(textOf(eui), {
    name: textOf(gateway.name) || textOf(id),
    description: textOf(gateway.description),
    tags: usableTags(objectOf(gateway.attributes)),
    // The answers leave out what is 0.
    position: toPosition(latitude ?? 0, longitude ?? 0),
    fields: plan === '' ? {} : { frequency_plan: plan },
    fault: textOf(eui) === '' ? `The gateway "${textOf(id)}" has no EUI.` : undefined,
  })
}
