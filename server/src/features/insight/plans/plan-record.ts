import { z } from 'zod'
import { type HttpError, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import type { FleetDevice } from '../../fleet/devices/fleet-device-queries.ts'
import { toFleetDevice } from '../../fleet/devices/fleet-device-record.ts'
import type { FleetGateway } from '../../fleet/gateways/fleet-gateway-queries.ts'
import { toFleetGateway } from '../../fleet/gateways/fleet-gateway-record.ts'
import { readingRecord } from '../../fleet/inventory/reading-record.ts'
import { verdictRecord } from '../../fleet/inventory/verdict.ts'
import type { GatewayPosition } from './plan-gateway-queries.ts'
import type { Position, StoredPlan } from './plan-queries.ts'

export const planPath = z.object({ plan_id: pathId('3') })

export function planNotFound(): HttpError {
  return notFound('Floor plan not found')
}

function part(label: string) {
  const sentence = `The ${label} must be a number from 0 to 1.`
  return z.number({ error: sentence }).min(0, sentence).max(1, sentence)
}

/** A place on a plan, as a request says it. */
export const placeOnPlanBody = z.object(
  withExamples({ x: part('x'), y: part('y') }, { x: 0.25, y: 0.5 }),
)

export const listedPlan = z
  .object({
    ...withExamples({ id: z.int(), name: z.string() }, { id: 3, name: 'Ground floor' }),
    group: z.object(withExamples({ id: z.int(), name: z.string() }, { id: 12, name: 'House A' })),
    ...withExamples(
      {
        type: z.enum(['image/png', 'image/jpeg', 'image/svg+xml']),
        width: z.number().describe('In pixels; of an SVG in its own units.'),
        height: z.number(),
        bytes: z.int(),
        revision: z.int().describe('Counts the images.'),
        devices: z.int().describe('How many are on it.'),
        created_at: z.string(),
        updated_at: z.string(),
      },
      {
        type: 'image/svg+xml',
        width: 1200,
        height: 800,
        bytes: 4821,
        revision: 1,
        devices: 14,
        created_at: '2026-03-01T12:00:00.000000Z',
        updated_at: '2026-03-01T12:00:00.000000Z',
      },
    ),
  })
  .meta({ id: 'FloorPlan' })

export function toListedPlan(plan: StoredPlan): z.infer<typeof listedPlan> {
  const { id, name, group_id, group_name, type, width, height, bytes, revision, devices } = plan
  return {
    ...{ id, name, group: { id: group_id, name: group_name } },
    ...{ type, width, height, bytes, revision, devices },
    created_at: isoTime(plan.created_at),
    updated_at: isoTime(plan.updated_at),
  }
}

export const placedDevice = z
  .object({
    ...withExamples(
      {
        id: z.int(),
        device_id: z.string(),
        device_name: z.string(),
        x: z.number().describe('A part of the width, from the left.'),
        y: z.number().describe('A part of the height, from the top.'),
        last_seen: z.string().nullable(),
      },
      {
        id: 101,
        device_id: '00AA000000000001',
        device_name: 'Front door',
        x: 0.25,
        y: 0.5,
        last_seen: '2026-03-01T11:59:07.775023Z',
      },
    ),
    reading: readingRecord.nullable(),
    verdict: verdictRecord,
  })
  .meta({ id: 'DeviceOnPlan' })

const placedGateway = z
  .object({
    ...withExamples(
      {
        id: z.int(),
        gateway_eui: z.string(),
        name: z.string(),
        x: z.number().describe('A part of the width, from the left.'),
        y: z.number().describe('A part of the height, from the top.'),
        last_seen: z.string().nullable(),
      },
      {
        id: 7,
        gateway_eui: '00AA0000000000F1',
        name: 'Roof',
        x: 0.75,
        y: 0.25,
        last_seen: '2026-03-01T11:59:07.000000Z',
      },
    ),
    verdict: verdictRecord,
  })
  .meta({ id: 'GatewayOnPlan' })

export const planAnswer = z.object({
  data: z
    .object({
      ...listedPlan.shape,
      positions: z.array(placedDevice),
      gateways: z
        .array(placedGateway)
        .describe('None for who is limited to a group: gateways are of the whole organization.'),
    })
    .meta({ id: 'FloorPlanWithDevices' }),
})

export function toPlacedDevices(
  devices: readonly FleetDevice[],
  positions: readonly Position[],
  now: Date,
): z.infer<typeof placedDevice>[] {
  const byId = new Map(positions.map((position) => [position.device_id, position]))
  return devices.flatMap((device) => {
    const position = byId.get(device.id)
    if (!position) return []
    const { id, device_id, device_name, last_seen, reading, verdict } = toFleetDevice(device, now)
    const { x, y } = position
    return [{ id, device_id, device_name, x, y, last_seen, reading, verdict }]
  })
}

export function toPlacedGateways(
  gateways: readonly FleetGateway[],
  positions: readonly GatewayPosition[],
  now: Date,
): z.infer<typeof placedGateway>[] {
  const byId = new Map(positions.map((position) => [position.gateway_id, position]))
  return gateways.flatMap((gateway) => {
    const position = byId.get(gateway.id)
    if (!position) return []
    const { id, gateway_eui, name, last_seen, verdict } = toFleetGateway(gateway, now)
    const { x, y } = position
    return [{ id, gateway_eui, name, x, y, last_seen, verdict }]
  })
}
