import { z } from 'zod'
import { notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { findNetwork } from '../../../networks/index.ts'
import { toAccountVerdict } from '../../accounts/network-accounts/account-verdict.ts'
import { endpoint } from '../../core-services.ts'
import { readFleetDevices } from '../devices/fleet-device-queries.ts'
import { toGatewayVerdict } from '../gateways/gateway-verdict.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { reasonsOf, verdictReason, verdictRecord } from '../inventory/verdict.ts'
import { readDevicePage } from './device-page-queries.ts'
import { causeOfRest, causes, type HearingGateway, type SilenceFacts, trendOf } from './silence.ts'
import { judgeGateways, mostLookedAt, readLastUplinks } from './silence-queries.ts'

const trend = z
  .object({
    before: z.number().describe('The mean of the first quarter of these uplinks.'),
    last: z.number().describe('The mean of the last quarter.'),
  })
  .meta({ id: 'SignalTrend', examples: [{ before: -97, last: -116.4 }] })
  .nullable()

const silenceRecord = z
  .object({
    ...withExamples(
      {
        last_seen: z.string().nullable(),
        usual_seconds: z.number().nullable().describe('Between two of its uplinks.'),
        uplinks: z.int().describe('The last ones, which gateways and signal are of.'),
      },
      { last_seen: '2026-02-27T11:59:07.775023Z', usual_seconds: 600, uplinks: 20 },
    ),
    rssi: trend,
    snr: trend,
    gateways: z
      .array(
        z
          .object({
            ...withExamples(
              {
                gateway_eui: z.string(),
                id: z.int().nullable(),
                name: z.string().nullable(),
                uplinks: z.int(),
                last_heard: z.string().describe('When it heard the device last.'),
                rssi: z.number().nullable(),
                snr: z.number().nullable(),
              },
              {
                gateway_eui: '00AA0000000000F1',
                id: 7,
                name: 'Roof',
                uplinks: 18,
                last_heard: '2026-02-27T11:59:07.775023Z',
                rssi: -117,
                snr: -11.5,
              },
            ),
            verdict: verdictRecord.nullable().describe('Null where it is not registered here.'),
          })
          .meta({ id: 'LastGateway' }),
      )
      .describe('Those that heard it last.'),
    causes: z.array(verdictReason).describe('The most likely one first.'),
  })
  .meta({ id: 'Silence' })

export const showSilence = endpoint({
  summary: 'Why nothing comes from a device, as far as the service knows',
  description: `Which gateways heard its last ${mostLookedAt} uplinks and how they are now, how its signal was before it
fell silent, and what would explain the silence. What is said of a device that is heard is of no use.`,
  params: devicePath,
  query: z.object({}),
  answer: z.object({ data: silenceRecord }),
  failures: [404],
  async handle({ params, caller }, { db, now }) {
    const { organizationId } = caller
    const found = await deviceQueries.find(db, organizationId, readReference(params.device_id))
    if (!found) throw notFound('device not found')
    const time = now()
    const [devices, page, { signal, gateways: heard }] = await Promise.all([
      readFleetDevices(db, caller, [found.id], time),
      readDevicePage(db, organizationId, found.id, time),
      readLastUplinks(db, organizationId, found.id),
    ])
    const [device] = devices
    if (!device || !page) throw notFound('device not found')
    const euis = heard.map(({ gateway_eui }) => gateway_eui)
    const known = await judgeGateways(db, organizationId, {
      network: device.network,
      euis,
      now: time,
    })
    const byEui = new Map(known.map((gateway) => [gateway.eui, gateway]))
    const facts: SilenceFacts = {
      ...device,
      page,
      networkName: findNetwork(device.network)?.name ?? device.network,
      account: page.account && toAccountVerdict(page.account.facts, time),
      gateways: heard.map((gateway): HearingGateway => {
        const own = byEui.get(gateway.gateway_eui)
        const verdict = own ? toGatewayVerdict(own, time) : null
        return { ...gateway, id: own?.id ?? null, name: own?.name ?? null, verdict }
      }),
      rssi: trendOf(signal, 'rssi'),
      snr: trendOf(signal, 'snr'),
    }
    return { data: toRecord(facts, signal.length, time) }
  },
})

function toRecord(facts: SilenceFacts, uplinks: number, now: Date): z.infer<typeof silenceRecord> {
  const { last_seen, usual_seconds, rssi, snr, gateways } = facts
  const known = reasonsOf(causes, facts, now)
  return {
    last_seen: last_seen === null ? null : isoTime(last_seen),
    usual_seconds,
    uplinks,
    rssi,
    snr,
    gateways: gateways.map((gateway) => ({ ...gateway, last_heard: isoTime(gateway.last_heard) })),
    causes: known.length > 0 ? known : [causeOfRest(facts, now)],
  }
}
