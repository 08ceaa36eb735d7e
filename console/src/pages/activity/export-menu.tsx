import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { downloadApi } from '../../api/download.ts'
import { tellFailure } from '../../ui/notices.tsx'

/** Saves the whole chain of records as a file. */
export function ExportMenu() {
  const [isBusy, setBusy] = useState(false)
  const save = async (operation: string, fileName: string) => {
    setBusy(true)
    await downloadApi(operation, {}, fileName).catch((error) =>
      tellFailure('The export failed', error),
    )
    setBusy(false)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          loading={isBusy}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All records, with their hashes</Menu.Label>
        <Menu.Item onClick={() => void save('GET /fleet/activity/lines', 'activity.ndjson')}>
          JSON lines, to verify
        </Menu.Item>
        <Menu.Item onClick={() => void save('GET /fleet/activity/export', 'activity.csv')}>
          CSV, for spreadsheets
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
