import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { findNetwork } from '../../networks/index.ts'
import { endpoint } from '../core-services.ts'
import { readFleetDevices } from '../devices/fleet-device-queries.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { readDevicePage } from './device-page-queries.ts'
import { devicePage, toDevicePage } from './device-page-record.ts'

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
    const [devices, page] = await Promise.all([
      readFleetDevices(db, caller, [found.id]),
      readDevicePage(db, organizationId, found.id, now()),
    ])
    const [device] = devices
    if (!device || !page) throw notFound('device not found')
    return { data: toDevicePage(device, page, findNetwork(device.network)) }
  },
})
