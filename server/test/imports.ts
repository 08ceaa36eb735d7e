import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import devicePb from '@chirpstack/chirpstack-api/api/device_pb.js'
import gatewayPb from '@chirpstack/chirpstack-api/api/gateway_pb.js'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import type { ChirpStackSimulator } from '../simulators/chirpstack/simulator.ts'
import { createSensor } from '../simulators/sensor-frames.ts'
import type { CommandContext } from '../src/commands/command.ts'
import { commands } from '../src/commands/index.ts'
import { makeKey } from './api-keys.ts'
import { euiOf, gatewayEuiOf } from './fleet.ts'
import { foundOrganization } from './members.ts'
import { startChirpStack } from './network.ts'
import { type Login, startListening } from './service.ts'

/** Fleets that come from elsewhere, by `lora-console import`. */

/** A service, a folder for files, and what runs imports against it within this process. */
export async function startImports() {
  const service = await startListening({ after })
  const folder = await mkdtemp(join(tmpdir(), 'import-'))
  after(() => rm(folder, { recursive: true }))
  let organizations = 0

  /** An organization with a key, and a ChirpStack that it does not know yet. */
  async function startFleet() {
    organizations += 1
    const owner = await foundOrganization(service, `moving${organizations}@example.test`)
    const simulator = await startChirpStack({ after })
    const permissions = ['manage_devices', 'manage_groups', 'manage_account', 'manage_gateways']
    const { text } = await makeKey(service, { permissions }, owner)
    const settings = { API_TOKEN: text, SOURCE_API_KEY: simulator.apiKey }
    const run = (words: string[], changes: Record<string, string> = {}) =>
      runImport(words, service.services.publicUrl, { ...settings, ...changes })
    return { owner, simulator, run, settings }
  }

  async function list(path: string, as: Login) {
    const { body } = await service.call('GET', path, { as })
    return body.data
  }

  return {
    service,
    folder,
    startFleet,
    listDevices: (as: Login) => list('/v1/fleet/devices?limit=1000', as),
    listGateways: (as: Login) => list('/v1/fleet/gateways?limit=1000&sort=created_at', as),
  }
}

/** Runs an import within this process, which costs less, and returns what `--json` prints. */
async function runImport(
  [source = '', ...words]: string[],
  url: string,
  settings: Record<string, string>,
) {
  const found = commands.find(({ name }) => name === `import ${source}`)
  assert.ok(found)
  const lines: string[] = []
  const { signal } = new AbortController()
  const context = {
    secret: (name: string) => settings[name],
    say: (line: string) => lines.push(line),
  }
  try {
    const run = found.read([...words, '--url', url])
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
    const result: any = await run({ ...context, signal } as unknown as CommandContext)
    return { ...result, lines }
  } catch (error) {
    assert.ok(error instanceof Error)
    return { error: error.message, lines }
  }
}

/** A device that the owner made in the console of ChirpStack, with its keys. */
export function addOwned(
  { store, deviceProfileId }: ChirpStackSimulator,
  number: number,
  { application, profile = deviceProfileId }: { application: string; profile?: string },
) {
  const devEui = euiOf(number).toLowerCase()
  const record = new devicePb.Device()
  record.setDevEui(devEui)
  record.setJoinEui('00aa00000000ff01')
  record.setName(`Theirs ${number}`)
  record.setDescription('in the hall')
  record.setApplicationId(application)
  record.setDeviceProfileId(profile)
  const keys = new devicePb.DeviceKeys()
  keys.setDevEui(devEui)
  keys.setNwkKey(keyOf(number))
  store.devices.set(devEui, { record, keys, queue: [], sensor: createSensor('door') })
}

export function keyOf(number: number): string {
  return number.toString(16).padStart(32, 'a')
}

/** A gateway that the owner made in the console of ChirpStack. */
export function addOwnedGateway(
  { store, tenantId }: Pick<ChirpStackSimulator, 'store' | 'tenantId'>,
  number: number,
  { name = `Mast ${number}`, position }: { name?: string; position?: [number, number] } = {},
) {
  const gateway = new gatewayPb.Gateway()
  gateway.setGatewayId(gatewayEuiOf(number).toLowerCase())
  gateway.setTenantId(tenantId)
  gateway.setName(name)
  gateway.setStatsInterval(300)
  if (position) {
    const location = new commonPb.Location()
    location.setLatitude(position[0])
    location.setLongitude(position[1])
    gateway.setLocation(location)
  }
  store.gateways.set(gateway.getGatewayId(), gateway)
}

/** The codec of a device type elsewhere. */
export const probe = `function decodeUplink(input) { return { data: { raw: input.bytes.length } } }`
