import { call } from '../../../api/client.ts'
import type { Operations } from '../../../api/generated.ts'
import type { DeviceFilters } from '../device-search.ts'
import { loadDevices } from '../use-device-list.ts'

type JobBody = Operations['POST /jobs']['body']
export type JobSettings = Pick<
  JobBody,
  'kind' | 'mode' | 'groups' | 'config_field' | 'target' | 'changes'
>

/** The reader's choice. */
export interface Chosen {
  ids: readonly number[]
  /** The filters of the list, if all that match are chosen. */
  all: DeviceFilters | undefined
}

/** Devices of one request, and rows of one body of a job. */
const chunkSize = 1000
const rowsAtOnce = 10_000

export interface NamedDevice {
  id: number
  eui: string
  name: string
  type: string
}

/** Reads what bulk work needs of chosen devices, and reports how many it has. */
export async function readChosen(
  ids: readonly number[],
  onProgress: (done: number) => void,
): Promise<NamedDevice[]> {
  const found: NamedDevice[] = []
  for (let first = 0; first < ids.length; first += chunkSize) {
    const chunk = ids.slice(first, first + chunkSize)
    const devices = await loadDevices(chunk)
    for (const id of chunk) {
      const device = devices.get(id)
      if (!device) continue
      const { device_id: eui, device_name: name, device_type: type } = device
      found.push({ id, eui, name, type: type.name })
    }
    onProgress(Math.min(ids.length, first + chunkSize))
  }
  return found
}

/** Starts a job on what is chosen and returns its id. */
export async function startJob(
  settings: JobSettings,
  { ids, all }: Chosen,
  onProgress: (done: number) => void,
): Promise<number> {
  if (ids.length <= chunkSize) return postJob({ ...settings, filter: { ids: ids.join(',') } })
  // What a filter finds may have grown since: nothing is deleted that the reader did not see.
  if (all && settings.kind !== 'delete') return postJob({ ...settings, filter: all })
  const devices = await readChosen(ids, onProgress)
  return postJob({ ...settings, devices: devices.map(({ eui }) => eui) })
}

/** Starts the renaming of devices; the rows of many are sent in parts. */
export async function startRenaming(
  rows: readonly Pick<NamedDevice, 'eui' | 'name'>[],
): Promise<number> {
  const items = rows.map(({ eui, name }) => ({ device_id: eui, device_name: name }))
  const isMore = (end: number) => end < items.length
  const id = await postJob({
    kind: 'rename',
    rows: items.slice(0, rowsAtOnce),
    more: isMore(rowsAtOnce),
  })
  for (let first = rowsAtOnce; first < items.length; first += rowsAtOnce) {
    const end = first + rowsAtOnce
    const body = { first: first + 1, rows: items.slice(first, end), more: isMore(end) }
    await call('POST /jobs/{job_id}/rows', { path: { job_id: String(id) }, body })
  }
  return id
}

async function postJob(body: JobBody): Promise<number> {
  const { data } = await call('POST /jobs', { body })
  return data.id
}
