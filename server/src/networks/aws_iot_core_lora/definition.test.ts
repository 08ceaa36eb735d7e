import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWrongFields, secretsOf } from '../../../test/account-fields.ts'
import { findAccountFaults } from '../account-fields.ts'
import { awsIotCoreLora } from './definition.ts'

const good = {
  region: 'us-east-1',
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  destination: 'fleet',
  device_profile_id: '1f0a6b6e-0b2f-4f8e-9d55-6d8f3c1f7a10',
  service_profile_id: '5b9c2f2a-7c1e-4f6f-8a3b-2d6c9e0f4b21',
}

test('takes an account with or without another server and a broker', () => {
  assert.deepEqual(findAccountFaults(awsIotCoreLora, good), {})
  for (const region of ['eu-central-1', 'us-gov-west-1', 'cn-northwest-1', 'ap-southeast-2']) {
    assert.deepEqual(findAccountFaults(awsIotCoreLora, { ...good, region }), {})
  }
  const mqtt_url = 'wss://a1b2c3-ats.iot.us-east-1.amazonaws.com/mqtt'
  const more = { server: 'http://127.0.0.1:8090', mqtt_url, mqtt_topic: 'lorawan/+/up' }
  assert.deepEqual(findAccountFaults(awsIotCoreLora, { ...good, ...more }), {})
})

test('names every field that is wrong', () => {
  const wrong = {
    region: ['us-east', 'https://iot.us-east-1.amazonaws.com', 'US-EAST-1', 'a.b/c'],
    access_key_id: ['short', 'AKIA IOSFODNN7EXAMPLE'],
    secret_access_key: ['short', 'two words of sixteen characters', 'schlüssel-mit-16-zeichen'],
    destination: ['a b', 'a/b', 'x'.repeat(129)],
    device_profile_id: ['a b', '../x'],
    service_profile_id: ['{}'],
    server: ['api.iotwireless.us-east-1.amazonaws.com', 'https://host/path', 'ftp://host'],
    mqtt_url: ['mqtts://host:8883', 'wss://user:pw@host/mqtt', 'wss://host/mqtt?x=1'],
    mqtt_topic: ['a b', 'a/b/c/d/e/f/g/h/i'],
  }
  checkWrongFields(awsIotCoreLora, { mqtt_topic: 'x', ...good }, wrong)
})

test('asks for the topic that goes with a broker', () => {
  const faults = findAccountFaults(awsIotCoreLora, {
    ...good,
    mqtt_url: 'wss://host.example.test/mqtt',
  })
  assert.deepEqual(Object.keys(faults), ['mqtt_topic'])
})

test('keeps the secret access key secret, and nothing else', () => {
  assert.deepEqual(secretsOf(awsIotCoreLora), ['secret_access_key'])
})
