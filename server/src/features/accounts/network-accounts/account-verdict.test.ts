import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addDevice, euiOf } from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const { db } = service.services
const start = new Date('2026-03-01T12:00:00.000Z')
service.setClock(start)
const callback = await connectChirpStack(service)
await addDevice(service, 1)
await service.services.provisioner.idle()

const set = (columns: string) => db.query(`update network_accounts set ${columns}`)

/** What the pages of networks and the device, the list of accounts and the overview say: the same. */
async function verdict() {
  const read = async (url: string) => (await service.call('GET', `/v1${url}`)).body.data
  const ofKey = ({ key, network }: { key?: string; network?: string }) =>
    (key ?? network) === 'chirpstack'
  const own = (await read('/network-accounts')).find(ofKey).verdict
  assert.deepEqual((await read('/fleet/networks')).find(ofKey).accounts[0].verdict, own)
  assert.deepEqual((await read('/fleet/summary')).accounts.find(ofKey).verdict, own)
  assert.deepEqual((await read(`/fleet/devices/${euiOf(1)}`)).account.verdict, own)
  return own
}

const codesOf = ({ reasons }: { reasons: { code: string }[] }) => reasons.map(({ code }) => code)

async function hear() {
  const up = makeUp({ eui: euiOf(1), time: service.services.now().toISOString() })
  assert.equal((await post(service, callback, up)).status, 200)
}

test('an account is judged by the worst of its API, broker and callback, everywhere alike', async () => {
  const away = await verdict()
  assert.deepEqual([away.state, codesOf(away)], ['attention', ['unreachable', 'never_heard']])
  assert.ok(Date.parse(away.since) > 0)
  await set(`status = 'refused', status_message = 'The key is wrong.',
    status_since = '2026-03-01T11:00:00Z'`)
  const refused = await verdict()
  assert.deepEqual([refused.state, codesOf(refused)[0]], ['attention', 'refused'])
  assert.deepEqual(
    [refused.since, refused.reasons[0].message],
    ['2026-03-01T11:00:00.000000Z', 'The key is wrong.'],
  )
  await set(`status = 'connected', status_message = '', failures = 0`)
  const fresh = await verdict()
  assert.deepEqual([fresh.state, codesOf(fresh)], ['new', ['never_heard']])
  await set(`status_message = 'It asks for fewer calls.'`)
  assert.deepEqual(codesOf(await verdict()), ['slowed_down', 'never_heard'])
  await set(`status_message = '', broker_message = 'The broker refuses the user.',
    broker_since = '2026-03-01T11:30:00Z'`)
  const unfollowed = await verdict()
  assert.deepEqual(
    [unfollowed.since, codesOf(unfollowed)],
    ['2026-03-01T11:30:00.000000Z', ['mqtt', 'never_heard']],
  )
  await set('broker_message = null')
})

test('words about the callback end when an uplink has come by it since', async () => {
  await set(`callback_message = 'It pointed elsewhere. The service has set it again.',
    callback_checked_at = '2026-03-01T12:00:00Z'`)
  const told = await verdict()
  assert.deepEqual(
    [told.state, told.since, codesOf(told)],
    ['attention', '2026-03-01T12:00:00.000000Z', ['callback', 'never_heard']],
  )
  service.setClock(new Date(start.getTime() + 60_000))
  await hear()
  const back = await verdict()
  assert.deepEqual([back.state, back.reasons], ['ok', []])
  const { message } = (await service.call('GET', '/v1/network-accounts/chirpstack')).body.data
  assert.equal(message, '')
  service.setClock(new Date(start.getTime() + 49 * 3_600_000))
  const silent = await verdict()
  assert.deepEqual([silent.state, codesOf(silent)], ['silent', ['silent']])
  assert.equal(silent.reasons[0].message, 'No message has come from the network for 2 days.')
})
