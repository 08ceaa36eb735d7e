import { z } from 'zod'
import { notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { Network } from '../../../networks/network.ts'
import { toAccountVerdict } from '../../accounts/network-accounts/account-verdict.ts'
import { reportRow, toReportRow } from '../../accounts/reconciliation/reconciliation-record.ts'
import { endpoint } from '../../core-services.ts'
import { readFleetDevices } from '../devices/fleet-device-queries.ts'
import {
  type FleetDeviceRecord,
  fleetDevice,
  toFleetDevice,
} from '../devices/fleet-device-record.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { verdictRecord } from '../inventory/verdict.ts'
import { type DevicePage, readDevicePage } from './device-page-queries.ts'

const callRecord = z
  .object(
    withExamples(
      {
        action: z.enum(['add', 'rename', 'remove']),
        attempts: z.int(),
        next_attempt_at: z.string(),
        is_running: z.boolean(),
        last_error: z.string().nullable(),
        created_at: z.string(),
      },
      {
        action: 'add',
        attempts: 3,
        next_attempt_at: '2026-03-01T12:04:00.000000Z',
        is_running: false,
        last_error: 'ChirpStack v4 cannot be reached.',
        created_at: '2026-03-01T11:58:00.000000Z',
      },
    ),
  )
  .meta({ id: 'WaitingCall' })

const accountRecord = z
  .object({
    ...withExamples(
      {
        status: z.enum(['connected', 'unreachable', 'refused']),
        message: z.string(),
        compared_at: z.string().nullable(),
      },
      { status: 'connected', message: '', compared_at: '2026-03-01T04:00:00.000000Z' },
    ),
    difference: reportRow.nullable(),
    verdict: verdictRecord,
  })
  .meta({ id: 'AccountOfDevice' })

const quarantinedRecord = z
  .object(
    withExamples(
      { count: z.int(), detail: z.string(), received_at: z.string() },
      {
        count: 2,
        detail: 'The device is not registered.',
        received_at: '2026-03-01T11:50:00.000000Z',
      },
    ),
  )
  .meta({ id: 'QuarantinedOfDevice' })

const status = {
  tamper_since_reset: z.boolean().nullable(),
  rate_limited: z.boolean().nullable(),
  hardware_version: z.string().nullable(),
  firmware_version: z.string().nullable(),
  status_times: z
    .record(z.string(), z.string())
    .meta({ description: 'When each member of the state was reported.' }),
}

/** One device with everything that its page shows at once. Its key is not shown. */
const devicePage = z
  .object({
    ...fleetDevice.shape,
    ...withExamples(
      {
        ...status,
        region: z.string().nullable(),
        frequency_plan: z.string().nullable(),
        lorawan: z
          .object({
            version: z.string(),
            activation: z.string(),
            device_class: z.string(),
            dev_addr: z.string().nullable(),
          })
          .nullable()
          .describe('Null for LoRaWAN 1.0.x and class A with a join.'),
        device_profile: z
          .string()
          .nullable()
          .describe('The one that was chosen only for this device; null for that of the account.'),
        is_console_only: z.boolean(),
        has_key: z.boolean(),
        commissioned_at: z.string(),
        updated_at: z.string(),
        gateway: z.object({ id: z.int(), name: z.string(), gateway_eui: z.string() }).nullable(),
        user: z.object({ name: z.string(), email: z.string() }),
      },
      {
        tamper_since_reset: false,
        rate_limited: false,
        hardware_version: '1.2',
        firmware_version: '2.1',
        status_times: { battery: '2026-03-01T04:12:09.000000Z' },
        region: 'EU868',
        frequency_plan: null,
        lorawan: null,
        device_profile: null,
        is_console_only: false,
        has_key: true,
        commissioned_at: '2026-02-03T09:30:00.125000Z',
        updated_at: '2026-02-03T09:30:00.125000Z',
        gateway: null,
        user: { name: 'Ada Owner', email: 'ada@example.test' },
      },
    ),
    account: accountRecord.nullable(),
    waiting_call: callRecord.nullable(),
    quarantined: quarantinedRecord.nullable(),
  })
  .meta({ id: 'DevicePage' })

function toDevicePage(
  row: FleetDeviceRecord,
  page: DevicePage,
  { network, now }: { network: Network | undefined; now: Date },
): z.infer<typeof devicePage> {
  const { account } = page
  return {
    ...row,
    tamper_since_reset: isYes(page.status.tamper_detect_since_reset),
    rate_limited: isYes(page.status.rate_limit_status),
    hardware_version: page.status.hardware_version ?? null,
    firmware_version: page.status.firmware_version ?? null,
    status_times: page.status_times,
    region: page.app_region,
    frequency_plan: page.frequency_plan,
    lorawan: page.radio && {
      version: page.radio.version,
      activation: page.radio.activation,
      device_class: page.radio.deviceClass,
      dev_addr: page.radio.devAddr ?? null,
    },
    device_profile: page.network_profile,
    is_console_only: page.is_console_only,
    has_key: page.has_key,
    commissioned_at: isoTime(page.commissioned_at),
    updated_at: isoTime(page.updated_at),
    gateway: page.gateway,
    user: page.user,
    account: account && {
      status: account.facts.status,
      message: account.message,
      compared_at: account.compared_at,
      verdict: toAccountVerdict(account.facts, now),
      difference: account.difference && network ? toReportRow(network, account.difference) : null,
    },
    waiting_call: page.call,
    quarantined: page.quarantined,
  }
}

function isYes(text: 'Yes' | 'No' | undefined): boolean | null {
  return text === undefined ? null : text === 'Yes'
}

export const showFleetDevice = endpoint({
  summary: 'A device with all that its page shows',
  description: `The row of the list of devices, with the whole state and when it was told, the organization's own
account that the device goes through (\`account\`; null where there is none) with the difference that
the last comparison found, the call that its network has still to receive (\`waiting_call\`), and
messages of its EUI that wait in the quarantine. What an action of \`account.difference\` does is told
at \`POST /network-accounts/{network}/reconcile\`.`,
  params: devicePath,
  query: z.object({}),
  answer: z.object({ data: devicePage }),
  failures: [404],
  async handle({ params, caller }, { db, now }) {
    const { organizationId } = caller
    const reference = readReference(params.device_id)
    const found = await deviceQueries.find(db, organizationId, reference)
    if (!found) throw notFound('device not found')
    const time = now()
    const [devices, page] = await Promise.all([
      readFleetDevices(db, caller, [found.id], time),
      readDevicePage(db, organizationId, found.id, time),
    ])
    const [device] = devices
    if (!device || !page) throw notFound('device not found')
    const row = toFleetDevice(device, time)
    return { data: toDevicePage(row, page, { network: findNetwork(device.network), now: time }) }
  },
})
