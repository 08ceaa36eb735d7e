import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { downloadApi } from '../../api/download.ts'
import { tellFailure } from '../../ui/notices.tsx'
import type { UplinkFilters, UplinkRange } from './uplink-search.ts'

interface ExportMenuProps {
  filters: UplinkFilters
  range: UplinkRange
}

/** Saves what the filters and the range select as a file. */
export function ExportMenu({ filters, range: { since, until } }: ExportMenuProps) {
  const [isBusy, setBusy] = useState(false)
  const save = async (operation: string, fileName: string) => {
    setBusy(true)
    await downloadApi(operation, { ...filters, since, until }, fileName).catch((error) =>
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
        <Menu.Label>
          {since || until ? 'This range, with these filters' : 'All time, with these filters'}
        </Menu.Label>
        <Menu.Item onClick={() => void save('GET /fleet/uplinks/export', 'uplinks.csv')}>
          CSV, for spreadsheets
        </Menu.Item>
        <Menu.Item onClick={() => void save('GET /fleet/uplinks/lines', 'uplinks.ndjson')}>
          JSON lines, for programs
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
