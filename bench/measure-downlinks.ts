import { openConnection } from '../server/src/networks/chirpstack/connection.ts'
import { createOutside } from '../server/src/networks/outside.ts'
import type { Bench } from './bench.ts'
import type { Proof, Result } from './figures.ts'
import { type Helper, startProcess } from './process.ts'
import { type Call, timesFigure, timeTurns } from './time-turns.ts'

const deviceCount = 200
/** Concurrent calls on each side. */
const callers = 16
const deviceKey = '000102030405060708090A0B0C0D0E0F'
/** A supervisory period of one minute, as the sensor's form encodes it. */
const payload = Buffer.from('0100028100000000', 'hex')
const body = {
  config_field: { islorawan: 1, config_type: 'general', supervisory_period: 129 },
}

/**
 * A configuration message for each of 200 devices, 16 at once, until the network has all of them;
 * against the network's own call that queues the same bytes.
 */
export async function measureDownlinks(bench: Bench): Promise<Result> {
  const network = startProcess(new URL('./far-network.ts', import.meta.url))
  try {
    return await measureAt(network, bench)
  } finally {
    await network.stop()
  }
}

async function measureAt(network: Helper, { service, settings }: Bench): Promise<Result> {
  const account = await network.ask<Record<string, string>>({ ask: 'account' })
  await service.call('PUT', '/v1/network-accounts/chirpstack', account)
  const connection = openConnection(account, createOutside({ allowsLocal: true, listed: [] }))
  const [own, ours] = [euisFrom('00aa00d0'), euisFrom('00aa00d1')]
  const names = new Map([...own, ...ours].map((eui) => [eui, `Device ${eui}`]))
  const toName = (eui: string) => names.get(eui) ?? eui
  await inTurns(own, (devEui) =>
    connection.addDevice({
      devEui,
      joinEui: '0'.repeat(16),
      appKey: deviceKey,
      name: toName(devEui),
    }),
  )
  await inTurns(ours, (eui) => service.call('POST', '/v1/devices', deviceOf(eui, toName(eui))))
  let turns = 0
  const queueOwn = (devEui: string) =>
    connection.queueDownlink({ devEui, fPort: 2, payload, confirmed: false })
  const configure = (eui: string) => service.call('POST', `/v1/devices/${eui}/configure`, body)
  const timings = await timeTurns(
    {
      baseline: { process: network, call: () => time(own, queueOwn) },
      ours: {
        process: service,
        call: () => {
          turns += 1
          return time(ours, configure)
        },
      },
    },
    settings.rounds,
  )
  connection.close()
  const figure = timesFigure('200 configuration messages', 'ChirpStack alone', timings)
  return {
    figures: [{ ...figure, target: { word: 'at least', value: 0.5 } }],
    proofs: [await proveQueued(network, ours, turns)],
  }
}

function deviceOf(eui: string, deviceName: string) {
  return {
    network: 10,
    deviceName,
    deviceId: eui,
    deviceKey,
    deviceType: 16,
    registerMethod: 'user_account',
    action: 'confirm',
  }
}

function euisFrom(prefix: string): string[] {
  return Array.from({ length: deviceCount }, (_, index) =>
    `${prefix}${index.toString(16).padStart(8, '0')}`.toUpperCase(),
  )
}

async function time(euis: readonly string[], act: (eui: string) => unknown): Promise<Call> {
  const begin = performance.now()
  await inTurns(euis, act)
  return { milliseconds: performance.now() - begin, bytes: 0 }
}

async function inTurns(euis: readonly string[], act: (eui: string) => unknown): Promise<void> {
  const left = euis.values()
  const work = async () => {
    for (const eui of left) await act(eui)
  }
  await Promise.all(Array.from({ length: callers }, work))
}

async function proveQueued(network: Helper, euis: string[], turns: number): Promise<Proof> {
  const queued = await network.ask<number>({ ask: 'queued', euis })
  const sent = turns * deviceCount
  return {
    claim: 'every message is once in the queue of its device at the network',
    isTrue: queued === sent,
    details: `sent ${sent}, queued ${queued}`,
  }
}
