// POST /devices/{DevEUI}/message (OlegZv/machineq, core/device: DeviceMessage).
import { randomUUID } from 'node:crypto'
import type { NetworkDownlink } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { RefusedCall } from '../rest.ts'
import type { Session } from './client.ts'

/** Returns an id of our own: machineQ gives none, and tells nothing of the downlink later. */
export async function queueDownlink(session: Session, downlink: NetworkDownlink): Promise<string> {
  const { devEui, fPort, payload, confirmed } = downlink
  try {
    await session.call({
      method: 'POST',
      path: `/devices/${devEui}/message`,
      body: {
        Payload: Buffer.from(payload).toString('hex'),
        // A text, while the API takes numbers elsewhere.
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
 * For some minutes after a device was registered machineQ does not know it here, and until a
 * gateway has heard it there is no way to it (OlegZv/machineq, tests/test_device.py).
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
