import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWrongFields, secretsOf } from '../../../test/account-fields.ts'
import { findAccountFaults } from '../account-fields.ts'
import { hostOfZone, mqttUserName, readAccount } from './account.ts'
import { thethingsnetwork } from './definition.ts'

const good = { cluster: 'eu1', application_id: 'my-app', api_key: 'NNSXS.ABC.DEF' }

function serversOf(values: Record<string, string>) {
  const { cluster, identityServer } = readAccount({ ...good, ...values })
  return [cluster.origin, identityServer.origin]
}

test('takes a cluster by its name, its host or its address', () => {
  const [eu1, nam1] = [
    'https://eu1.cloud.thethings.network',
    'https://nam1.cloud.thethings.network',
  ]
  const tenant = 'https://acme.eu1.cloud.thethings.industries'
  const cases = {
    eu1: [eu1, eu1],
    EU1: [eu1, eu1],
    nam1: [nam1, eu1],
    'nam1.cloud.thethings.network': [nam1, eu1],
    'acme.eu1.cloud.thethings.industries': [tenant, tenant],
    [`${tenant}/`]: [tenant, tenant],
    'http://127.0.0.1:1885': ['http://127.0.0.1:1885', 'http://127.0.0.1:1885'],
    localhost: ['https://localhost', 'https://localhost'],
  }
  for (const [cluster, expected] of Object.entries(cases)) {
    assert.deepEqual(findAccountFaults(thethingsnetwork, { ...good, cluster }), {}, cluster)
    assert.deepEqual(serversOf({ cluster }), expected)
  }
  const elsewhere = 'acme.nam1.cloud.thethings.industries'
  assert.deepEqual(serversOf({ cluster: elsewhere, identity_server: tenant }), [
    `https://${elsewhere}`,
    tenant,
  ])
})

test('knows the host of a zone and the user name at the MQTT server of each kind of cluster', () => {
  const cases = {
    eu1: ['nam1.cloud.thethings.network', 'my-app@ttn'],
    'acme.eu1.cloud.thethings.industries': ['acme.nam1.cloud.thethings.industries', 'my-app@acme'],
    'https://tts.example.test': ['tts.example.test', 'my-app'],
  }
  for (const [cluster, expected] of Object.entries(cases)) {
    const account = readAccount({ ...good, cluster })
    assert.deepEqual([hostOfZone(account, 'nam1'), mqttUserName(account)], expected)
    assert.equal(hostOfZone(account, undefined), account.cluster.hostname)
  }
})

test('names every field that is wrong', () => {
  const wrong = {
    cluster: [
      'eu_1',
      'https://eu1',
      'ftp://host',
      'https://host/path',
      'https://user:pw@host',
      'a b',
      'https://',
    ],
    identity_server: ['eu 1', 'mqtt://host'],
    application_id: ['My-App', 'a', 'a--b', '-ab', 'a'.repeat(37), 'a/b'],
    user_id: ['Me', 'a_b'],
    organization_id: ['x'],
    api_key: ['two words', 'line\nbreak', 'schlüssel'],
    mqtt_url: ['broker:1883', 'https://broker', 'mqtts://user:pw@broker'],
  }
  checkWrongFields(thethingsnetwork, good, wrong)
})

test('takes a user or an organization, not both', () => {
  assert.deepEqual(findAccountFaults(thethingsnetwork, { ...good, user_id: 'me' }), {})
  assert.deepEqual(findAccountFaults(thethingsnetwork, { ...good, organization_id: 'us-too' }), {})
  const both = findAccountFaults(thethingsnetwork, {
    ...good,
    user_id: 'me',
    organization_id: 'us-too',
  })
  assert.deepEqual(Object.keys(both), ['organization_id'])
})

test('keeps the API key secret', () => {
  assert.deepEqual(secretsOf(thethingsnetwork), ['api_key'])
})
