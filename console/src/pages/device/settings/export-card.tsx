import { Text } from '@mantine/core'
import { useState } from 'react'
import { ActionButton } from '../../../ui/action-button.tsx'
import { tellFailure } from '../../../ui/notices.tsx'
import { countOf, formatCount } from '../../../ui/numbers.ts'
import { Card } from '../card.tsx'
import type { DeviceRecord } from '../use-device.ts'
import { exportHistory, mostRows } from './export-history.ts'

/** The uplinks of the device as a file for spreadsheets. */
export function ExportCard({ device }: { device: DeviceRecord }) {
  const [read, setRead] = useState<number>()
  const run = async () => {
    setRead(0)
    try {
      await exportHistory(device, setRead)
    } catch (error) {
      tellFailure('The history was not exported', error)
    } finally {
      setRead(undefined)
    }
  }
  const isEmpty = device.uplink_count === 0
  return (
    <Card title="History as a file">
      <Text size="sm">
        {countOf(device.uplink_count, 'uplink')} as CSV: time, event, values, signal and frame.
        {device.uplink_count > mostRows && ` The file takes the newest ${formatCount(mostRows)}.`}
      </Text>
      <div>
        <ActionButton
          variant="default"
          loading={read !== undefined}
          blockedBy={isEmpty ? 'There is nothing to export yet.' : undefined}
          onClick={() => void run()}
        >
          Export CSV
        </ActionButton>
      </div>
      <Text size="xs" role="status">
        {read !== undefined && `${formatCount(read)} read`}
      </Text>
    </Card>
  )
}
