import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDevice, deviceKey, euiOf } from '../../../../test/fleet.ts'
import { connect, startBoth, untilQuiet } from '../../../../test/network.ts'

interface Column {
  table: string
  column: string
}

test('no secret is anywhere in the database as it stands', async (t) => {
  const { service, simulator } = await startBoth(t)
  const { db } = service.services
  const password = 'a secret of the broker'
  const broker = { mqtt_url: 'mqtt://127.0.0.1:1', mqtt_username: 'reader' }
  const mqtt = { ...broker, mqtt_password: password }
  const wrongKey = 'mistyped-key-of-the-account'
  await connect(service, simulator, { ...mqtt, api_key: wrongKey })
  await addDevice(service, 1)
  const { callback } = await connect(service, simulator, mqtt)
  await untilQuiet(service)
  await service.call('POST', '/v1/network-accounts/chirpstack/rotate')
  await addDevice(service, 2, { deviceKey: deviceKey.toLowerCase() })
  await service.call('DELETE', `/v1/devices/${euiOf(2)}`)

  const secrets = [simulator.apiKey, wrongKey, password, callback.value, deviceKey]
  const forms = [...secrets, service.owner.token].flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('hex'),
  ])
  const columns = await db.query<Column>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' order by table_name, ordinal_position`,
  )
  let searched = 0
  for (const { table, column } of columns) {
    const text = `"${column}"::text`
    const rows = await db.query<{ value: string }>(
      `select ${text} as value from "${table}" where "${column}" is not null`,
    )
    for (const { value } of rows) {
      searched += 1
      const found = forms.find((form) => value.toLowerCase().includes(form.toLowerCase()))
      assert.equal(found, undefined, `${table}.${column} holds a secret`)
    }
  }
  assert.ok(searched > 100, `${searched} values were searched`)
})
