import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { addGateway, addLocalDevice, euiOf } from '../../../test/fleet.ts'
import { fc } from '../../../test/properties.ts'
import { startTestService } from '../../../test/service.ts'
import { type GatewayOfUplink, readReceptions, receptionsOf, toReceptions } from './receptions.ts'

const service = await startTestService({ after })
const { db } = service.services

const number = fc.option(
  fc.oneof(fc.double({ min: -300, max: 300, noNaN: true }), fc.integer({ min: -300, max: 300 })),
  { nil: undefined },
)
const gateway: fc.Arbitrary<GatewayOfUplink> = fc.record({
  gateway_eui: fc.stringMatching(/^[!-~]{0,40}$/),
  ...{ rssi: number, snr: number, lat: number, lng: number },
})
const list = fc.array(gateway, { maxLength: 4 })
/** As JSON has it. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

test('what is written is read, here and in the database', async () => {
  await fc.assert(
    fc.asyncProperty(list, async (gateways) => {
      const receptions = JSON.stringify(toReceptions(gateways))
      const read = readReceptions({ receptions: JSON.parse(receptions) })
      assert.deepEqual(plain(read), plain(gateways))
      const rows = await db.query<Record<string, unknown>>(
        `select gateway.* from (select $1::jsonb as receptions) as uplinks
         cross join lateral ${receptionsOf('uplinks')} as gateway`,
        [receptions],
      )
      const found = rows.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
      )
      assert.deepEqual(plain(found), plain(gateways))
    }),
    { numRuns: 200 },
  )
})

test('every list of uplinks shows the gateways', async () => {
  const callback = await connectChirpStack(service)
  await addLocalDevice(service, 1)
  const { id } = await addGateway(service, 1, { gateway_eui: '0016c001f153a14c' })
  const published = makeUp({ eui: euiOf(1) })
  assert.equal((await post(service, callback, published)).status, 200)
  for (const path of [
    ...['devices/all/uplink', `devices/${euiOf(1)}/uplink`, 'fleet/uplinks'],
    `fleet/gateways/${id}/uplinks`,
  ]) {
    const answer = await service.call('GET', `/v1/${path}`)
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    assert.match(answer.text, /"rssi":-36,"snr":10.5/, path)
  }
})

test('shows the signal of a gateway without an EUI, by the name that its network has for it', async () => {
  const callback = await connectChirpStack(service)
  await addLocalDevice(service, 2)
  const rxInfo = [
    { gatewayId: '0016c001f153a14c', rssi: -110, snr: -5 },
    { gatewayId: 'aa77bb88', rssi: -100, snr: 3 },
    { gatewayId: '', rssi: -105 },
  ]
  assert.equal((await post(service, callback, makeUp({ eui: euiOf(2), rxInfo }))).status, 200)
  const gateways = [
    { gateway_eui: null, id: 'aa77bb88', rssi: -100, snr: 3 },
    { gateway_eui: null, rssi: -105, snr: 0 },
    { gateway_eui: '0016C001F153A14C', rssi: -110, snr: -5 },
  ]
  const { body } = await service.call('GET', `/v1/devices/${euiOf(2)}/uplink`)
  const [{ rssi, snr, additional_data }] = body.data
  assert.deepEqual([rssi, snr, additional_data.gateways], [-100, 3, gateways])
  const listed = await service.call('GET', '/v1/fleet/uplinks')
  assert.deepEqual(listed.body.data[0].gateways, gateways)
})

test('an uplink without a signal has 0 in the contract’s record, and null in all others', async () => {
  const callback = await connectChirpStack(service)
  await addLocalDevice(service, 3)
  assert.equal((await post(service, callback, makeUp({ eui: euiOf(3), rxInfo: [] }))).status, 200)
  const { body } = await service.call('GET', `/v1/devices/${euiOf(3)}/uplink`)
  assert.deepEqual([body.data[0].rssi, body.data[0].snr], [0, 0])
  const listed = await service.call('GET', '/v1/fleet/uplinks')
  const { rssi, snr, gateways } = listed.body.data[0]
  assert.deepEqual([rssi, snr, gateways], [null, null, []])
})
