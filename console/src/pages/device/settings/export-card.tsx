import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { downloadApi } from '../../../api/download.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { tellFailure } from '../../../ui/notices.tsx'
import { countOf } from '../../../ui/numbers.ts'
import type { DeviceRecord } from '../use-device.ts'

const formats = [
  { name: 'CSV', operation: 'GET /fleet/uplinks/export', ending: 'csv' },
  { name: 'JSON lines', operation: 'GET /fleet/uplinks/lines', ending: 'ndjson' },
] as const

/** The uplinks of the device as a file for spreadsheets. */
export function ExportCard({ device }: { device: DeviceRecord }) {
  const [busy, setBusy] = useState<string>()
  const { device_id: eui, uplink_count: count } = device
  const save = async ({ name, operation, ending }: (typeof formats)[number]) => {
    setBusy(name)
    await downloadApi(operation, { device: eui }, `uplinks-${eui}.${ending}`).catch((error) =>
      tellFailure('The history was not exported', error),
    )
    setBusy(undefined)
  }
  return (
    <Card title="History as a file">
      <Text size="sm">
        {countOf(count, 'uplink')} with time, event, values, signal and frame, for spreadsheets or
        programs.
      </Text>
      <Group gap="xs">
        {formats.map((format) => (
          <ActionButton
            key={format.name}
            size="xs"
            variant="default"
            loading={busy === format.name}
            blockedBy={count === 0 ? 'There is nothing to export yet.' : undefined}
            onClick={() => void save(format)}
          >
            {format.name}
          </ActionButton>
        ))}
      </Group>
    </Card>
  )
}
