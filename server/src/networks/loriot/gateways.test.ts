import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foreignEui } from '../../../simulators/loriot/store.ts'
import { connectToLoriot } from '../../../test/network-connections.ts'
import { NetworkError } from '../network-error.ts'

const gatewayEui = '00BB0000000000B1'

function refusedWith(words: RegExp) {
  return (error: unknown) =>
    error instanceof NetworkError && error.kind === 'refused' && words.test(error.message)
}

test('takes a gateway of which it knows only the EUI for one with Basics Station', async (t) => {
  const { connection, side } = await connectToLoriot(t)
  await connection.gateways.add({ gatewayEui, name: 'Roof', region: 'EU868' })
  const { name, record } = side.gateways.get(gatewayEui) ?? {}
  assert.equal(name, 'Roof')
  assert.deepEqual(
    [record?.base, record?.MAC, record?.region],
    ['basics-station', '00:BB:00:00:00:B1', 'EU868'],
  )
  await connection.gateways.add({ gatewayEui, name: 'Mast' })
  assert.equal(side.gateways.get(gatewayEui)?.name, 'Mast')
})

test('completes the hardware from the models of LORIOT, in its spelling', async (t) => {
  const { connection, side } = await connectToLoriot(t)
  const eui = '7076FFFFFF053A13'
  const settings = { brand: 'Kerlink', model: 'iStation' }
  await connection.gateways.add({ gatewayEui: eui, name: 'Roof', settings })
  const { MAC, base, model, bus, concentrator, card } = side.gateways.get(eui)?.record ?? {}
  assert.deepEqual(
    [MAC, base, model, bus, concentrator, card],
    ['70:76:FF:05:3A:13', 'kerlink', 'istation', 'SPI', 'kerlink_femtocell', 0],
  )
})

test('lists the choices where the hardware is not clear', async (t) => {
  const { connection, side } = await connectToLoriot(t)
  const wrong: [Record<string, string>, RegExp][] = [
    [{ model: 'evolution' }, /needs the brand/],
    [{ brand: 'nobody' }, /knows no gateways of the brand nobody/],
    [{ brand: 'kerlink' }, /needs the model of the gateway, only evolution, istation/],
    [{ brand: 'kerlink', model: 'x' }, /knows no model x of such a gateway, only evolution/],
    [{ brand: 'linux', bus: 'USB' }, /needs the concentrator of the gateway, only sx1301_ref/],
    [{ brand: 'linux', concentrator: 'sx1301_ref', bus: 'PCI' }, /knows no bus PCI/],
  ]
  for (const [settings, words] of wrong) {
    const added = connection.gateways.add({ gatewayEui, name: 'Roof', settings })
    await assert.rejects(added, refusedWith(words), JSON.stringify(settings))
  }
  const settings = { brand: 'linux', concentrator: 'SX1302_ref', bus: 'spi', card: '1' }
  await connection.gateways.add({ gatewayEui, name: 'Roof', settings })
  assert.equal(side.gateways.get(gatewayEui)?.record.card, 1)
})

test('takes over a gateway by its id at LORIOT, if it is the one that is meant', async (t) => {
  const { connection, side } = await connectToLoriot(t)
  await connection.gateways.add({ gatewayEui, name: 'Roof' })
  const gateway = side.gateways.get(gatewayEui)
  assert.ok(gateway)
  gateway.record.id = 'A5AEE3B4FB9D8376'
  const settings = { loriot_gateway: 'A5AEE3B4FB9D8376' }
  await connection.gateways.add({ gatewayEui, name: 'Mast', settings })
  assert.equal(gateway.name, 'Mast')
  const other = { loriot_gateway: 'A5AEE3B4FB9D8377' }
  const added = connection.gateways.add({ gatewayEui, name: 'Mast', settings: other })
  await assert.rejects(added, refusedWith(/no gateway A5AEE3B4FB9D8377/))
  await connection.gateways.remove(gatewayEui)
  assert.equal(side.gateways.size, 0)
})

test('undoes a gateway to which LORIOT gives another EUI', async (t) => {
  const { connection, side, http } = await connectToLoriot(t)
  await connection.gateways.add({ gatewayEui: '7076FFFFFF053A13', name: 'Roof' })
  http.faults.answers['POST /1/nwk/network/:network/gateways'] = {
    status: 200,
    body: { _id: '7076FFFFFF053A13', EUI: '70-76-FF-FF-FF-05-3A-13' },
  }
  const added = connection.gateways.add({ gatewayEui, name: 'Roof' })
  await assert.rejects(added, refusedWith(/the EUI 7076FFFFFF053A13/))
  assert.equal(side.gateways.size, 0)
})

test('refuses a gateway of somebody else in the words of LORIOT', async (t) => {
  const { connection } = await connectToLoriot(t)
  const added = connection.gateways.add({ gatewayEui: foreignEui, name: 'Roof' })
  await assert.rejects(added, refusedWith(/already registered/))
  const changed = connection.gateways.update({ gatewayEui: foreignEui, name: 'Roof' })
  await assert.rejects(changed, refusedWith(/no gateway with EUI/))
  await connection.gateways.remove(foreignEui)
})

test('asks for the network where the account has several, or none', async (t) => {
  const { connection, http } = await connectToLoriot(t)
  for (const networks of [[], [{ _id: 1 }, { _id: 2 }]]) {
    http.faults.answers['GET /1/nwk/networks'] = { status: 200, body: { networks } }
    const added = connection.gateways.add({ gatewayEui, name: 'Roof' })
    await assert.rejects(added, refusedWith(/network_id/))
  }
})
