import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ActilityBench,
  connectToActility,
  actilityGateway as gateway,
} from '../../../test/network-connections.ts'
import type { NetworkGateway } from '../network.ts'
import type { NetworkError } from '../network-error.ts'

const base = '/thingpark/wireless/rest/partners/mine'

function stationOf({ side }: ActilityBench, eui = gateway.gatewayEui) {
  const found = side.gateways.get(eui)
  assert.ok(found)
  return found
}

test('creates a base station of Basics Station, and sets its RF region', async (t) => {
  const bench = await connectToActility(t)
  const settings = { ...gateway.settings, serial_number: 'SN0001' }
  await bench.connection.gateways.add({ ...gateway, description: 'North side', settings })
  const { name, record } = stationOf(bench)
  assert.deepEqual(
    [name, record.lrrUuid, record.modelId, record.serial, record.rfRegionId, record.adminData],
    [
      'Roof',
      '0016C0-00BB0000000000B1',
      'GENERIC/BASICS.1',
      'SN0001',
      'EU868_8channels.1',
      'North side EUI 00BB0000000000B1',
    ],
  )
})

test('names a base station of another software by its maker, or as its owner says', async (t) => {
  const bench = await connectToActility(t)
  const settings = { ism_band: 'US915', model: 'KERL/IBTS.1' }
  await bench.connection.gateways.add({ ...gateway, settings })
  assert.equal(stationOf(bench).record.lrrUuid, '00BB00-00BB0000000000B1')

  const other: NetworkGateway = {
    gatewayEui: '7076FF00000000B2',
    name: 'Mast',
    settings: { ...settings, serial_number: '7076ff-024b0b030008' },
  }
  await bench.connection.gateways.add(other)
  assert.equal(stationOf(bench, other.gatewayEui).record.lrrUuid, '7076FF-024B0B030008')
  await bench.connection.gateways.update({ gatewayEui: other.gatewayEui, name: 'Tower' })
  assert.equal(stationOf(bench, other.gatewayEui).name, 'Tower')
  assert.deepEqual(await Array.fromAsync(bench.connection.gateways.list()), [
    [
      { eui: '00BB0000000000B1', name: 'Roof' },
      { eui: '7076FF00000000B2', name: 'Tower' },
    ],
  ])
  await bench.connection.gateways.remove(other.gatewayEui)
  await bench.connection.gateways.remove(other.gatewayEui)
  assert.equal(bench.side.gateways.size, 1)
})

test('takes the profile of the account where the registration names none', async (t) => {
  const bench = await connectToActility(t, { base_station_model_id: 'KERL/IBTS.1' })
  const { name, gatewayEui } = gateway
  await bench.connection.gateways.add({ name, gatewayEui, region: 'AU915' })
  const { record } = stationOf(bench)
  assert.deepEqual([record.modelId, record.rfRegionId], ['KERL/IBTS.1', 'AU915_8channels.1'])
})

test('removes a base station again whose RF region was refused', async (t) => {
  const bench = await connectToActility(t)
  const region = `POST ${base}/bss/:uid/admins/updateRfRegion`
  bench.http.faults.answers[region] = {
    status: 400,
    body: { code: 38, message: 'not this region' },
  }
  await assert.rejects(bench.connection.gateways.add(gateway), /not this region/)
  assert.equal(bench.side.gateways.size, 0)
})

test('completes a base station that was left without its RF region', async (t) => {
  const bench = await connectToActility(t)
  const region = `POST ${base}/bss/:uid/admins/updateRfRegion`
  bench.http.faults.answers[region] = { status: 503 }
  await assert.rejects(
    bench.connection.gateways.add(gateway),
    (error: NetworkError) => error.kind === 'unreachable',
  )
  assert.equal(stationOf(bench).record.rfRegionId, undefined)
  delete bench.http.faults.answers[region]
  await bench.connection.gateways.add({ ...gateway, name: 'Mast' })
  assert.equal(stationOf(bench).name, 'Mast')
  assert.equal(stationOf(bench).record.rfRegionId, 'EU868_8channels.1')
})

test('refuses a profile and a band that ThingPark does not have', async (t) => {
  const { connection } = await connectToActility(t)
  const wrong: [Record<string, string>, RegExp][] = [
    [{ ...gateway.settings, model: 'NO/SUCH' }, /no base station profile with the ID NO\/SUCH/],
    [{ ...gateway.settings, ism_band: 'XX1' }, /no RF region for the ISM band xx1/],
  ]
  for (const [settings, words] of wrong) {
    await assert.rejects(connection.gateways.add({ ...gateway, settings }), words)
  }
  await assert.rejects(
    connection.gateways.update({ gatewayEui: gateway.gatewayEui, name: 'x' }),
    /no base station for the gateway EUI/,
  )
})

test('does not call the account wrong that may not manage base stations', async (t) => {
  const {
    connection,
    http: { faults },
  } = await connectToActility(t)
  const body = { code: 2, message: 'access denied' }
  faults.answers[`GET ${base}/bsProfiles`] = { status: 403, body }
  await assert.rejects(
    connection.gateways.add(gateway),
    (error: NetworkError) => error.kind === 'unauthorized' && error.about !== 'account',
  )
})
