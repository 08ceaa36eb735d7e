import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { findNetwork } from '../../../networks/index.ts'
import { endpoint } from '../../core-services.ts'
import { verdictCountFields } from '../../fleet/inventory/verdict.ts'
import * as queries from './summary-queries.ts'
import { createHourCounts, type UplinkHours } from './uplink-hours.ts'

/** Problems of each kind that are named. */
const mostNamed = 5

const problem = z.object(
  withExamples(
    {
      did: z.int(),
      device_id: z.string(),
      device_name: z.string(),
      last_seen: z.string().nullable(),
      message: z.string().nullable(),
    },
    {
      did: 102,
      device_id: '00AA000000000002',
      device_name: 'Back door',
      last_seen: '2026-02-28T09:12:44.000000Z',
      message: null,
    },
  ),
)

const summary = z
  .object({
    devices: z.object(
      withExamples(
        {
          total: z.int(),
          ...verdictCountFields,
          never_heard: z.int(),
          low_battery: z.int(),
          tampered: z.int(),
          pending: z.int(),
          register_error: z.int(),
          waiting: z.int().describe('With downlinks that are not sent yet.'),
        },
        {
          total: 3412,
          ...{ ok: 3373, new: 1, silent: 14, attention: 23, inactive: 1, heard: 3396 },
          never_heard: 3,
          low_battery: 21,
          tampered: 2,
          pending: 1,
          register_error: 1,
          waiting: 6,
        },
      ),
    ),
    gateways: z.object(
      withExamples(
        {
          total: z.int(),
          ok: z.int(),
          new: z.int().describe('Never heard, and registered within 48 hours.'),
          silent: z
            .int()
            .describe('Without an uplink for longer than usual, a quarter of an hour to a day.'),
          attention: z.int(),
          heard: z.int().describe('Those that are ok or need attention.'),
          register_error: z.int(),
        },
        { total: 12, ok: 11, new: 1, silent: 0, attention: 0, heard: 11, register_error: 0 },
      ),
    ),
    downlinks: z.object(withExamples({ waiting: z.int() }, { waiting: 9 })),
    uplinks: z.object({
      total: z.int().meta({ examples: [80113] }),
      hours: z
        .array(
          z.object(
            withExamples(
              { start: z.string(), count: z.int() },
              { start: '2026-03-01T11:00:00.000Z', count: 4012 },
            ),
          ),
        )
        .describe('The last 168 hours in UTC; the last one is not over.'),
    }),
    quarantine: z.object(
      withExamples({ messages: z.int().describe('Of unknown devices.') }, { messages: 0 }),
    ),
    accounts: z.array(
      z.object(
        withExamples(
          {
            network: z.string(),
            network_name: z.string(),
            status: z.enum(['connected', 'unreachable', 'refused']),
            message: z.string(),
            is_heard: z.boolean().describe('Whether its network ever sent a message.'),
          },
          {
            network: 'chirpstack',
            network_name: 'ChirpStack v4',
            status: 'connected',
            message: '',
            is_heard: true,
          },
        ),
      ),
    ),
    problems: z.object({
      register_error: z.array(problem).describe('The registrations that failed last.'),
      silent: z.array(problem).describe('The devices that fell silent last.'),
    }),
  })
  .meta({ id: 'FleetSummary' })

const countHours = createHourCounts()

export const showSummary = endpoint({
  summary: 'The state of the fleet in numbers',
  description:
    'Each number of devices is the total of `GET /fleet/devices` with the filter of that name (`verdict=silent`, `low_battery=yes`, `status=pending`).',
  answer: z.object({ data: summary }),
  async handle({ caller: { organizationId } }, { db, now }) {
    const time = now()
    const [{ counts: devices, silent }, others, accounts, failed, hours] = await Promise.all([
      queries.countDevices(db, organizationId, { now: time, named: mostNamed }),
      queries.countOthers(db, organizationId, time),
      queries.listAccounts(db, organizationId),
      queries.listFailedRegistrations(db, organizationId, mostNamed),
      countHours(db, organizationId, time),
    ])
    return { data: toSummary({ devices, others, accounts, failed, silent, hours }) }
  },
})

interface Parts {
  devices: queries.DeviceCounts
  others: queries.OtherCounts
  accounts: Awaited<ReturnType<typeof queries.listAccounts>>
  failed: readonly queries.ProblemDevice[]
  silent: readonly queries.ProblemDevice[]
  hours: UplinkHours
}

function toSummary(parts: Parts): z.infer<typeof summary> {
  const { devices, others, accounts, failed, silent, hours } = parts
  const { inactive: _, ...gateways } = others.gateways
  return {
    devices,
    gateways,
    downlinks: { waiting: others.downlinks },
    uplinks: {
      total: hours.total,
      hours: hours.hours.map(({ start, count }) => ({ start: start.toISOString(), count })),
    },
    quarantine: { messages: others.quarantine },
    accounts: accounts.map(({ status_message, ...account }) => ({
      ...account,
      network_name: findNetwork(account.network)?.name ?? account.network,
      status: account.status as z.infer<typeof summary>['accounts'][number]['status'],
      message: status_message,
    })),
    problems: { register_error: failed.map(toProblem), silent: silent.map(toProblem) },
  }
}

function toProblem(device: queries.ProblemDevice): z.infer<typeof problem> {
  return {
    did: device.id,
    device_id: device.device_eui,
    device_name: device.name,
    last_seen: device.last_seen === null ? null : isoTime(device.last_seen),
    message: device.register_error,
  }
}
