import type { Call } from './fleet.ts'

/** The groups of the demo by their names. */
type Groups = ReadonlyMap<string, number>

const temperature = { quantity: 'air.temperature' }
const humidity = { quantity: 'air.relativeHumidity' }

/** What hangs on a wall: what is wrong, how warm it is, and where; nothing to scroll for on a large screen. */
function wallOf(groups: Groups) {
  const all = { group: groups.get('Warehouse') }
  return {
    name: 'Warehouse at a glance',
    description: 'For the screen in the gate house.',
    range: '24h',
    widgets: [
      { type: 'counts', x: 0, y: 0, w: 12, h: 2, source: all },
      {
        ...{ type: 'tiles', title: 'Temperature now', x: 0, y: 2, w: 4, h: 5 },
        source: { ...all, ...temperature },
        options: { low: 5, high: 27, most: 12 },
      },
      {
        ...{ type: 'chart', title: 'Temperature of a day', x: 0, y: 7, w: 4, h: 5 },
        source: { ...all, ...temperature },
        options: { show: 'average', high: 27 },
      },
      {
        ...{ type: 'plan', title: 'Ground floor', x: 4, y: 2, w: 5, h: 7 },
        source: { group: groups.get('Ground floor') },
      },
      {
        ...{ type: 'states', title: 'Doors and water', x: 4, y: 9, w: 5, h: 3, source: all },
        options: { most: 1 },
      },
      { type: 'alerts', title: 'Open alerts', x: 9, y: 2, w: 3, h: 6, source: all },
      { type: 'battery', title: 'Silent or low battery', x: 9, y: 8, w: 3, h: 4, source: all },
    ],
  }
}

/** One for each floor, by the choice at its top: each kind of widget that compares or sums up. */
function floorOf(groups: Groups) {
  const chosen = { variable: true }
  return {
    name: 'A floor in detail',
    description: 'Choose the floor above.',
    range: '7d',
    variable: { kind: 'group', group: groups.get('Ground floor') },
    widgets: [
      {
        ...{ type: 'value', title: 'Average temperature', x: 0, y: 0, w: 3, h: 3 },
        source: { ...chosen, ...temperature },
        options: { range: '24h', high: 27 },
      },
      {
        ...{ type: 'gauge', title: 'Humidity', x: 3, y: 0, w: 3, h: 3 },
        source: { ...chosen, ...humidity },
        options: { min: 0, max: 100, high: 70 },
      },
      {
        ...{ type: 'text', title: 'When a room is too warm', x: 6, y: 0, w: 6, h: 3 },
        options: {
          text: '1. Close the door.\n2. Check the **cooling unit**.\n3. Call the caretaker: 040 555 0123.',
        },
      },
      {
        ...{ type: 'bars', title: 'Average by day', x: 0, y: 3, w: 6, h: 5 },
        source: { ...chosen, ...temperature },
        options: { step: '1d', compare: true },
      },
      {
        ...{ type: 'ranking', title: 'Warmest', x: 6, y: 3, w: 6, h: 5 },
        source: { ...chosen, ...temperature },
        options: { order: 'highest', most: 8, high: 27 },
      },
      {
        ...{ type: 'heatmap', title: 'Temperature by hour', x: 0, y: 8, w: 12, h: 5 },
        source: { ...chosen, ...temperature },
      },
      { type: 'table', title: 'Latest readings', x: 0, y: 13, w: 6, h: 6, source: chosen },
      { type: 'map', title: 'Where', x: 6, y: 13, w: 6, h: 6, source: chosen },
    ],
  }
}

/**
 * Makes the dashboards of the demo, with widgets of nearly each kind.
 * @returns the address that shows the first one without a login.
 */
export async function makeDashboards(call: Call, groups: Groups): Promise<string> {
  const make = async (dashboard: object) => {
    const { data } = await call('POST', '/dashboards', dashboard)
    return (data as { id: number }).id
  }
  const wall = await make(wallOf(groups))
  await make(floorOf(groups))
  const { data } = await call('POST', `/dashboards/${wall}/links`, { name: 'Gate house' })
  return (data as { url: string }).url
}
