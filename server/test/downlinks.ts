import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ChirpStackOptions,
  type ChirpStackSimulator,
  startSimulator,
} from '../simulators/chirpstack/simulator.ts'
import { secondsAfter } from './citus.ts'
import { addDevice, connectAccount, euiOf } from './fleet.ts'
import { type Login, startTestService, type TestService } from './service.ts'

/** For tests: a service with a simulated ChirpStack that posts its events to it. */

interface Context {
  after(end: () => Promise<void>): void
}

export interface Bench extends ServiceBench {
  simulator: ChirpStackSimulator
}

/** A bench with any network. */
interface ServiceBench {
  service: TestService
}

export async function startBench(
  context: Context,
  options: ChirpStackOptions = {},
): Promise<Bench> {
  const simulator = await startSimulator(options)
  context.after(() => simulator.close())
  const service = await startTestService(context)
  const account = await connectAccount(service, 'chirpstack', simulator.account)
  assert.equal(account.status, 'connected', account.message)
  const address = await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { url, header, value } = account.callback
  simulator.setCallback({ url: address + new URL(url).pathname, header, value })
  return { service, simulator }
}

export async function addBenchDevice(
  { service, simulator }: Bench,
  number: number,
  changes: Record<string, unknown> = {},
): Promise<{ eui: string; id: number }> {
  const { id } = await addDevice(service, number, changes)
  await simulator.settle()
  return { eui: euiOf(number), id }
}

/** A configuration message that sets the supervisory period. The period is its third byte. */
export function periodOf(minutes: number) {
  return { islorawan: 1, config_type: 'general', supervisory_period: 128 + minutes }
}

/** The bytes of `periodOf`, in hexadecimal. */
export function bytesOf(minutes: number): string {
  return `010002${(128 + minutes).toString(16)}00000000`
}

export async function configure({ service }: ServiceBench, eui: string, field: object, as?: Login) {
  return service.call('POST', `/v1/devices/${eui}/configure`, {
    body: { config_field: field },
    ...(as ? { as } : {}),
  })
}

/** Queues a message and asserts that it was queued. */
export async function queue(bench: ServiceBench, eui: string, minutes: number): Promise<void> {
  const answer = await configure(bench, eui, periodOf(minutes))
  const { downlink_id, ...told } = answer.body
  assert.deepEqual(told, { status: true, message: 'Downlink queued successfully.' })
  assert.ok(downlink_id > 0)
}

export async function cancel({ service }: ServiceBench, eui: string): Promise<boolean> {
  const answer = await service.call('DELETE', `/v1/devices/${eui}/configure/cancel`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.status
}

export async function readHistory({ service }: ServiceBench, eui: string) {
  const answer = await service.call('GET', `/v1/devices/${eui}/configure`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as (Record<
    'eventData' | 'configStatus' | 'event_name' | 'publishedAt',
    string
  > & { downlink_id: number })[]
}

/** The names of the events in the history, the oldest first. */
export async function readEvents(bench: ServiceBench, eui: string): Promise<string[]> {
  const history = await readHistory(bench, eui)
  return history.map(({ event_name }) => event_name.replace('event_', '')).reverse()
}

/** The device's queue at the network, in hexadecimal, the oldest first. */
export function atNetwork({ simulator }: Bench, eui: string): string[] {
  const queued = simulator.devices.get(eui.toLowerCase())?.queue ?? []
  return queued.map(({ data }) => Buffer.from(data).toString('hex'))
}

/** Moves the clock past all pauses and claims, and hands over the due downlinks. */
export async function passTime(bench: ServiceBench, minutes = 10): Promise<void> {
  const { services, setClock } = bench.service
  await untilIdle(bench)
  setClock(new Date(services.now().getTime() + minutes * 60_000))
  const devices = await services.db.query<{ deviceId: number; organizationId: number }>(
    `select organization_id as "organizationId", device_id as "deviceId"
     from downlink_queues order by device_id`,
  )
  for (const queue of devices) await services.downlinkSender.sendNow(queue)
}

/**
 * Moves the database's times of uplinks and downlinks back by these seconds, and checks due queues.
 */
export async function lookAfter(bench: ServiceBench, seconds: number): Promise<void> {
  const { queueChecks } = bench.service.services
  await ageTraffic(bench, seconds)
  queueChecks.wake()
  await queueChecks.idle()
}

/** Moves the database's times of uplinks and downlinks back by this many seconds. */
export async function ageTraffic({ service }: ServiceBench, seconds: number): Promise<void> {
  const { db } = service.services
  const columns: [string, string][] = [
    ['uplinks', 'received_at'],
    ['network_events', 'received_at'],
    ['downlinks', 'handed_over_at'],
    ['downlinks', 'sent_at'],
    ['downlinks', 'missing_since'],
    ['downlink_checks', 'next_attempt_at'],
  ]
  for (const [table, column] of columns) {
    const earlier = secondsAfter(column, '$1::double precision')
    await db.query(`update ${table} set ${column} = ${earlier}`, [-seconds])
  }
}

/** Waits until no process holds a claim on a queue. */
async function untilIdle({ service }: ServiceBench): Promise<void> {
  await service.services.downlinkSender.idle()
  for (let turn = 0; turn < 6_000; turn += 1) {
    const claimed = await service.services.db.query(
      'select device_id from downlink_queues where claim is not null',
    )
    if (claimed.length === 0) return
    await sleep(10)
  }
  assert.fail('a queue stays claimed')
}
