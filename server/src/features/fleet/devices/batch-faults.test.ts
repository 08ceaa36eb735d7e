import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  creation,
  deletion,
  done,
  refused,
  sendBatch,
  update,
} from '../../../../test/device-batches.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

/** What is wrong with the items of a batch. */

const service = await startTestService({ after })
const send = (devices: unknown, as?: Login) => sendBatch(service, devices, as)

const missing = [
  'The device name field is required.',
  'The device EUI field is required.',
  'The network field is required.',
  'The register method field is required.',
  'The device key field is required.',
  'The device type field is required.',
  'The join EUI field is required.',
]
const invalid: [string, unknown, string[]][] = [
  ['a creation without anything', { action: 'create' }, missing],
  [
    'a creation whose provisioning data is empty',
    { action: 'create', provisioningData: {} },
    missing,
  ],
  [
    'provisioning data that is no object',
    creation(80, { provisioningData: 'x' }),
    ['The provisioning data must be an object.'],
  ],
  ['a short key', creation(80, {}, { deviceKey: 'AB' }), ['The device key must be 32 characters.']],
  [
    'a key that is not hexadecimal',
    creation(80, {}, { deviceKey: 'x'.repeat(32) }),
    ['The device key must contain hexadecimal characters only.'],
  ],
  [
    'an EUI that is not hexadecimal',
    creation(80, { deviceId: 'x'.repeat(16) }),
    ['The device EUI must contain hexadecimal characters only.'],
  ],
  [
    'a join EUI that is too long',
    creation(80, {}, { joinEui: '0'.repeat(17) }),
    ['The join EUI must be 16 characters.'],
  ],
  [
    'a register method that there is not',
    creation(80, {}, { registerMethod: 'both' }),
    ['The register method must be one of: vendor, user_account.'],
  ],
  [
    'an unknown type, region and network at once',
    creation(80, {}, { deviceTypeId: 0, appRegion: 'EU999', network: 'x' }),
    [
      'The selected network is invalid.',
      'The selected device type is invalid.',
      'The selected app region is invalid.',
    ],
  ],
  [
    'what can be read when other fields cannot',
    creation(80, { deviceName: 1 }, { deviceTypeId: 0 }),
    ['The device name must be a string.', 'The selected device type is invalid.'],
  ],
  [
    'consoleOnly that is no boolean',
    creation(80, {}, { consoleOnly: 'yes' }),
    ['The console only must be true or false.'],
  ],
  [
    'an update without anything',
    { action: 'update' },
    ['The device EUI field is required.', 'The device name field is required.'],
  ],
  ['groups that are no array', { ...update(80, 'A'), groups: 1 }, ['The groups must be an array.']],
  [
    'a group that is no id',
    { ...update(80, 'A'), groups: ['1'] },
    ['The group id must be an integer.'],
  ],
  ['a deletion without anything', { action: 'delete' }, ['The device EUI field is required.']],
  ['an item without an action', {}, ['The action field is required.']],
  [
    'an unknown action',
    { action: 'rename' },
    ['The action must be one of: create, update, delete.'],
  ],
  ['a null', null, ['The item must be an object.']],
  ['an array', [], ['The item must be an object.']],
  ['a number', 1, ['The item must be an object.']],
]
for (const [name, item, errors] of invalid) {
  // shows 1.4.3, 4.11.3-9, 4.11.11, 4.11.12, 4.11.14-16, 4.11.18, 4.11.25, 4.11.26, 10.10.5
  // shows 10.10.6
  test(`complains about ${name}, and does the others`, async () => {
    const data = await send([creation(81), item, deletion(81)])
    assert.deepEqual(data, [done('added', 81), refused(...errors), done('deleted', 81)])
  })
}

// shows 8.1.1
test('an EUI must be one in every kind of item', async () => {
  const sentences = {
    '00AA': 'The device EUI must be 16 characters.',
    '00AA00000000000G': 'The device EUI must contain hexadecimal characters only.',
  }
  for (const [deviceId, sentence] of Object.entries(sentences)) {
    const items = [creation(1, { deviceId }), { ...update(1, 'A'), deviceId }]
    const data = await send([...items, { action: 'delete', deviceId }])
    assert.deepEqual(data, [refused(sentence), refused(sentence), refused(sentence)])
  }
})
