// Devices of an Everynet organization: /devices and /devices/{dev_eui}.
import { isEui } from '../../lora/eui.ts'
import { textOf } from '../answer-fields.ts'
import { anyJoinEui } from '../forms.ts'
import { isObject } from '../message-fields.ts'
import { type ListedThing, type NetworkDevice, NetworkError } from '../network.ts'
import { RefusedCall } from '../rest.ts'
import { findBand } from './bands.ts'
import { call, find, isMissing, type Session } from './client.ts'

const pageSize = 100
/** No account has more: a server that never stops giving pages is not believed. */
const mostPages = 10_000

/** One call; a device that the organization has already is adopted. */
export async function addDevice(session: Session, device: NetworkDevice): Promise<void> {
  const { devEui, joinEui, appKey, name, region } = device
  if (!region) throw new NetworkError('refused', 'Everynet needs the region of a device.')
  const band = await findBand(session, region)
  try {
    await call(session, {
      method: 'POST',
      path: '/devices',
      body: {
        dev_eui: devEui.toLowerCase(),
        app_eui: joinEui.toLowerCase(),
        app_key: appKey.toLowerCase(),
        activation: 'OTAA',
        // Payloads come in clear.
        encryption: 'NS',
        dev_class: 'A',
        counters_size: 4,
        adr: { mode: 'on', tx_power: null, datarate: null },
        band,
        tags: [toTag(name)],
      },
    })
  } catch (error) {
    const isRefused = error instanceof RefusedCall && error.kind === 'refused'
    if (!isRefused || !(await find(session, pathOf(devEui)))) throw error
    await adoptDevice(session, device)
  }
}

/** A device of another organization is not found, and left alone. */
export async function removeDevice(session: Session, devEui: string): Promise<void> {
  try {
    await call(session, { method: 'DELETE', path: pathOf(devEui) })
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

export async function* listDevices(session: Session): AsyncGenerator<ListedThing[]> {
  for (let page = 0; page < mostPages; page += 1) {
    const query = { offset: page * pageSize, limit: pageSize }
    const body = await call(session, { method: 'GET', path: '/devices', query })
    const devices = isObject(body) && Array.isArray(body.devices) ? body.devices : []
    yield devices.flatMap(toListed)
    if (devices.length < pageSize) return
  }
  throw new NetworkError('unreachable', 'Everynet does not stop giving pages.')
}

/** Leaves its tags, by which its owner may route its messages. */
async function adoptDevice(session: Session, { devEui, joinEui, appKey }: NetworkDevice) {
  await call(session, {
    method: 'PATCH',
    path: pathOf(devEui),
    body: {
      app_key: appKey.toLowerCase(),
      ...(joinEui === anyJoinEui ? {} : { app_eui: joinEui.toLowerCase() }),
    },
  })
}

/** Filters list tags with commas between them. */
function toTag(name: string): string {
  return name.replace(/[,\s]+/g, ' ').trim()
}

function toListed(device: unknown): ListedThing[] {
  if (!isObject(device) || typeof device.dev_eui !== 'string' || !isEui(device.dev_eui)) return []
  const eui = device.dev_eui.toUpperCase()
  const [tag] = Array.isArray(device.tags) ? device.tags : []
  const [appKey, joinEui] = [textOf(device.app_key), textOf(device.app_eui).toUpperCase()]
  const told = { ...(appKey && { appKey }), ...(isEui(joinEui) && { joinEui }) }
  return [{ eui, name: typeof tag === 'string' ? tag : eui, ...told }]
}

function pathOf(devEui: string): string {
  return `/devices/${devEui.toLowerCase()}`
}
