import type { Queryable } from '../../../db/connect.ts'
import { HttpError } from '../../../http/errors.ts'
import { isPort } from '../../../sensors/codecs/codec-results.ts'
import { encodeByCodec, ownTypeOf } from '../../downlinks/codec-configuration.ts'
import { type Configuration, readConfiguration } from '../../downlinks/config-field.ts'
import type { NewDownlink } from '../../downlinks/downlink-history-queries.ts'
import { createDownlinks, mostWaiting } from '../../downlinks/ledger.ts'
import { findLatestPorts } from '../../downlinks/traffic-queries.ts'
import type { SettingsOf } from './job-kinds.ts'
import {
  deviceNotFound,
  done,
  failed,
  type JobServices,
  type Portion,
  type RowResult,
  type WorkRows,
} from './portion.ts'
import { findDevices, type JobDevice } from './row-queries.ts'

/** The port on which these sensors send unless another port is configured. */
const defaultPort = 2

const recordedOnly = 'The device is recorded here only, at no network.'

type Encoded = { configuration: Configuration } | { fault: string }

/** Queues the same configuration for each device, as its own type and port encode it. */
export const configureRows: WorkRows = async (tx, services, portion, rows) => {
  const { organizationId, userId } = portion.sender
  const euis = rows.flatMap(({ eui }) => eui ?? [])
  const devices = await findDevices(tx, organizationId, euis)
  const encode = await createEncoder(tx, services, portion, [...devices.values()])
  const results: RowResult[] = []
  const downlinks: (NewDownlink & { row: number })[] = []
  for (const [row, { eui }] of rows.entries()) {
    const device = devices.get(eui ?? '')
    if (!device) {
      results.push(failed(deviceNotFound))
      continue
    }
    const encoded = device.is_console_only ? { fault: recordedOnly } : await encode(device)
    if ('fault' in encoded) {
      results.push(failed(encoded.fault, device.id))
      continue
    }
    results.push(done('Would be queued.', device.id))
    downlinks.push({ row, deviceId: device.id, userId, ...encoded.configuration })
  }
  if (portion.job.is_dry_run || downlinks.length === 0) return results
  // Queues are locked in the order of their devices, as everywhere.
  downlinks.sort((one, other) => one.deviceId - other.deviceId)
  const created = await createDownlinks(tx, organizationId, downlinks, portion.now)
  for (const [index, creation] of created.entries()) {
    const { row, deviceId } = downlinks[index] ?? { row: -1, deviceId: 0 }
    results[row] = toResult(creation, deviceId)
  }
  return results
}

function toResult(
  creation: Awaited<ReturnType<typeof createDownlinks>>[number],
  deviceId: number,
): RowResult {
  if (creation === 'device_gone') return failed(deviceNotFound)
  if (creation === 'too_many') {
    const message = `The device has ${mostWaiting} config messages waiting; cancel one first.`
    return failed(message, deviceId)
  }
  return done(`Downlink ${creation.id} queued.`, deviceId)
}

/**
 * Encodes once for all devices of a built-in type that listen on the same port. A codec may use the
 * variables of each device.
 */
async function createEncoder(
  tx: Queryable,
  services: JobServices,
  { job, sender: { organizationId } }: Portion,
  devices: readonly JobDevice[],
): Promise<(device: JobDevice) => Promise<Encoded>> {
  const { config_field: entered } = job.settings as SettingsOf<'configure'>
  const ids = devices.map(({ id }) => id)
  const ports = await findLatestPorts(tx, organizationId, ids)
  const known = new Map<string, Encoded>()
  return async ({ id, type_id: typeId }) => {
    const latest = ports.get(id)
    const port = isPort(latest) ? latest : defaultPort
    const ownType = ownTypeOf(organizationId, { id, type_id: typeId })
    const key = ownType ? `device ${id}` : `${typeId} ${port}`
    const encoded =
      known.get(key) ??
      (await refuseOrEncode(async () =>
        ownType
          ? encodeByCodec(services, ownType, entered, port)
          : readConfiguration(typeId, entered, port),
      ))
    known.set(key, encoded)
    return encoded
  }
}

/** A codec that cannot run just now fails the portion, which is then worked later. */
async function refuseOrEncode(encode: () => Promise<Configuration>): Promise<Encoded> {
  try {
    return { configuration: await encode() }
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error
    const messages = Object.values(error.errors ?? {}).flat()
    return { fault: messages.join(' ') || error.message }
  }
}
