import { readPicture } from '../../fleet/pictures/picture.ts'
import { placeGateway } from '../../insight/plans/plan-gateway-queries.ts'
import * as planQueries from '../../insight/plans/plan-queries.ts'
import { archivedPlan } from './archive-format.ts'
import { readRecords } from './read-archive.ts'
import type { Ids, Restored, Restoring } from './restoring.ts'

/**
 * Brings floor plans in, with the devices and gateways on them. One of the same name in the same group is the same.
 * @throws Error for an image that is none.
 */
export async function restorePlans(
  restoring: Restoring,
  { groups, devices, gateways }: { groups: Ids; devices: Ids; gateways: Ids },
): Promise<{ restored: Restored; ids: Ids }> {
  const { db, organizationId, userId, now, isDryRun } = restoring
  const restored = { added: 0, known: 0 }
  const nameOf = (groupId: number, name: string) => `${groupId} ${name}`
  const stored = await planQueries.list(db, { organizationId }, null)
  const known = new Map(stored.map(({ id, group_id, name }) => [nameOf(group_id, name), id]))
  const ids: Ids = new Map()
  for await (const [plan] of readRecords(restoring, 'floor_plans', archivedPlan, 1)) {
    const groupId = plan && groups.get(plan.group_id)
    if (!plan || groupId === undefined) continue
    const knownId = known.get(nameOf(groupId, plan.name))
    restored[knownId === undefined ? 'added' : 'known'] += 1
    if (knownId !== undefined) ids.set(plan.id, knownId)
    const picture = readPicture(Buffer.from(plan.image, 'base64'))
    if ('fault' in picture) throw new Error(`The floor plan ${plan.name}: ${picture.fault}`)
    if (knownId !== undefined || isDryRun) continue
    await db.transaction(async (tx) => {
      const values = { name: plan.name, groupId, picture, userId, now }
      const id = await planQueries.insert(tx, organizationId, values)
      ids.set(plan.id, id)
      for (const { device, ...position } of plan.positions) {
        const device_id = devices.get(device)
        if (device_id === undefined) continue
        const placed = { device_id, ...position }
        await planQueries.place(tx, organizationId, id, placed)
      }
      for (const { gateway, ...position } of plan.gateways) {
        const gateway_id = gateways.get(gateway)
        if (gateway_id === undefined) continue
        await placeGateway(tx, organizationId, id, { gateway_id, ...position })
      }
    })
  }
  return { restored, ids }
}
