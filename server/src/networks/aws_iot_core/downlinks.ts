import { randomUUID } from 'node:crypto'
import { PublishCommand } from '@aws-sdk/client-iot-data-plane'
import type { NetworkDownlink } from '../device-queue.ts'
import type { Session } from './client.ts'

/**
 * Publishes to the device's topic, with our own id. A subscriber gets it at once; for one that is
 * away the broker keeps it in its session, for an hour by default (AWS IoT Core quotas).
 */
export async function queueDownlink(
  { account, openData }: Session,
  { devEui, fPort, payload, confirmed }: NetworkDownlink,
): Promise<string> {
  const id = randomUUID()
  const message = {
    id,
    deviceId: devEui,
    fPort,
    confirmed,
    payload: Buffer.from(payload).toString('hex'),
  }
  const data = await openData()
  await data.send(
    new PublishCommand({
      topic: `${account.topicPrefix}/${devEui}/down`,
      qos: 1,
      contentType: 'application/json',
      payload: Buffer.from(JSON.stringify(message)),
    }),
  )
  return id
}
