import { Button, FileButton, Group, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { t } from '../../../languages/text.ts'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { openCsv } from '../import/csv-file.ts'
import { readMapping } from '../import/import-fields.ts'

/** Of a file: more boxes than anybody carries. */
const mostRows = 10_000

/** What the maker's file says of devices, by DevEUI. It stays in the memory of the page. */
export interface KeyList {
  file: string
  devices: ReadonlyMap<string, { deviceKey: string; joinEui: string; deviceName: string }>
}

interface KeyFileProps {
  list: KeyList | undefined
  onRead: (list: KeyList) => void
}

/** Codes hold no keys: makers send them as a file, which is read here and not sent. */
export function KeyFile({ list, onRead }: KeyFileProps) {
  const read = useMutation({ networkMode: 'always', mutationFn: readKeys, onSuccess: onRead })
  return (
    <>
      <Group gap="xs">
        <FileButton
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
          onChange={(file) => file && read.mutate(file)}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<IconKey size={16} aria-hidden />}
              loading={read.isPending}
            >
              {t('Keys from a file')}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed" role="status">
          {list &&
            t('{size, plural, one {# device} other {# devices}} in {file}', {
              size: list.devices.size,
              file: list.file,
            })}
        </Text>
      </Group>
      {read.error && <ErrorNotice error={read.error} />}
    </>
  )
}

async function readKeys(file: File): Promise<KeyList> {
  const table = await openCsv(file)
  try {
    const mapping = readMapping(table.headers)
    if (mapping.deviceId === undefined || mapping.deviceKey === undefined) {
      throw new Error(t('No columns are the DevEUI and the key. Call them dev_eui and app_key.'))
    }
    const none = { network: null, deviceType: null, appRegion: null, frequencyPlan: null }
    const rows = await table.rows({ ...none, mapping, networks: [], types: [] }, 1, mostRows)
    const devices = rows.map(({ deviceId, deviceName, provisioningData }) => {
      const { deviceKey, joinEui } = provisioningData
      const name = deviceName === deviceId ? '' : deviceName
      return [
        deviceId,
        { deviceKey, joinEui: mapping.joinEui === undefined ? '' : joinEui, deviceName: name },
      ] as const
    })
    return { file: file.name, devices: new Map(devices) }
  } finally {
    table.close()
  }
}
