import {
  type ChirpStackSimulator,
  startSimulator as startChirpStack,
} from '../server/simulators/chirpstack/simulator.ts'
import type { SimulatedNetwork } from '../server/simulators/simulated-network.ts'
import { startSimulator as startStack } from '../server/simulators/thethingsnetwork/simulator.ts'
import { startBalancer } from '../server/test/balancer.ts'
import { countSessions, startBroker } from '../server/test/broker.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../server/test/database-proxy.ts'
import { findFreePort } from '../server/test/port.ts'
import { admin, makeProcesses, type Process } from '../server/test/several-processes.ts'
import { call, makeTenants, type Tenant } from '../server/test/traffic.ts'
import { until } from '../server/test/until.ts'
import { startReceiver, type WebhookReceiver } from '../server/test/webhook-receiver.ts'
import { type Servers, startServers } from './database.ts'
import { type MachineClock, startClock } from './machine-clock.ts'
import type { Packets } from './packets.ts'

/** What ends with the run. */
export interface Scope {
  after(end: () => Promise<void>): void
  skip(why: string): void
}

type Tell = (text: string) => void

/** A simulated network of an organization, and the way of the service to it. */
export interface Network {
  organization: number
  key: string
  simulator: SimulatedNetwork
  way: DatabaseProxy
}

/** An organization with everything that it has outside the service. */
export interface Member extends Tenant {
  chirpstack: ChirpStackSimulator
  receiver: WebhookReceiver
  /** Gives a message to the organization's broker, which keeps it until the service has it. */
  publish: ((body: object) => Promise<void>) | undefined
}

export interface World extends Servers {
  /** Undefined where it can't jump. */
  clock: MachineClock | undefined
  /** Undefined where none can be lost. */
  packets: Packets | undefined
  processes: Process[]
  /** The way of each process to the database. */
  ways: DatabaseProxy[]
  /** Before all processes; networks send here. */
  address: string
  members: Member[]
  networks: Network[]
  /** The broker of the second organization, and the way of the service to it. */
  broker: { organization: number; cut(): void; way: DatabaseProxy }
}

/**
 * Starts everything on loopback, in temporary directories.
 * @param citus The programs of a PostgreSQL with Citus, to run on that.
 */
export async function startWorld(
  scope: Scope,
  workers: readonly number[],
  {
    tell,
    packets,
    citus,
  }: { tell: Tell; packets: Packets | undefined; citus?: string | undefined },
): Promise<World> {
  const clock = await startClock(scope)
  const servers = await startServers(scope, clock, citus)
  tell('PostgreSQL runs')
  const { url } = servers.database
  const ways = await Promise.all(workers.map(() => startDatabaseProxy(scope, url)))
  const port = await findFreePort()
  const address = `http://127.0.0.1:${port}`
  const processes = await makeProcesses(scope, {
    urls: ways.map(({ url }) => url),
    publicUrl: address,
    settings: workers.map((count) => ({
      ...{ WORKERS: String(count), API_RATE_LIMIT: '0', LOG_LEVEL: 'debug' },
      ...clock?.environment,
    })),
  })
  await startBalancer(
    scope,
    port,
    processes.map((each) => each.port),
  )
  await Promise.all(processes.map((each) => each.start()))
  tell('the service runs')
  const [first, second] = [await startNetworks(scope, 1), await startNetworks(scope, 2)]
  const broker = await startBroker(scope)
  const way = await startDatabaseProxy(scope, broker.source.url)
  const tenants = await makeTenants(address, admin, first.chirpstack.account, {
    ...second.chirpstack.account,
    mqtt_url: `mqtt://${new URL(way.url).host}`,
  })
  await until(async () => (await countSessions(broker.broker)) > 0, 'the broker is followed')
  const members: Member[] = []
  for (const [index, tenant] of tenants.entries()) {
    const own = index === 0 ? first : second
    own.networks.forEach((network) => {
      network.organization = tenant.organizationId
    })
    members.push(await completeTenant(scope, address, tenant, own))
  }
  const [, subscriber] = members
  if (!subscriber) throw new Error('There is no second organization.')
  const { applicationId } = subscriber.chirpstack
  subscriber.publish = (body) => broker.publish(0, { application: applicationId, body })
  const networks = [...first.networks, ...second.networks]
  const { organizationId: organization } = subscriber
  const brokerOf = { organization, cut: broker.cut, way }
  return {
    ...servers,
    ...{ clock, packets, processes, ways, address, members, networks },
    broker: brokerOf,
  }
}

interface OwnNetworks {
  chirpstack: { simulator: ChirpStackSimulator; account: Record<string, string> }
  stack: { account: Record<string, string> }
  networks: Network[]
}

async function startNetworks(scope: Scope, organization: number): Promise<OwnNetworks> {
  const chirpstack = await startChirpStack({ seed: organization })
  const stack = await startStack({ seed: organization })
  scope.after(async () => void (await Promise.all([chirpstack.close(), stack.close()])))
  const wayOf = async (simulator: SimulatedNetwork, field: string) => {
    const way = await startDatabaseProxy(scope, simulator.account[field] ?? '')
    const account = { ...simulator.account, [field]: new URL(way.url).origin }
    const network: Network = { organization, key: simulator.network, simulator, way }
    return { network, account }
  }
  const [first, second] = [await wayOf(chirpstack, 'server'), await wayOf(stack, 'cluster')]
  return {
    chirpstack: { simulator: chirpstack, account: first.account },
    stack: { account: second.account },
    networks: [first.network, second.network],
  }
}

/** The second network of an organization, and a webhook of everything that its devices do. */
async function completeTenant(
  scope: Scope,
  address: string,
  tenant: Tenant,
  { chirpstack, stack }: OwnNetworks,
): Promise<Member> {
  const { headers } = tenant
  await call(`${address}/v1/network-accounts/thethingsnetwork`, {
    ...{ method: 'PUT', headers },
    body: stack.account,
  })
  const receiver = await startReceiver(scope)
  const events = ['uplink', 'registration', 'downlink']
  const body = { name: 'Everything', url: receiver.url, events }
  await call(`${address}/v1/webhooks`, { method: 'POST', headers, body })
  return { ...tenant, chirpstack: chirpstack.simulator, receiver, publish: undefined }
}
