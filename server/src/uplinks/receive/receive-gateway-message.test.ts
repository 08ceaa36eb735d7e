import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { addGateway, addLocalDevice, gatewayEuiOf, readLiteGateway } from '../../../test/fleet.ts'
import { foundOrganization } from '../../../test/members.ts'
import { type Login, startTestService } from '../../../test/service.ts'

const lines: string[] = []
const service = await startTestService({ after }, { takeLine: (line) => void lines.push(line) })
const other = await foundOrganization(service, 'bo@example.test')
const examples = new URL('../../networks/other/examples/', import.meta.url)

function example(name: string) {
  return JSON.parse(readFileSync(new URL(`${name}.json`, examples), 'utf8'))
}

/** A gateway of kind `other`, and how it posts. */
async function addOther(number: number, as: Login = service.owner) {
  const gateway = await addGateway(service, number, { gateway_bridge: 'other' }, as)
  const { body } = await service.call('GET', `/v1/gateways/${gateway.id}`, { as })
  const { authorisation_token: token, download_link: link } = body.gateway_configs
  const path = new URL(link).pathname
  const post = (message: unknown, authorization = `Bearer ${token}`, url = path) =>
    service.call('POST', url, {
      as: null,
      headers: { authorization, 'content-type': 'application/json' },
      body: message,
    })
  return { id: gateway.id, post, token: String(token) }
}

async function uplinksOf(eui: string, as: Login = service.owner) {
  return (await service.call('GET', `/v1/devices/${eui}/uplink`, { as })).body.data
}

const multitechEui = '0080000000015834'
const milesightEui = '24E124527F418093'
const tektelicEui = '00AA000000000002'

// shows 11.2.6
test('takes the uplinks of MultiTech, Milesight and Tektelic gateways, each once', async () => {
  // After the published messages that tell a time; the one that tells none was heard now.
  service.setClock(new Date('2026-03-24T12:00:00Z'))
  const { post } = await addOther(1)
  const messages = [
    ['multitech-up', multitechEui],
    ['milesight-up', milesightEui],
    ['tektelic-up', tektelicEui],
  ] as const
  for (const [name, eui] of messages) {
    await addLocalDevice(service, eui)
    for (let repetition = 0; repetition < 2; repetition += 1) {
      const answer = await post(example(name))
      assert.deepEqual([answer.status, answer.body], [200, { status: true }])
    }
    assert.equal((await uplinksOf(eui)).length, 1)
  }
  const [uplink] = await uplinksOf(multitechEui)
  assert.equal(uplink.data, Buffer.from('message').toString('hex'))
  assert.deepEqual([uplink.rssi, uplink.snr], [-66, 10])
  assert.equal(uplink.event_time, '2020-09-16T18:29:35.263610Z')
  assert.deepEqual(uplink.additional_data.gateways, [
    { gateway_eui: '00800000A0000F4D', rssi: -66, snr: 10 },
  ])
  const { uplinks, first_seen, last_seen } = await readLiteGateway(service, 1)
  assert.deepEqual(
    [uplinks, first_seen, last_seen],
    [3, '2020-09-16 18:29:35', '2026-03-24 12:00:00'],
  )
})

test('takes a list of messages, and messages with nothing to keep', async () => {
  const { post } = await addOther(2)
  const before = (await uplinksOf(multitechEui)).length
  const list = [28, 29].map((fcnt) => ({ ...example('multitech-up'), fcnt }))
  assert.equal((await post(list)).status, 200)
  assert.equal((await post(example('multitech-joined'))).status, 200)
  assert.equal((await uplinksOf(multitechEui)).length, before + 2)
  assert.equal((await readLiteGateway(service, 2)).uplinks, 2)
})

test('counts once for a gateway that is in the message as well', async () => {
  await service.call('POST', '/v1/gateways', {
    body: {
      gateway_name: 'Conduit',
      gateway_eui: '00800000a0000f4d',
      gateway_bridge: 'other',
    },
  })
  const { post } = await addOther(3)
  await post({ ...example('multitech-up'), fcnt: 30, gweui: gatewayEuiOf(3) })
  assert.equal((await readLiteGateway(service, 3)).uplinks, 1)
  await post({ ...example('multitech-up'), fcnt: 31 })
  assert.equal((await readLiteGateway(service, 3)).uplinks, 2)
  const { body } = await service.call('GET', '/v1/gateways?version=lite&search=Conduit')
  assert.equal(body.data[0].uplinks, 1)
})

// shows 11.2.6
test('refuses a token that is missing, wrong or of another gateway', async () => {
  const { post, token } = await addOther(4)
  const theirs = await addOther(5)
  const message = example('multitech-up')
  const wrong = ['', 'Bearer', `Bearer ${token}x`, `Bearer ${theirs.token}`, `Basic ${token}`]
  for (const authorization of wrong) {
    const answer = await post(message, authorization)
    assert.deepEqual(
      [answer.status, answer.body],
      [401, { message: 'The authorisation token is missing or wrong.' }],
    )
  }
  for (const uuid of ['00000000-0000-4000-8000-000000000000', '1', '%00']) {
    const answer = await post(message, `Bearer ${token}`, `/v1/callbacks/other/${uuid}`)
    assert.equal(answer.status, 401)
  }
})

test('a deleted gateway is heard no more', async () => {
  const { id, post } = await addOther(6)
  await service.call('DELETE', `/v1/gateways/${id}`)
  assert.equal((await post(example('multitech-up'))).status, 401)
})

test('refuses what is no uplink of such a gateway', async () => {
  const { post } = await addOther(7)
  for (const message of ['{', '"up"', '{}', '{"deveui":"x"}']) {
    const answer = await post(message)
    assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['message']])
  }
})

test('speaks only for the devices of its own organization', async () => {
  const { post } = await addOther(8, other)
  const before = await uplinksOf(multitechEui)
  assert.equal((await post({ ...example('multitech-up'), fcnt: 77 })).status, 200)
  assert.deepEqual(await uplinksOf(multitechEui), before)
  assert.equal((await readLiteGateway(service, 8, other)).uplinks, 0)
  const quarantined = await service.services.db.query(
    'select reason, device_eui from quarantined_messages where organization_id = $1',
    [other.organizationId],
  )
  assert.deepEqual(quarantined, [{ reason: 'unknown_device', device_eui: multitechEui }])
})

test('tells of what it left out, in the log for each gateway and in a metric', async () => {
  const { id, post } = await addOther(40)
  for (const fcnt of [101, 102]) {
    const answer = await post({ ...example('multitech-up'), fcnt, rssi: 'loud' })
    assert.equal(answer.status, 200, answer.text)
    await service.services.heardAccounts.close()
  }
  const told = lines.map((line) => JSON.parse(line)).filter(({ unread }) => unread)
  assert.deepEqual(
    told.map(({ gateway, unread }) => [gateway, unread.rssi.count, unread.rssi.example]),
    [[id, 1, '"loud"']],
  )
  assert.equal(service.services.heardAccounts.unreadMessages().gateway, 2)
})
