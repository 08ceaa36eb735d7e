import { z } from 'zod'
import { changeOf } from '../../http/change-record.ts'
import { conflict, invalid, notFound } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { recordedOnly, sendDownlink } from './downlink-sending.ts'
import type { DownlinkServices } from './downlink-services.ts'
import { mostWaiting } from './ledger.ts'
import { findOfDevice } from './listed-downlink-queries.ts'
import { downlinkRecord, toDownlinkRecord } from './listed-downlink-record.ts'
import { findRawFaults, rawDownlinkBody, readExpiry } from './raw-downlink.ts'

export const sendRawDownlink = endpoint({
  summary: 'Send bytes to a device',
  description:
    'The bytes go to the LoRaWAN port as they are, after the messages that wait for the device already. A message that the network cannot take just now stays queued and is handed over later. With `expires_at` or `valid_seconds`, one that is not handed over by then expires and is never sent; after the hand-over the network decides when it sends it. A confirmed message is `acknowledged` when the device has acknowledged it and the network reports that; any other one ends as `sent`, unless the sensor answers. `Idempotency-Key` keeps a repeated request from sending it twice.',
  params: devicePath,
  body: rawDownlinkBody,
  examples: [
    { name: 'bytes', body: { f_port: 10, payload: '0100028100000000' } },
    {
      name: 'confirmed, for an hour',
      body: { f_port: 10, payload: '01 02', confirmed: true, valid_seconds: 3600 },
    },
    {
      name: 'until a time',
      body: { f_port: 10, payload: '0102', expires_at: '2026-03-02T12:00:00Z' },
    },
  ],
  answer: z.object({ data: downlinkRecord }),
  failures: [404, 409],
  change: changeOf('downlink', 'queued', 'device'),
  async handle({ params, body, caller, record }, services: DownlinkServices) {
    const { db, now, downlinkWriter } = services
    const { organizationId, userId } = caller
    const reference = readReference(params.device_id)
    const device = await downlinkWriter.findDevice({ organizationId, reference })
    if (!device) throw notFound('device not found')
    const expiresAt = readExpiry(body, now())
    if (device.is_console_only) throw conflict(recordedOnly)
    const faults = findRawFaults(body, device.network)
    if (faults) throw invalid(faults)
    const { creation } = await sendDownlink(services, {
      organizationId,
      userId,
      deviceId: device.id,
      section: 'raw',
      fieldValues: {},
      payload: Uint8Array.fromHex(body.payload),
      fPort: body.f_port,
      isConfirmed: body.confirmed ?? false,
      ...(expiresAt ? { expiresAt } : {}),
      record,
    })
    if (creation === 'too_many') {
      throw conflict(`The device has ${mostWaiting} messages waiting; cancel one first.`)
    }
    const written =
      creation !== 'device_gone' && (await findOfDevice(db, organizationId, device.id, creation.id))
    if (!written) throw notFound('device not found')
    return { data: toDownlinkRecord(written) }
  },
})
