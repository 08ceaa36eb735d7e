import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { gatewayCreation as creation, gatewayEuiOf } from '../../../../test/fleet.ts'
import { deletion, refused, sendBatch, update } from '../../../../test/gateway-batches.ts'
import { startTestService } from '../../../../test/service.ts'

/** What is wrong with the items of a batch. */

const service = await startTestService({ after })
const eui = gatewayEuiOf(80)

/** Changes to an item that is right, and what is then said of it. */
const creations: [string, Record<string, unknown>, string[]][] = [
  ['a name that is missing', { gatewayName: null }, ['The gateway name field is required.']],
  ['a name that is no text', { gatewayName: 7 }, ['The gateway name must be a string.']],
  [
    'a name that is too long',
    { gatewayName: 'x'.repeat(256) },
    ['The gateway name may not be greater than 255 characters.'],
  ],
  ['an address that is missing', { gatewayIp: null }, ['The gateway ip field is required.']],
  ['an address that is empty', { gatewayIp: '' }, ['The gateway ip field is required.']],
  [
    'an address that is none',
    { gatewayIp: 'roof' },
    ['The gateway ip must be an IP address such as 192.168.2.1.'],
  ],
  ['a bridge that is missing', { gatewayBridge: '' }, ['The gateway bridge field is required.']],
  [
    'a bridge that is unknown',
    { gatewayBridge: 'nowhere' },
    ['The selected gateway bridge is invalid.'],
  ],
  [
    'a network that takes no gateways',
    { gatewayBridge: 'senet' },
    ['The selected gateway bridge is invalid.'],
  ],
  [
    'a description that is too long',
    { description: 'x'.repeat(1001) },
    ['The description may not be greater than 1000 characters.'],
  ],
  ['a region that is missing', { appRegion: null }, ['The app region field is required.']],
  ['a region that is none', { appRegion: 'EU999' }, ['The selected app region is invalid.']],
  [
    'a region that is none on a network without one',
    { gatewayBridge: 'actility', model: 'x', appRegion: 'EU999' },
    ['The selected app region is invalid.'],
  ],
  [
    'choices that its form does not have',
    { gatewayBridge: 'thethingsnetwork', frequencyPlan: 'EU_1', zoneId: 'moon' },
    ['The selected frequency plan is invalid.', 'The selected zone id is invalid.'],
  ],
  [
    'a gateway id of LORIOT that is no text',
    {
      gatewayBridge: 'loriot',
      brand: 'kerlink',
      model: 'evolution',
      concentrator: 'kerlink_femtocell',
      bus: 'SPI',
      '<network_key_4>Gateway': 5,
    },
    ['The loriot gateway must be a string.'],
  ],
]

const requiredFields = [
  'The gateway name field is required.',
  'The gateway ip field is required.',
  'The gateway EUI field is required.',
  'The app region field is required.',
  'The gateway bridge field is required.',
]
const items: [string, unknown, object][] = [
  ...creations.map(([name, changes, errors]): [string, unknown, object] => [
    name,
    creation(80, changes),
    refused('create', errors, eui),
  ]),
  ['a creation without anything', { action: 'create' }, refused('create', requiredFields)],
  [
    'an EUI that is too short',
    creation(80, { gatewayEui: '00BB' }),
    refused('create', ['The gateway EUI must be 16 characters.'], '00BB'),
  ],
  [
    'an EUI that is not hexadecimal',
    creation(80, { gatewayEui: 'x'.repeat(16) }),
    refused(
      'create',
      ['The gateway EUI must contain hexadecimal characters only.'],
      'x'.repeat(16),
    ),
  ],
  [
    'an EUI that is a number',
    creation(80, { gatewayEui: 7 }),
    refused('create', ['The gateway EUI must be a string.']),
  ],
  [
    'an EUI that is far too long, without repeating it',
    creation(80, { gatewayEui: '0'.repeat(300) }),
    refused('create', [
      'The gateway EUI may not be greater than 255 characters.',
      'The gateway EUI must be 16 characters.',
    ]),
  ],
  [
    'an update without anything',
    { action: 'update' },
    refused('update', ['The gateway id field is required.', 'The gateway name field is required.']),
  ],
  [
    'an id that is text',
    { ...update(1, 'Tower'), gatewayId: '1' },
    refused('update', ['The gateway id must be an integer.']),
  ],
  ['a blank name', update(1, ' '), refused('update', ['The gateway name field is required.'])],
  [
    'a deletion without anything',
    { action: 'delete' },
    refused('delete', ['The gateway id field is required.']),
  ],
  [
    'a deletion by EUI',
    { action: 'Delete', gatewayId: eui },
    refused('delete', ['The gateway id must be an integer.']),
  ],
  [
    'an id that is no integer',
    deletion(1.5),
    refused('delete', ['The gateway id must be an integer.']),
  ],
  ['an id out of range', deletion(2 ** 40), refused('delete', ['The gateway id is out of range.'])],
  ['an item without an action', {}, refused('', ['The action field is required.'])],
  [
    'an unknown action',
    { action: 'Rename' },
    refused('Rename', ['The action must be one of: create, update, delete.']),
  ],
  ['an action that is no text', { action: 1 }, refused('', ['The action must be a string.'])],
  ['a null', null, refused('', ['The item must be an object.'])],
  ['an array', [], refused('', ['The item must be an object.'])],
  ['a number', 1, refused('', ['The item must be an object.'])],
]
for (const [name, item, entry] of items) {
  // shows 4.27.3-5, 4.27.7, 4.27.9, 4.27.10, 4.27.12, 4.27.16, 4.27.20, 4.27.23
  test(`complains about ${name}, and does the others`, async () => {
    const other = { gatewayBridge: 'other' }
    const data = await sendBatch(service, [creation(81, other), item, creation(82, other)])
    assert.deepEqual(data[1], entry)
    const done = await sendBatch(service, [
      deletion(data[0].gatewayId),
      deletion(data[2].gatewayId),
    ])
    assert.ok(done.every(({ status }: { status: boolean }) => status))
  })
}
