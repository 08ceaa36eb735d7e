import assert from 'node:assert/strict'
import { rollUp } from '../src/uplinks/rollups/roll-up.ts'
import { connectChirpStack, makeUp, post } from './chirpstack-uplinks.ts'
import { addGroup, addLocalDevice, euiOf } from './fleet.ts'
import { joinMember } from './members.ts'
import { type Login, startTestService } from './service.ts'

/** A device type that measures temperature and humidity. */
export const airType = 112
export const place = { x: 0, y: 0, w: 6, h: 4 }
export const temperature = { quantity: 'air.temperature' }

/** Of a picture; must not be kept. */
export const note = Buffer.from(
  `0000000574455874${Buffer.from('Where').toString('hex')}00000000`,
  'hex',
)
/** A PNG of one pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
export const dataAddress = (bytes: Uint8Array) => `data:image/png;base64,${bytes.toBase64()}`
export const tinyPicture = dataAddress(pixel)

export const range = { from: '2026-02-28T12:00:00Z', to: '2026-02-28T16:00:00Z' }

/** A service with three groups: Cellar in Building, and Yard; with readings in `range`. */
export async function startDashboardService(hooks: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(hooks)
  const { call } = service
  const { db } = service.services
  const callback = await connectChirpStack(service)

  const ids: number[] = []
  for (const number of [1, 2, 3]) {
    ids.push(await addLocalDevice(service, number, { deviceType: airType }))
  }
  ids.push(await addLocalDevice(service, 4))
  const [first = 0, second = 0, third = 0, door = 0] = ids
  const building = await addGroup(service, 'Building', { selectedDevices: [first, door] })
  const cellar = await addGroup(service, 'Cellar', {
    selectedDevices: [second],
    selectedGroup: building,
  })
  const yard = await addGroup(service, 'Yard', { selectedDevices: [third] })

  /** Tenths of °C, and % of humidity. */
  function air(tenths: number, humidity: number): string {
    const bytes = [0x10, 0x0d, 0, Math.floor(tenths / 10), (tenths % 10) << 4, humidity, 0]
    return Uint8Array.from(bytes).toHex()
  }

  async function send(number: number, hex: string, time: string): Promise<void> {
    const { status, text } = await post(
      service,
      callback,
      makeUp({ eui: euiOf(number), hex, time }),
    )
    assert.equal(status, 200, text)
  }

  await send(1, air(200, 40), '2026-02-28T12:10:00Z')
  await send(1, air(220, 42), '2026-02-28T14:10:00Z')
  await send(2, air(100, 80), '2026-02-28T12:20:00Z')
  await send(3, air(300, 50), '2026-02-28T12:30:00Z')
  await send(4, '100301', '2026-02-28T12:00:00Z')
  await send(4, '100300', '2026-02-28T13:00:00Z')
  await rollUp(db)

  const member = await joinMember(service, 'reader@example.test')
  const editor = await joinMember(service, 'editor@example.test', ['manage_widget_dashboard'])
  const limited = await joinMember(service, 'cellar@example.test', ['manage_widget_dashboard'])
  await call('PATCH', `/v1/organization/users/${limited.userId}`, { body: { group: cellar } })

  const chart = { type: 'chart', ...place, source: { group: building, ...temperature } }

  async function make(body: Record<string, unknown> = {}, as: Login = editor) {
    const answer = await call('POST', '/v1/dashboards', {
      as,
      body: { name: 'Cold chain', widgets: [chart], ...body },
    })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }

  async function namesFor(as: Login, query = ''): Promise<string[]> {
    const { status, body, text } = await call('GET', `/v1/dashboards${query}`, { as })
    assert.equal(status, 200, text)
    return body.data.map(({ name }: { name: string }) => name)
  }

  async function read(widgets: object[], more: object = {}, as: Login = member) {
    const body = { ...range, widgets, ...more }
    const answer = await call('POST', '/v1/dashboards/data', { as, body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  return {
    ...{ service, first, door, building, cellar, yard, member, editor, limited, chart },
    ...{ make, namesFor, read },
  }
}
