// POST /devices/{DevEUI}/message (OlegZv/machineq, core/device: DeviceMessage).
import { randomUUID } from 'node:crypto'
import type { NetworkDownlink } from '../device-queue.ts'
import { NetworkError } from '../network-error.ts'
import { RefusedCall } from '../rest.ts'
import type { Session } from './client.ts'

/** Returns our own id: machineQ gives none and reports nothing about the downlink. */
export async function queueDownlink(session: Session, downlink: NetworkDownlink): Promise<string> {
  const { devEui, fPort, payload, confirmed } = downlink
  try {
    await session.call({
      method: 'POST',
      path: `/devices/${devEui}/message`,
      body: {
        Payload: Buffer.from(payload).toString('hex'),
        // A text here; the API takes numbers elsewhere.
        TargetPort: String(fPort),
        Confirm: confirmed,
        FlushQueue: false,
      },
    })
  } catch (error) {
    throw isNotReady(error) ? later(error) : error
  }
  return randomUUID()
}

/**
 * For some minutes after its registration machineQ does not know a device here, and cannot reach it
 * until a gateway has heard it (OlegZv/machineq, tests/test_device.py).
 */
function isNotReady(error: unknown): error is RefusedCall {
  return (
    error instanceof RefusedCall && /invalid deveui|no base station available/i.test(error.message)
  )
}

function later(error: RefusedCall): NetworkError {
  const message = `${error.message} The device may be too new: this is tried again.`
  return new NetworkError('not_yet', message)
}
