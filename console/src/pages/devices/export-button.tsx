import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { downloadApi } from '../../api/download.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { tellFailure } from '../../ui/notices.tsx'
import type { DeviceColumn } from './device-columns.tsx'
import type { DeviceQuery } from './use-device-list.ts'

interface ExportButtonProps {
  query: DeviceQuery
  columns: readonly DeviceColumn[]
  isEmpty: boolean
}

/** What is shown as a file: the same filters, order and columns. */
export function ExportButton({ query, columns, isEmpty }: ExportButtonProps) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const names = columns.flatMap((column) => column.exports).join(',')
      await downloadApi('GET /fleet/devices/export', { ...query, columns: names }, 'devices.csv')
    } catch (error) {
      tellFailure('The export failed', error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <ActionButton
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={isBusy}
      blockedBy={isEmpty ? 'There is nothing to export.' : undefined}
      onClick={() => void save()}
    >
      Export CSV
    </ActionButton>
  )
}
