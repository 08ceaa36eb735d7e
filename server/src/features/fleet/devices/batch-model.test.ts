import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { deviceKey, doorType, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { fc } from '../../../../test/properties.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

/** Random batches of two organizations against a model that takes one item at a time. */

const service = await startTestService({ after })
const { db } = service.services
const deviceLimit = 4

type Action = 'create' | 'update' | 'delete'
interface Item {
  action: Action | 'CREATE' | 'Delete' | 'move'
  number: number
  name: string
  isLower: boolean
}

/** DevEUI to the device under it, by number. */
type Model = Map<number, { owner: number; name: string; deviceId: string }>

const items = fc.array(
  fc.record<Item>({
    action: fc.constantFrom('create', 'create', 'CREATE', 'update', 'delete', 'Delete', 'move'),
    number: fc.integer({ min: 1, max: 6 }),
    name: fc.constantFrom('Gate', 'Door', 'Wall', ''),
    isLower: fc.boolean(),
  }),
  { maxLength: 14 },
)
const batches = fc.array(fc.record({ owner: fc.constantFrom(0, 1), items }), {
  minLength: 1,
  maxLength: 5,
})

function idOf({ number, isLower }: Item): string {
  return isLower ? euiOf(number).toLowerCase() : euiOf(number)
}

function toBody(item: Item) {
  return {
    action: item.action,
    deviceId: idOf(item),
    deviceName: item.name,
    provisioningData: {
      network: 'chirpstack',
      registerMethod: 'vendor',
      deviceKey,
      deviceTypeId: doorType.id,
      joinEui: '0000000000000000',
    },
  }
}

/** Message and deviceId of one item, done to the model. */
function apply(model: Model, owner: number, item: Item): [string, string | null] {
  const action = item.action.toLowerCase() as Action | 'move'
  const refused: [string, null] = ['Device registration failed due to the validation errors.', null]
  if (action === 'move' || (action !== 'delete' && item.name === '')) return refused
  const device = model.get(item.number)
  if (action === 'create') {
    const count = [...model.values()].filter((each) => each.owner === owner).length
    if (device || count >= deviceLimit) return refused
    model.set(item.number, { owner, name: item.name, deviceId: idOf(item) })
    return ['Device added successfully', idOf(item)]
  }
  if (device?.owner !== owner) return ['device not found', idOf(item)]
  if (action === 'delete') {
    model.delete(item.number)
    return ['Device deleted successfully', device.deviceId]
  }
  device.name = item.name
  return ['Device updated successfully', device.deviceId]
}

async function list(as: Login): Promise<[string, string][]> {
  const answer = await service.call('GET', '/v1/devices?itemsPerPage=100', { as })
  return answer.body.data
    .map((each: Record<string, string>) => [each.device_id, each.device_name])
    .sort()
}

function listModel(model: Model, owner: number): [string, string][] {
  return [...model.values()]
    .filter((device) => device.owner === owner)
    .map(({ deviceId, name }): [string, string] => [deviceId, name])
    .sort()
}

test('batches do what their items would do one by one', async () => {
  const owners = [
    await foundOrganization(service, 'one@example.test'),
    await foundOrganization(service, 'two@example.test'),
  ]
  await db.query('update organizations set device_limit = $1 where id <> 1', [deviceLimit])
  await fc.assert(
    fc.asyncProperty(batches, async (sent) => {
      const model: Model = new Map()
      for (const batch of sent) {
        const answer = await service.call('POST', '/v1/batch-device-requests', {
          as: owners[batch.owner] ?? null,
          body: { devices: batch.items.map(toBody) },
        })
        assert.equal(answer.status, 200, answer.text)
        assert.deepEqual(
          answer.body.data.map((each: Record<string, unknown>) => [each.message, each.deviceId]),
          batch.items.map((item) => apply(model, batch.owner, item)),
        )
      }
      for (const [index, owner] of owners.entries()) {
        assert.deepEqual(await list(owner), listModel(model, index))
      }
      await assertSound()
      await clear(owners)
    }),
    { numRuns: 30 },
  )
})

/** The counters are right, and the outbox asks for what is there, and for nothing that is not. */
async function assertSound(): Promise<void> {
  const wrong = await db.query(
    // What is on other machines on Citus is read before it is joined.
    `with devices as materialized (
       select id, organization_id, deleted_at from public.devices
     )
     select 'count' as what, id from organizations
     left join (
       select organization_id, count(*) as stored from devices where deleted_at is null
       group by organization_id
     ) as counts on counts.organization_id = organizations.id
     where device_count <> coalesce(stored, 0)
     union all
     select 'not offered', id from devices
     where deleted_at is null and id not in (
       select device_id from provisioning where action = 'add' and device_id is not null
     )
     union all
     select 'offered though deleted', devices.id from devices
     join provisioning on provisioning.device_id = devices.id
     where deleted_at is not null
     union all
     select 'without state', id from devices
     where id not in (select device_id from device_states)`,
  )
  assert.deepEqual(wrong, [])
}

async function clear(owners: readonly Login[]): Promise<void> {
  for (const as of owners) {
    const devices = (await list(as)).map(([deviceId]) => ({ action: 'delete', deviceId }))
    await service.call('POST', '/v1/batch-device-requests', { as, body: { devices } })
  }
}
