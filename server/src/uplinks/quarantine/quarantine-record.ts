import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import * as accountQueries from '../../features/accounts/connections/account-queries.ts'
import {
  accountParams,
  noAccount,
  readNetwork,
} from '../../features/accounts/network-accounts/account-record.ts'
import { notFound } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { isoTime } from '../../http/timestamps.ts'
import type { Uplink } from '../../networks/network-message.ts'
import { readUplink } from '../store/quarantine.ts'
import type { QuarantinedEui, QuarantinedRow } from './quarantine-list-queries.ts'

/** Stands for a message without an EUI, in paths and answers. */
const noEui = '--'

const reason = z
  .enum(['unknown_device', 'not_storable'])
  .describe('`unknown_device`: no device is registered; `not_storable`: no row can hold it.')

export const quarantinedEui = z
  .object(
    withExamples(
      {
        eui: z.string().describe(`${noEui} for messages that name no device.`),
        count: z.int(),
        first_received_at: z.string(),
        last_received_at: z.string(),
        reason: reason.describe('Of the newest message, as the members below.'),
        detail: z.string(),
        f_port: z.int().nullable().describe('Null where the message is no readable uplink.'),
        rssi: z.number().nullable(),
        is_registered: z.boolean().describe('Whether the organization has such a device now.'),
      },
      {
        eui: '00AA000000000009',
        count: 12,
        first_received_at: '2026-03-01T08:00:00.000000Z',
        last_received_at: '2026-03-01T11:58:00.000000Z',
        reason: 'unknown_device',
        detail: 'The device is not registered.',
        f_port: 2,
        rssi: -97,
        is_registered: false,
      },
    ),
  )
  .meta({ id: 'QuarantinedEui' })

export const quarantinedMessage = z
  .object(
    withExamples(
      {
        id: z.int(),
        received_at: z.string(),
        reason,
        detail: z.string(),
        f_port: z.int().nullable(),
        f_cnt: z.int().nullable(),
        rssi: z.number().nullable(),
        payload: z.string().nullable().describe('The frame in hexadecimal, if it is readable.'),
        message: z.string().describe('As the network sent it: the first 8 kB, usually JSON.'),
      },
      {
        id: 71,
        received_at: '2026-03-01T11:58:00.000000Z',
        reason: 'unknown_device',
        detail: 'The device is not registered.',
        f_port: 2,
        f_cnt: 10,
        rssi: -97,
        payload: '100301',
        message: '{"deduplicationId":"3ac7e3c4-4401-4b8d-9386-a5c902f9202d","fPort":2}',
      },
    ),
  )
  .meta({ id: 'QuarantinedMessage' })

export const euiParams = accountParams.extend({
  eui: z
    .string()
    .transform((eui) => (eui === noEui ? '' : /^[0-9a-f]{16}$/.test(eui) ? eui.toUpperCase() : eui))
    .meta({ description: `EUI, or ${noEui} for none.`, examples: ['00AA000000000009'] }),
})

export function toQuarantinedEui(row: QuarantinedEui): z.infer<typeof quarantinedEui> {
  const uplink = readable(row.uplink)
  return {
    eui: row.device_eui || noEui,
    count: row.count,
    first_received_at: isoTime(row.first_received_at),
    last_received_at: isoTime(row.last_received_at),
    reason: row.reason,
    detail: row.detail,
    f_port: uplink?.fPort ?? null,
    rssi: uplink?.receptions[0]?.rssi ?? null,
    is_registered: row.is_registered,
  }
}

export function toQuarantinedMessage(row: QuarantinedRow): z.infer<typeof quarantinedMessage> {
  const uplink = readable(row.uplink)
  return {
    id: row.id,
    received_at: isoTime(row.received_at),
    reason: row.reason,
    detail: row.detail,
    f_port: uplink?.fPort ?? null,
    f_cnt: uplink?.fCnt ?? null,
    rssi: uplink?.receptions[0]?.rssi ?? null,
    payload: uplink ? Buffer.from(uplink.payload).toString('hex').toUpperCase() : null,
    message: row.message.toString('utf8'),
  }
}

function readable(text: string | null): Uplink | undefined {
  return text === null ? undefined : readUplink(text)
}

/** The id of the organization's account; throws the 404. */
export async function findAccountId(
  db: Queryable,
  organizationId: number,
  network: string,
  registerMethod: accountQueries.RegisterMethod,
): Promise<number> {
  const { key } = readNetwork(network)
  const account = await accountQueries.find(db, organizationId, key, registerMethod)
  if (!account) throw notFound(noAccount)
  return account.id
}

export const nothingQuarantined = 'No quarantined messages of this EUI'
