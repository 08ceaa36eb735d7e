import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { periodOf } from '../../../../test/downlinks.ts'
import {
  addDevice,
  addGateway,
  addLocalDevice,
  euiOf,
  gatewayEuiOf,
} from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'
import { removeDeviceTombstones, removeGatewayTombstones } from './tombstone-queries.ts'

const service = await startTestService({ after })
const { call } = service
const { db } = service.services
const start = service.services.now().getTime()
const day = 24 * 60 * 60 * 1000

/** The EUIs of deleted devices and gateways that are left some days after the start. */
async function leftAfter(days: number): Promise<string[]> {
  const now = new Date(start + days * day)
  await removeDeviceTombstones(db, now)
  await removeGatewayTombstones(db, now)
  const rows = await db.query<{ eui: string }>(
    `select eui from devices where deleted_at is not null
     union all select eui from gateways where deleted_at is not null order by eui`,
  )
  return rows.map(({ eui }) => eui)
}

test('rows of deleted devices and gateways go when nothing needs them', async () => {
  const callback = await connectChirpStack(service)
  const [empty, heard, waiting] = [euiOf(1), euiOf(2), euiOf(3)]
  await addLocalDevice(service, 1)
  const body = { config_field: periodOf(5) }
  await call('POST', `/v1/devices/${empty}/configure`, { body })
  await addLocalDevice(service, 2)
  await post(service, callback, makeUp({ eui: heard }))
  // Its network cannot be called, so it is not told of the deletion.
  await addDevice(service, 3)
  await addGateway(service, 1)
  const gateway = gatewayEuiOf(1)
  await addLocalDevice(service, 4)
  for (const eui of [empty, heard, waiting]) await call('DELETE', `/v1/devices/${eui}`)
  assert.equal((await call('DELETE', `/v1/gateways/${gateway}`)).status, 204)
  await addLocalDevice(service, 1)

  assert.deepEqual(await leftAfter(89), [empty, heard, waiting, gateway])
  assert.deepEqual(await leftAfter(91), [heard, waiting, gateway])
  assert.deepEqual(await leftAfter(367), [heard])
  const uplinks = await call('GET', '/v1/devices/all/uplink')
  assert.equal(uplinks.body.meta.total, 1)
  for (const eui of [empty, euiOf(4)]) {
    assert.equal((await call('GET', `/v1/devices/${eui}`)).status, 200)
  }
})
