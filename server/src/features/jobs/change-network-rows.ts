import { movesAlready, startMove } from '../moves/start-move.ts'
import { findDevices } from './job-device-queries.ts'
import type { SettingsOf } from './job-kinds.ts'
import { deviceNotFound, done, failed, type RowResult, type WorkRows } from './portion.ts'

/**
 * Begins to move each device to another network, checked as in POST /devices/{device_id}/move. Each
 * move then takes its own time, so a row is done when its move has begun.
 */
export const changeNetworkRows: WorkRows = async (tx, services, { job, sender, now }, rows) => {
  const { target: body } = job.settings as SettingsOf<'change_network'>
  const euis = rows.flatMap(({ eui }) => eui ?? [])
  const devices = await findDevices(tx, sender.organizationId, euis)
  const isDryRun = job.is_dry_run
  const results: RowResult[] = []
  for (const { eui } of rows) {
    const deviceId = devices.get(eui ?? '')?.id
    const started =
      deviceId === undefined
        ? 'device_gone'
        : await startMove(tx, services, sender, { deviceId, body, now, isDryRun })
    results.push(resultOf(started, deviceId ?? null, isDryRun))
  }
  return results
}

function resultOf(
  started: Awaited<ReturnType<typeof startMove>>,
  deviceId: number | null,
  isDryRun: boolean,
): RowResult {
  if (started === 'device_gone') return failed(deviceNotFound)
  if (started === 'moves_already') return failed(movesAlready, deviceId)
  if ('errors' in started) return failed(Object.values(started.errors).flat().join(' '), deviceId)
  return done(isDryRun ? 'Would begin to move.' : `Move ${started.id} has begun.`, deviceId)
}
