import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { settleStates } from '../../../../test/device-states.ts'
import { addDevice, addGateway, addLocalDevice, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'

const service = await startTestService({ after })
const { db, now } = service.services
const read = async () => {
  const answer = await service.call('GET', '/v1/fleet/summary')
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

test('is all zero for a new organization', async () => {
  const as = await foundOrganization(service, 'new@example.test')
  const { body } = await service.call('GET', '/v1/fleet/summary', { as })
  assert.equal(body.data.devices.total, 0)
  assert.equal(body.data.uplinks.hours.length, 168)
  assert.deepEqual(body.data.accounts, [])
})

test('counts devices as the list of devices filters them', async () => {
  const callback = await connectChirpStack(service)
  for (const number of [1, 2, 3, 4]) await addLocalDevice(service, number)
  await addDevice(service, 5)
  await addGateway(service, 1)
  const set = (number: number, age: string, status: object) =>
    db.query(
      `update device_states set last_seen = $2::timestamptz - $3::interval, status = $4
       where device_id = (select id from devices where eui = $1)`,
      [euiOf(number), now(), age, JSON.stringify(status)],
    )
  await set(1, '1 hour', { low_battery: 'Yes', tamper: 'No' })
  await set(2, '50 hours', { low_battery: 'Yes', tamper: 'Yes' })
  await set(3, '40 days', {})
  await settleStates(db)
  await db.query(
    `update devices set register_status = 'register_error', register_error = 'Not taken.'
     where eui = $1`,
    [euiOf(4)],
  )
  await service.call('POST', `/v1/devices/${euiOf(5)}/configure`, {
    body: { config_field: { islorawan: 1, config_type: 'general', supervisory_period: 129 } },
  })
  await post(service, callback, makeUp({ eui: '00AA0000000000EE' }))
  // Noted behind the answer.
  await until(async () => (await read()).accounts[0].is_heard, 'the account is heard')
  const { devices, gateways, downlinks, quarantine, accounts, problems } = await read()
  assert.deepEqual(devices, {
    ...{ total: 5, ok: 0, new: 1, silent: 2, attention: 2, inactive: 0, heard: 2 },
    ...{ never_heard: 2, low_battery: 2, tampered: 1 },
    ...{ pending: 1, register_error: 1, waiting: 1 },
  })
  const lists: Record<string, number> = {
    '': devices.total,
    'verdict=silent': devices.silent,
    'verdict=new': devices.new,
    'verdict=attention': devices.attention,
    'verdict=ok': devices.ok,
    'low_battery=yes': devices.low_battery,
    'tamper=yes': devices.tampered,
    'status=pending': devices.pending,
    'status=register_error': devices.register_error,
    'waiting=yes': devices.waiting,
  }
  for (const [query, count] of Object.entries(lists)) {
    const { body } = await service.call('GET', `/v1/fleet/devices?${query}`)
    assert.equal(body.total, count, query)
  }
  assert.deepEqual([gateways.total, gateways.heard, gateways.silent, gateways.new], [1, 0, 0, 1])
  const listed = await service.call('GET', '/v1/fleet/gateways?verdict=new')
  assert.equal(listed.body.total, gateways.new)
  assert.deepEqual([downlinks.waiting, quarantine.messages], [1, 1])
  assert.deepEqual([accounts[0].network, accounts[0].is_heard], ['chirpstack', true])
  assert.deepEqual(
    problems.silent.map(({ device_id }: { device_id: string }) => device_id),
    [euiOf(2)],
  )
  assert.equal(problems.register_error[0].message, 'Not taken.')
})

test('counts the uplinks of each hour, and goes on counting in the last one', async (t) => {
  const other = await startTestService(t)
  const { db, now } = other.services
  const id = await addLocalDevice(other, 1)
  const top = 0
  const insert = (first: number, count: number, minutes: number) =>
    db.query(
      `with made as (
         insert into uplinks (organization_id, ordinal, device_id, device_ordinal,
           deduplication_key, event_time, received_at, event_type, sensor_sequence, decoded_object,
           decoded_message, payload, f_port, f_cnt, receptions)
         select 1, number, $1, number, 'made ' || number, now(),
           $4::timestamptz - $5 * interval '1 minute', 'DECODED', '{}', '{}', '', '', 1, 1, '[]'
         from generate_series($2::bigint + 1, $2::bigint + $3) as number
       )
       update organization_counters set uplink_count = $2::bigint + $3 where organization_id = 1`,
      [id, first, count, now(), minutes],
    )
  await insert(top, 5, 200 * 60)
  await insert(top + 5, 7, 61)
  await insert(top + 12, 3, 0)
  for (const more of [3, 4]) {
    const { total, hours } = (await other.call('GET', '/v1/fleet/summary')).body.data.uplinks
    assert.equal(total, top + 12 + more)
    const counts = hours.map(({ count }: { count: number }) => count)
    // The clock stands at noon: the hour that is not over has just begun.
    assert.deepEqual(counts.slice(-4), [0, 7, 0, more])
    assert.equal(
      counts.slice(0, -4).reduce((sum: number, count: number) => sum + count),
      0,
    )
    await insert(top + 12 + more, 1, 0)
  }
})
