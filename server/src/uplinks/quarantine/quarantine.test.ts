import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  connectChirpStack,
  makeUp,
  post,
  readQuarantineOf,
} from '../../../test/chirpstack-uplinks.ts'
import { foundOrganization, joinMember } from '../../../test/members.ts'
import { startTestService } from '../../../test/service.ts'

const service = await startTestService({ after })
const callback = await connectChirpStack(service)
const path = '/v1/network-accounts/chirpstack/quarantine'

async function send(eui: string, times: number): Promise<void> {
  for (let number = 0; number < times; number += 1) {
    await post(service, callback, makeUp({ eui }))
  }
}

async function list(query = '') {
  const { status, body, text } = await service.call('GET', `${path}${query}`)
  assert.equal(status, 200, text)
  return body
}

test('lists the EUIs heard last first, page by page, with what the newest message tells', async () => {
  await send('00AA000000000001', 2)
  await send('00AA000000000002', 1)
  await send('00AA000000000003', 3)
  const all = await list()
  assert.deepEqual([all.total, all.messages, all.after], [3, 6, null])
  const [first] = all.data
  assert.equal(first.eui, '00AA000000000003')
  assert.deepEqual(
    [first.count, first.reason, first.f_port, first.rssi, first.is_registered],
    [3, 'unknown_device', 1, -36, false],
  )
  assert.match(first.last_received_at, /^\d{4}-\d\d-\d\dT[\d:]+\.\d{6}Z$/)
  const page = await list('?limit=2')
  assert.equal(page.data.length, 2)
  const next = await list(`?limit=2&after=${encodeURIComponent(page.after)}`)
  assert.deepEqual(
    [...page.data, ...next.data].map(({ eui }: { eui: string }) => eui),
    ['00AA000000000003', '00AA000000000002', '00AA000000000001'],
  )
  assert.equal(next.after, null)
  assert.equal((await list('?search=0002')).total, 1)
  assert.equal((await list('?search=00-aa-00-00-00-00-00-02')).total, 1)
  for (const query of ['after=x', 'limit=0', 'unknown=1']) {
    assert.equal((await service.call('GET', `${path}?${query}`)).status, 422, query)
  }
})

test('shows the messages of an EUI as they came', async () => {
  const { status, body } = await service.call('GET', `${path}/00aa000000000001`)
  assert.equal(status, 200)
  assert.equal(body.data.length, 2)
  const [newest] = body.data
  assert.deepEqual([newest.f_port, newest.payload], [1, '100301'])
  assert.equal(JSON.parse(newest.message).deviceInfo.devEui, '00aa000000000001')
  assert.equal((await service.call('GET', `${path}/00AA0000000000FF`)).status, 404)
})

test('drops the messages of one EUI, and counts right', async () => {
  const reader = await joinMember(service, 'reader@example.test', ['manage_devices'])
  const url = `${path}/00AA000000000003`
  assert.equal((await service.call('DELETE', url, { as: reader })).status, 403)
  const { status, body } = await service.call('DELETE', url)
  assert.deepEqual([status, body], [200, { data: { dropped: 3 } }])
  assert.equal((await service.call('DELETE', url)).status, 404)
  assert.equal((await readQuarantineOf(service, 1)).length, 3)
  assert.equal((await list()).total, 2)
})

test('drops those of this account of this organization', async () => {
  const eui = '00AA0000000000E1'
  const other = await foundOrganization(service, 'same@example.test')
  const callbacks = [
    callback,
    await connectChirpStack(service, { registerMethod: 'vendor' }),
    await connectChirpStack(service, { as: other }),
  ]
  for (const each of callbacks) await post(service, each, makeUp({ eui }))
  const { body } = await service.call('DELETE', `${path}/${eui}`)
  assert.deepEqual(body, { data: { dropped: 1 } })
  const dropped = await service.call('DELETE', `${path}/${eui}?register_method=vendor`)
  assert.deepEqual(dropped.body, { data: { dropped: 1 } })
  assert.equal((await readQuarantineOf(service, other.organizationId)).length, 1)
})

test('a message without a device stands under --, and is dropped by it', async () => {
  await service.services.db.query(
    `insert into quarantined_messages (
       organization_id, network_account_id, reason, detail, device_eui, deduplication_key, message
     )
     select organization_id, network_account_id, 'not_storable', 'It could not be stored.', '', 'x',
       '\\xff00'
     from quarantined_messages limit 1`,
  )
  await service.services.db.query(
    `update organization_counters set quarantine_count = quarantine_count + 1,
       quarantine_bytes = quarantine_bytes + 2 where organization_id = 1`,
  )
  const [first] = (await list()).data
  assert.deepEqual([first.eui, first.f_port, first.reason], ['--', null, 'not_storable'])
  const { body } = await service.call('GET', `${path}/--`)
  assert.equal(body.data[0].payload, null)
  assert.equal((await service.call('DELETE', `${path}/--`)).status, 200)
  await readQuarantineOf(service, 1)
})

test("another organization's quarantine is nobody else's", async () => {
  const as = await foundOrganization(service, 'other@example.test')
  await connectChirpStack(service, { as })
  const { body } = await service.call('GET', path, { as })
  assert.deepEqual([body.data, body.total], [[], 0])
  const url = `${path}/00AA000000000001`
  assert.equal((await service.call('DELETE', url, { as })).status, 404)
  assert.equal((await list()).total, 2)
})
