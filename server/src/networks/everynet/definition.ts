import {
  checkBy,
  checkOneWord,
  isApiAddress,
  isHostName,
  otherServerField,
} from '../account-fields.ts'
import type { Network } from '../network.ts'
import { readMessages } from './messages.ts'

/** Everynet: its management API v1.0 and its HTTP connections. ns.docs.everynet.io */
export const everynet: Network = {
  key: 'everynet',
  alias: 'network_key_8',
  id: 9,
  name: 'Everynet',
  isLora: true,
  accountFields: [
    {
      name: 'region',
      label: 'Region (eu, us, atc)',
      required: true,
      check: checkBy(
        (text) => isApiAddress(text) || isHostName(text),
        'The region must be a name such as eu, or an address such as https://host.',
      ),
    },
    {
      name: 'access_token',
      label: 'Access token of an API key',
      required: true,
      secret: true,
      check: checkOneWord('access token'),
    },
    {
      name: 'connection_id',
      label: 'ID of the HTTP connection',
      required: true,
      check: checkBy(
        /^[0-9a-f-]{1,64}$/i,
        'The connection ID must be like 5eb858c86c1837f2550ae2cb.',
      ),
    },
    {
      name: 'authorization',
      label: 'Authorization of the HTTP connection (only for devices of class C)',
      secret: true,
      // It may have spaces, as in `Token 123`.
      check: checkBy(/^[\x20-\x7e]+$/, 'The authorization must be one line.'),
    },
    { ...otherServerField, label: 'Address of the API, where it is another one (https://host)' },
  ],
  // POST /devices takes a `band`, which follows from the region. Gateways are managed in a portal
  // of their own, without an API.
  forms: { device: { fields: { joinEui: 'optional', appRegion: 'required' } } },
  // Its devices have tags but no name. It keeps no downlinks and asks for one when the device
  // listens. Its connections can be read but not written.
  capabilities: {
    registration: 'api',
    radio: ['abp', 'class_c'],
    rekeys: true,
    changesJoinEui: true,
    downlinks: 'pulled',
    confirmed: true,
    reports: ['sent', 'acknowledged', 'failed'],
    lists: ['devices'],
    tellsKeys: 'listed',
    rights: ['write_devices'],
  },
  // A connection sends no other header.
  callbackHeader: 'authorization',
  readMessages,
  load: () => import('./connection.ts'),
}
