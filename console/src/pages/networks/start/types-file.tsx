import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { DeviceRow } from '../../../../../server/src/lora/device-file/device-row.ts'
import type { Answer } from '../../../api/client.ts'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { formatCount } from '../../../ui/numbers.ts'
import { State } from '../../../ui/state.tsx'

/** A device whose type a file names, as the API takes it. */
export interface TypedDevice {
  eui: string
  device_type: number
  device_name: string
}

/** As many as one request takes. */
const mostDevices = 10_000
const mostBytes = 20_000_000
const mostNamed = 3
const hour = 60 * 60 * 1000

interface TypesFileProps {
  onRead: (devices: readonly TypedDevice[]) => void
}

/**
 * Types and names of single devices from a list, such as that of the Radio Bridge console: many networks
 * know no profile that would tell them.
 */
export function TypesFile({ onRead }: TypesFileProps) {
  const [result, setResult] = useState<Result>()
  const types = useApi(
    'GET /get-device-types',
    { query: { itemsPerPage: 1000 } },
    { staleTime: hour },
  )
  const read = async (file: File | null) => {
    if (!file) return
    const next = await readList(file, types.data?.data ?? [])
    setResult(next)
    onRead(next.devices)
  }
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <FileButton
          accept=".csv,.txt,.json,text/csv,application/json"
          onChange={(file) => void read(file)}
        >
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={types.isPending}>
              {t('Read types from a list')}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {t(
            'A CSV file with DevEUI, type and name, such as the list of devices of the Radio Bridge console.',
          )}
        </Text>
      </Group>
      {result && <ResultLine result={result} />}
    </Stack>
  )
}

interface Result {
  file: string
  devices: TypedDevice[]
  problem: string | undefined
  /** Words of the file that are no type. */
  unknown: string[]
}

function ResultLine({ result: { file, devices, problem, unknown } }: { result: Result }) {
  return (
    <div role="status">
      <State kind={problem ? 'bad' : unknown.length > 0 ? 'warn' : 'good'}>
        {file}:{' '}
        {problem ??
          t('{count, plural, one {# device has} other {# devices have}} a type.', {
            count: devices.length,
          })}
      </State>
      {unknown.length > 0 && (
        <Text size="sm">
          {t('No type has the id, part number or name: {names}', {
            names: unknown.slice(0, mostNamed).join(', '),
          })}
        </Text>
      )}
    </div>
  )
}

type Types = Answer<'GET /get-device-types'>['data']

async function readList(file: File, types: Types): Promise<Result> {
  const failed = (problem: string): Result => ({
    file: file.name,
    devices: [],
    problem,
    unknown: [],
  })
  if (file.size > mostBytes) return failed(t('The file is too large.'))
  const rows = await readRows(new Uint8Array(await file.arrayBuffer()))
  if (!rows) return failed(t('It has no column with DevEUIs. Is it the list of devices?'))
  const devices: TypedDevice[] = []
  const unknown = new Set<string>()
  for (const { deviceId: eui, deviceName: device_name, deviceType } of rows) {
    const type = findType(deviceType, types)
    if (type !== undefined) devices.push({ eui, device_type: type, device_name })
    else if (deviceType !== '') unknown.add(deviceType)
  }
  if (devices.length > mostDevices) {
    return failed(t('It has more than {most} devices.', { most: formatCount(mostDevices) }))
  }
  const problem = devices.length === 0 ? t('No device in it has a type.') : undefined
  return { file: file.name, devices, problem, unknown: [...unknown] }
}

/** Undefined for what is no list of devices. The readers of files are loaded when they are needed. */
async function readRows(bytes: Uint8Array): Promise<DeviceRow[] | undefined> {
  const [{ readTable }, { readDeviceRow }, { deviceColumns, guessColumns }] = await Promise.all([
    import('../../../../../server/src/lora/device-file/read-table.ts'),
    import('../../../../../server/src/lora/device-file/device-row.ts'),
    import('../../../../../server/src/lora/device-file/columns.ts'),
  ])
  const { headers, rows } = readTable(bytes)
  const mapping = guessColumns(headers, deviceColumns)
  if (mapping.deviceId === undefined) return undefined
  const read = rows.map(({ cells }) => readDeviceRow(cells, mapping))
  const devices = new Map(
    read.filter(({ faults }) => !faults.deviceId).map((row) => [row.deviceId, row]),
  )
  return devices.size > 0 ? [...devices.values()] : undefined
}

/** By id, whole name, part number or name. */
function findType(text: string, types: Types): number | undefined {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return undefined
  const named = (fits: (name: string) => boolean) =>
    types.find(({ full_name }) => fits(full_name.toLowerCase()))?.id
  return (
    types.find(({ id }) => String(id) === wanted)?.id ??
    named((name) => name === wanted) ??
    named((name) => name.startsWith(`${wanted} - `)) ??
    named((name) => name.endsWith(` - ${wanted}`))
  )
}
