import { insertDevices } from '../bench/fleet.ts'
import { connect } from '../server/src/db/connect.ts'
import { registrationOf } from '../server/test/fleet.ts'
import { until } from '../server/test/until.ts'
import type { Client } from './client.ts'
import type { World } from './world.ts'

/** What the organization has, beside its devices. */
export interface Fleet {
  callback: { url: string; header: string; value: string }
  webhooks: readonly [number, number]
  /** The path of the data of a dashboard that is shown without a login. */
  shared: string
}

const prefix = '00AA00BE'

export function euiOf(device: number): string {
  return `${prefix}${device.toString(16).toUpperCase().padStart(8, '0')}`
}

/** An account, webhooks, alert rules, a dashboard and all devices. */
export async function makeFleet(world: World, client: Client): Promise<Fleet> {
  const { plan, network, receivers, tell } = world
  await client.call('PATCH', '/v1/organization/retention', { uplink_days: plan.keptDays })
  const { data: account } = await client.call(
    'PUT',
    '/v1/network-accounts/chirpstack',
    network.account,
  )
  const makeWebhook = async (name: string, url: string, events: string[]) => {
    const { data } = await client.call('POST', '/v1/webhooks', { name, url, events })
    return data.id as number
  }
  const others = ['join', 'downlink', 'registration', 'alert']
  const webhooks = [
    await makeWebhook('Uplinks', receivers[0].url, ['uplink']),
    await makeWebhook('Others', receivers[1].url, others),
  ] as const
  await client.call('POST', '/v1/alert-rules', { name: 'Opened', kind: 'tamper' })
  await client.call('POST', '/v1/alert-rules', { name: 'Silent', kind: 'device_silent' })
  const shared = await shareDashboard(client)
  for (let device = 0; device < plan.devicesAtNetwork; device += 1) {
    await client.call('POST', '/v1/devices', registrationOf(euiOf(device)))
  }
  tell(`${plan.devicesAtNetwork} devices are registered at the network`)
  await insertOthers(world)
  await until(() => network.deviceEuis().length === plan.devicesAtNetwork, 'all are there')
  tell(`${plan.devices} devices are registered`)
  return { callback: account.callback, webhooks, shared }
}

async function insertOthers({ plan, database }: World): Promise<void> {
  const db = connect(database.url, { statementTimeout: 600_000 })
  try {
    await insertDevices(db, plan.devices, { organizationId: 1, euiPrefix: prefix.toLowerCase() })
    await db.query('analyze')
  } finally {
    await db.close()
  }
}

async function shareDashboard(client: Client): Promise<string> {
  const widgets = [
    { type: 'counts', x: 0, y: 0, w: 12, h: 2, source: {} },
    { type: 'states', title: 'Doors', x: 0, y: 2, w: 6, h: 3, source: {}, options: { most: 5 } },
    { type: 'alerts', title: 'Open alerts', x: 6, y: 2, w: 3, h: 6, source: {} },
    { type: 'battery', title: 'Silent', x: 9, y: 2, w: 3, h: 4, source: {} },
  ]
  const { data } = await client.call('POST', '/v1/dashboards', { name: 'Wall', widgets })
  const link = await client.call('POST', `/v1/dashboards/${data.id}/links`, { name: 'Hall' })
  const token = String(link.data.url).split('/').at(-1)
  return `/v1/shared-dashboards/${token}/data`
}
