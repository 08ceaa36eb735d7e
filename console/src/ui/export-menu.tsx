import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { downloadApi } from '../api/download.ts'
import { t } from '../languages/text.ts'
import { tellFailure } from './notices.tsx'

/** A file that an operation of the API answers. */
interface ExportedFile {
  operation: string
  fileName: string
  label: string
}

interface ExportMenuProps {
  /** What the files have in them. */
  title: string
  query?: Record<string, unknown>
  files: readonly ExportedFile[]
  /** Prints all rows; null where they are too many. By default, those that are read. */
  onPrint?: (() => void) | null
}

/** Saves one of several files, or prints. */
export function ExportMenu(props: ExportMenuProps) {
  const { title, query = {}, files, onPrint = () => print() } = props
  const [isBusy, setBusy] = useState(false)
  const save = async ({ operation, fileName }: ExportedFile) => {
    setBusy(true)
    await downloadApi(operation, query, fileName).catch((error) =>
      tellFailure(t('The export failed'), error),
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
          {t('Export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{title}</Menu.Label>
        {files.map((file) => (
          <Menu.Item key={file.fileName} onClick={() => void save(file)}>
            {file.label}
          </Menu.Item>
        ))}
        {onPrint && <Menu.Item onClick={onPrint}>{t('Print')}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}
