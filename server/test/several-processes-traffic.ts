import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Aedes, AuthenticateError } from 'aedes'
import type { ChirpStackSimulator } from '../simulators/chirpstack/simulator.ts'
import type { Database } from '../src/db/connect.ts'
import type { startBroker } from './broker.ts'
import { makeUp } from './chirpstack-uplinks.ts'
import { bytesOf, periodOf } from './downlinks.ts'
import { registrationOf } from './fleet.ts'
import { call, type Tenant } from './traffic.ts'
import { until } from './until.ts'

/** Time between a call for a downlink and its effect at the network. */
const holdMilliseconds = 500
/** Devices at the network, for downlinks. */
const commandedEuis = ['1', '2', '3', '4'].map((digit) => `00AA00000000D00${digit}`)
/** Devices with one downlink each, which is on its way when its process is killed. */
export const strandedEuis = ['1', '2', '3'].map((digit) => `00AA00000000D10${digit}`)
/** The device whose uplinks come by the broker. */
export const brokerEui = '00AA00000000D00F'

/** Counts the clients that take the session of one that is connected. */
export function countDoubleSessions(broker: Aedes): { count: number } {
  const doubles = { count: 0 }
  broker.preConnect = (
    _client,
    packet,
    done: (error: AuthenticateError | null, ok: boolean) => void,
  ) => {
    const { clients } = broker as unknown as { clients: Record<string, unknown> }
    if (clients[packet.clientId]) doubles.count += 1
    done(null, true)
  }
  return doubles
}

export async function addDevices(
  address: string,
  { headers }: Tenant,
  simulator: ChirpStackSimulator,
) {
  const add = (eui: string, changes: object) =>
    call(`${address}/v1/devices`, {
      method: 'POST',
      headers,
      body: registrationOf(eui, { ...changes }),
    })
  await add(brokerEui, { consoleOnly: true })
  const euis = [...commandedEuis, ...strandedEuis]
  for (const eui of euis) await add(eui, {})
  await until(() => euis.every((eui) => simulator.findDevice(eui)), 'the devices are there')
}

/** Queues downlinks one after the other, each with bytes of its own. */
export function startDownlinks(
  address: string,
  { headers }: Tenant,
  simulator: ChirpStackSimulator,
) {
  const acknowledged: { eui: string; bytes: string }[] = []
  // So that kills come between what the network does and its answer.
  const handedOver = countCalls(simulator, '/api.DeviceService/Enqueue', () =>
    sleep(holdMilliseconds),
  )
  let isOver = false
  const work = async () => {
    for (let number = 0; !isOver && number < 4 * 126; number += 1) {
      const eui = commandedEuis[number % commandedEuis.length] ?? ''
      const minutes = 1 + Math.floor(number / commandedEuis.length)
      const field = { config_field: periodOf(minutes) }
      // Without an answer it is unknown whether it is queued.
      const isQueued = await call(`${address}/v1/devices/${eui}/configure`, {
        method: 'POST',
        headers,
        body: field,
      }).then(
        () => true,
        () => false,
      )
      if (isQueued) acknowledged.push({ eui, bytes: bytesOf(minutes) })
      await sleep(200)
    }
  }
  const working = work()
  return {
    async acknowledge(count: number) {
      const most = acknowledged.length + count
      await until(() => acknowledged.length >= most || isOver, 'downlinks are queued')
    },
    /** Leaves a downlink on its way from this process to the network. */
    async strand(at: string, eui: string, db: Database) {
      const body = { config_field: periodOf(1) }
      void call(`${at}/v1/devices/${eui}/configure`, { method: 'POST', headers, body }).catch(
        () => undefined,
      )
      await until(async () => {
        const rows = await db.query(
          `select 1 as one from downlinks join devices using (organization_id)
           where devices.id = downlinks.device_id and devices.eui = $1`,
          [eui],
        )
        return rows.length > 0
      }, 'the downlink is stored')
      await sleep(holdMilliseconds / 2)
      acknowledged.push({ eui, bytes: bytesOf(1) })
    },
    async stop() {
      isOver = true
      await working
    },
    /** Each that was acknowledged is at the network once, and no other is there twice. */
    async check() {
      const queues = () =>
        [...commandedEuis, ...strandedEuis].map((eui) => simulator.findDevice(eui)?.queue ?? [])
      const isThere = ({ eui, bytes }: { eui: string; bytes: string }) =>
        simulator.findDevice(eui)?.queue.includes(bytes) === true
      await until(() => acknowledged.every(isThere), 'all downlinks are handed over')
      for (const queue of queues()) assert.equal(new Set(queue).size, queue.length)
      assert.equal(handedOver.count, queues().flat().length)
      assert.ok(acknowledged.length > 0)
    },
  }
}

/** Publishes uplinks to the broker all the time. */
export function startPublishing(
  publish: Awaited<ReturnType<typeof startBroker>>['publish'],
  application: string,
) {
  const keys: string[] = []
  let isOver = false
  const work = async () => {
    for (let fCnt = 1; !isOver; fCnt += 1) {
      const body = { ...makeUp({ eui: brokerEui }), fCnt, time: new Date().toISOString() }
      await publish(fCnt, { application, body })
      keys.push(`1 ${brokerEui} ${body.deduplicationId}`)
      await sleep(50)
    }
  }
  const working = work()
  return {
    keys,
    async stop() {
      isOver = true
      await working
    },
  }
}

/** Counts the calls of a method. `hold` delays their effect, also if the caller dies meanwhile. */
export function countCalls(
  { faults }: ChirpStackSimulator,
  method: string,
  hold: () => Promise<unknown> = async () => undefined,
): { count: number } {
  const calls = { count: 0 }
  faults.refusals[method] = async () => {
    calls.count += 1
    await hold()
    return undefined
  }
  return calls
}
