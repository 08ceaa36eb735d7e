import assert from 'node:assert/strict'
import {
  type ContractBench,
  connect,
  eventually,
  gatewayBodyOf,
  gatewayEui,
  readDevice,
  register,
} from './network-contract.ts'

/** Checks of all networks: accounts, devices, gateways and capabilities. */

export async function checkAccount(bench: ContractBench) {
  const { simulator, service, accountPath } = bench
  const wrong = await connect(bench, simulator.wrongAccount)
  assert.equal(wrong.status, 'refused', wrong.message)
  assert.notEqual(wrong.message, '')
  const right = await connect(bench)
  assert.deepEqual([right.status, right.message], ['connected', ''])
  const { text } = await service.call('GET', accountPath)
  const secrets = bench.network.accountFields.filter(({ secret }) => secret)
  for (const { name } of secrets) {
    const value = simulator.account[name]
    if (value) assert.ok(!text.includes(value), `${name} is in the answer`)
  }
  assert.equal((await service.call('DELETE', accountPath)).status, 204)
}

/**
 * The fields of an account that the network lists: the account's own values are among the choices, or
 * it is told why there are none. Wrong credentials are told as such.
 */
export async function checkChoices({ network, simulator, service, accountPath }: ContractBench) {
  const listed = network.accountFields.filter((field) => field.listed)
  const open = { ...simulator.account }
  const parents = listed.map((field) => field.listed?.within)
  for (const { name } of listed) if (!parents.includes(name)) delete open[name]
  const ask = (body: object) => service.call('POST', `${accountPath}/choices`, { body })
  const { status, body, text } = await ask(open)
  assert.equal(status, 200, text)
  const fields: { field: string; choices: { value: string }[] | null; message: string }[] =
    body.data.fields
  assert.deepEqual(
    fields.map(({ field }) => field),
    listed.map(({ name }) => name),
  )
  assert.ok(
    fields.some(({ choices }) => choices),
    text,
  )
  for (const { field, choices, message } of fields) {
    assert.equal(choices === null, message !== '', `${field}: ${message}`)
    const value = simulator.account[field]
    if (!choices || !value) continue
    assert.ok(
      choices.some((choice) => choice.value === value),
      text,
    )
  }
  const wrong = await ask({ ...open, ...simulator.wrongAccount })
  assert.deepEqual(wrong.body.data.fields, [], wrong.text)
  const { ok } = wrong.body.data.checks.find(({ name }: { name: string }) => name === 'credentials')
  assert.equal(ok, false, wrong.text)
  assert.equal((await service.call('GET', accountPath)).status, 404, 'nothing is stored')
}

export async function checkDevice(bench: ContractBench, devEui: string) {
  const { simulator, service, can } = bench
  await connect(bench)
  await register(bench, devEui)
  const device = await readDevice(bench, devEui)
  assert.deepEqual([device.device_register_status, device.api_error_json], ['active', ''])
  if (can.registration === 'by_hand') simulator.addDevice(devEui, 'Back door')
  assert.equal(simulator.findDevice(devEui)?.name, 'Back door')

  const body = { device_name: 'Front door' }
  assert.equal((await service.call('PATCH', `/v1/devices/${devEui}`, { body })).status, 200)
  if (can.renames) {
    await eventually(
      bench,
      async () => simulator.findDevice(devEui)?.name === 'Front door',
      'the new name',
    )
  }
  await checkNewKey(bench, devEui)
  assert.equal((await service.call('DELETE', `/v1/devices/${devEui}`)).status, 204)
  if (can.registration === 'api') {
    await eventually(bench, async () => !simulator.findDevice(devEui), 'the removal')
  }
}

/**
 * A new key is sent to the network if the network accepts one. The answer reports whether it was
 * sent.
 */
async function checkNewKey(bench: ContractBench, devEui: string) {
  const { simulator, service, can } = bench
  const deviceKey = 'C0FFEE00C0FFEE00C0FFEE00C0FFEE00'
  const answer = await service.call('PATCH', `/v1/devices/${devEui}`, { body: { deviceKey } })
  assert.equal(answer.status, 200, answer.text)
  assert.match(answer.body.warnings[0], can.rekeys ? /^The new key goes to / : /here only|there/)
  const hasKey = async () => {
    const { device_register_status } = await readDevice(bench, devEui)
    const facts = simulator.findDevice(devEui)?.facts.toUpperCase()
    return device_register_status === 'active' && facts?.includes(deviceKey) === true
  }
  if (can.rekeys) await eventually(bench, hasKey, 'the new key')
  else assert.equal(await hasKey(), false)
}

export async function checkOutage(bench: ContractBench, devEui: string) {
  const { simulator, service, accountPath, can } = bench
  await connect(bench)
  if (can.registration === 'by_hand') return
  simulator.setAway(true)
  await register(bench, devEui)
  assert.equal((await readDevice(bench, devEui)).device_register_status, 'pending')
  const away = await service.call('GET', accountPath)
  assert.equal(away.body.data.status, 'unreachable', away.text)
  simulator.setAway(false)
  const isActive = async () => (await readDevice(bench, devEui)).device_register_status === 'active'
  await eventually(bench, isActive, 'the registration')
  assert.ok(simulator.findDevice(devEui))
  const back = await service.call('GET', accountPath)
  assert.deepEqual([back.body.data.status, back.body.data.message], ['connected', ''])
}

export async function checkRefusal(bench: ContractBench, devEui: string) {
  const { simulator, can } = bench
  await connect(bench)
  if (can.registration === 'by_hand') return
  simulator.refuse('these words are the network’s own')
  await register(bench, devEui)
  const device = await readDevice(bench, devEui)
  assert.equal(device.device_register_status, 'register_error')
  assert.match(device.api_error_json, /these words are the network’s own/)
  simulator.refuse(undefined)
}

export async function checkGateway(bench: ContractBench) {
  const { simulator, service } = bench
  await connect(bench)
  const created = await service.call('POST', '/v1/gateways', { body: gatewayBodyOf(bench) })
  assert.equal(created.status, 200, created.text)
  const { gateway } = created.body
  assert.equal(gateway.register_status, 'active', created.text)
  assert.equal(simulator.findGateway(gatewayEui)?.name, 'Roof')
  const path = `/v1/gateways/${gateway.id}`
  const renamed = await service.call('PATCH', path, { body: { gateway_name: 'Mast' } })
  assert.equal(renamed.status, 200, renamed.text)
  await eventually(
    bench,
    async () => simulator.findGateway(gatewayEui)?.name === 'Mast',
    'its name',
  )
  assert.equal((await service.call('DELETE', path)).status, 204)
  await eventually(bench, async () => !simulator.findGateway(gatewayEui), 'its removal')
}

export async function checkCapabilities(bench: ContractBench) {
  const { network, can, service, simulator } = bench
  await connect(bench)
  const [account] = await service.services.db.query<{ id: number }>(
    'select id from network_accounts',
  )
  assert.ok(account && simulator)
  const connection = await service.services.connections.open(account.id)
  const has = (one: unknown, isDeclared: boolean, what: string) =>
    assert.equal(one !== undefined, isDeclared, what)
  const takesDevices = can.registration === 'api'
  has(connection.addDevice, takesDevices, 'registration')
  has(connection.removeDevice, takesDevices, 'registration: removes')
  has(connection.renameDevice, can.renames === true, 'renames')
  has(connection.gateways, can.gateways === true, 'gateways')
  has(network.forms.gateway, can.gateways === true, 'the gateway form')
  has(connection.queueDownlink, can.downlinks !== undefined, 'downlinks')
  has(connection.cancelDownlink, can.cancel === 'one', 'cancel: one')
  has(connection.flushDownlinks, can.cancel?.startsWith('flush') === true, 'cancel: flush')
  has(connection.listDownlinks, can.listsQueue === true, 'listsQueue')
  has(connection.setCallback, can.callbacks !== undefined, 'callbacks')
  has(connection.readCallback, can.callbacks !== undefined, 'callbacks: reads')
  has(connection.removeCallback, can.callbacks !== undefined, 'callbacks: removes')
  has(connection.readLastSeen, can.tellsLastSeen === true, 'tellsLastSeen')
  has(connection.listDevices, can.lists?.includes('devices') === true, 'lists')
  has(connection.gateways?.list, can.lists?.includes('gateways') === true, 'lists')
  has(connection.readDevice, can.tellsKeys === 'read', 'tellsKeys')
  assert.deepEqual(Object.keys(simulator.rights).sort(), [...(can.rights ?? [])].sort(), 'rights')
  has(simulator.deny, can.rights !== undefined, 'rights')
  has(simulator.setRoom, can.hasQuota === true, 'hasQuota')
  has(simulator.addForeignDownlink, can.downlinks === 'pushed', 'foreign downlinks')
}
