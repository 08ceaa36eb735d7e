// Downlinks, DataDownDto of the GMS REST API 3.2.6.
import { objectOf, textOf } from '../answer-fields.ts'
import type { NetworkDownlink, QueuedDownlink } from '../device-queue.ts'
import type { JsonObject } from '../message-fields.ts'
import { isRefusal } from '../rest.ts'
import { createdId, list, type Session } from './client.ts'

const base = '/dataDown'

/** Returns the id by which events name the downlink. */
export async function queueDownlink(session: Session, downlink: NetworkDownlink): Promise<string> {
  const { devEui, fPort, payload, confirmed } = downlink
  const answer = await session.call({
    method: 'POST',
    path: base,
    body: {
      endDevice: { devEui: devEui.toUpperCase() },
      fPort,
      payload: Buffer.from(payload).toString('hex'),
      contentType: 'HEXA',
      confirmed,
    },
  })
  return createdId(answer, 'the downlink')
}

/** What waits, oldest first. */
export async function listDownlinks(session: Session, devEui: string): Promise<QueuedDownlink[]> {
  const eui = devEui.toUpperCase()
  const waiting: JsonObject[] = []
  for await (const page of list(session, base, { operand: 'endDevice.devEui', value: eui })) {
    waiting.push(...page.filter((item) => isOf(eui, item) && !isOver(textOf(item.status))))
  }
  waiting.sort((a, b) => Number(a.timestamp ?? 0) - Number(b.timestamp ?? 0))
  return waiting.map((item) => ({
    id: textOf(item.id),
    fPort: Number(item.fPort),
    payload: Buffer.from(textOf(item.payload), isHexadecimal(item) ? 'hex' : 'base64'),
    confirmed: item.confirmed === true,
    // It was sent at least once and waits for the device's acknowledgement.
    isPending: Number(item.nbAttempts ?? 0) > 0,
  }))
}

/**
 * Reads the state of the downlink after the cancel, because Wanesy also accepts a cancel that comes
 * too late.
 */
export async function cancelDownlink(session: Session, id: string): Promise<boolean> {
  const path = `${base}/${encodeURIComponent(id)}`
  let isAccepted = true
  try {
    await session.call({ method: 'DELETE', path, query: { cancel: true } })
  } catch (error) {
    if (!isRefusal(error)) throw error
    isAccepted = false
  }
  const status = await readStatus(session, id)
  if (status === 'CANCELLED') return true
  return isAccepted && !isOver(status ?? '')
}

async function readStatus(session: Session, id: string): Promise<string | undefined> {
  for await (const page of list(session, base, { operand: 'id', value: id })) {
    const found = page.find((item) => item.id === id)
    if (found) return textOf(found.status)
  }
  return undefined
}

/** An item without a device was found by the search for the device. */
function isOf(eui: string, { endDevice }: JsonObject): boolean {
  const named = textOf(objectOf(endDevice).devEui).toUpperCase()
  return named === '' || named === eui
}

function isOver(status: string): boolean {
  return ['OK', 'KO', 'CANCELLED'].includes(status)
}

function isHexadecimal({ encodingType, contentType }: JsonObject): boolean {
  return (textOf(encodingType) || textOf(contentType)).startsWith('HEX')
}
