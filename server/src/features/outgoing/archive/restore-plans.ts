import { readPicture } from '../../fleet/pictures/picture.ts'
import * as planQueries from '../../insight/plans/plan-queries.ts'
import { archivedPlan } from './archive-format.ts'
import { readRecords } from './read-archive.ts'
import type { Ids, Restored, Restoring } from './restoring.ts'

/**
 * Brings floor plans in, with the devices on them. One of the same name in the same group is the same.
 * @throws Error for an image that is none.
 */
export async function restorePlans(
  restoring: Restoring,
  { groups, devices }: { groups: Ids; devices: Ids },
): Promise<Restored> {
  const { db, organizationId, userId, now, isDryRun } = restoring
  const restored = { added: 0, known: 0 }
  const nameOf = (groupId: number, name: string) => `${groupId} ${name}`
  const stored = await planQueries.list(db, { organizationId }, null)
  const known = new Set(stored.map(({ group_id, name }) => nameOf(group_id, name)))
  for await (const [plan] of readRecords(restoring, 'floor_plans', archivedPlan, 1)) {
    const groupId = plan && groups.get(plan.group_id)
    if (!plan || groupId === undefined) continue
    const isKnown = known.has(nameOf(groupId, plan.name))
    restored[isKnown ? 'known' : 'added'] += 1
    const picture = readPicture(Buffer.from(plan.image, 'base64'))
    if ('fault' in picture) throw new Error(`The floor plan ${plan.name}: ${picture.fault}`)
    if (isKnown || isDryRun) continue
    await db.transaction(async (tx) => {
      const values = { name: plan.name, groupId, picture, userId, now }
      const id = await planQueries.insert(tx, organizationId, values)
      for (const { device, ...position } of plan.positions) {
        const device_id = devices.get(device)
        if (device_id === undefined) continue
        const placed = { device_id, ...position }
        await planQueries.place(tx, organizationId, id, placed)
      }
    })
  }
  return restored
}
