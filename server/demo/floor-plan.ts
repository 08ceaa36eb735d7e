import type { Call } from './fleet.ts'

/** The warehouse of the demo: rooms by their corners on a sheet of 1,200 by 800. */
const rooms = [
  ['Hall', 40, 40, 700, 520],
  ['Cold store', 740, 40, 420, 300],
  ['Server room', 740, 340, 420, 220],
  ['Office', 40, 560, 340, 200],
  ['Kitchen', 380, 560, 360, 200],
  ['Loading', 740, 560, 420, 200],
] as const

/** Doors stand in walls: the middle of each. */
const doors = [
  [740, 180],
  [740, 450],
  [210, 560],
  [560, 560],
  [950, 560],
  [950, 760],
  [40, 300],
] as const

function drawPlan(): string {
  const walls = rooms.map(
    ([, x, y, width, height]) => `<rect x="${x}" y="${y}" width="${width}" height="${height}"/>`,
  )
  const names = rooms.map(
    ([name, x, y, width, height]) =>
      `<text x="${x + width / 2}" y="${y + height / 2}">${name}</text>`,
  )
  const gaps = doors.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="22"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 800">
<rect width="1200" height="800" fill="#fff"/>
<g fill="#f4f5f7" stroke="#4a5058" stroke-width="8">${walls.join('')}</g>
<g fill="#fff">${gaps.join('')}</g>
<g fill="#8a9097" font-family="sans-serif" font-size="30" text-anchor="middle">${names.join('')}</g>
</svg>`
}

/** Devices on the plan; more would cover each other. */
const mostPlaced = 12

/** Gives a group a floor plan with its first devices on it, one to a room and then again, and a gateway. */
export async function addFloorPlan(
  call: Call,
  groupId: number,
  devices: readonly number[],
): Promise<void> {
  const image = Buffer.from(drawPlan()).toString('base64')
  const { data } = await call('POST', '/floor-plans', {
    ...{ name: 'Warehouse, ground floor', group_id: groupId, image },
  })
  const { id } = data as { id: number }
  for (const [index, device] of devices.slice(0, mostPlaced).entries()) {
    const [, x, y, width, height] = rooms[index % rooms.length] ?? rooms[0]
    const isSecond = index >= rooms.length
    const place = {
      x: (x + width * (isSecond ? 0.72 : 0.3)) / 1200,
      y: (y + height * (isSecond ? 0.75 : 0.25)) / 800,
    }
    await call('PUT', `/floor-plans/${id}/devices/${device}`, place)
  }
  const { data: gateways } = await call('GET', '/fleet/gateways?limit=1')
  for (const { id: gateway } of gateways as { id: number }[]) {
    await call('PUT', `/floor-plans/${id}/gateways/${gateway}`, { x: 0.43, y: 0.12 })
  }
}
