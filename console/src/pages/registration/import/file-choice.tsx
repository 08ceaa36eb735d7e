import { Button, FileButton, Group, Paper, Stack, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { saveFile } from '../../../api/save-file.ts'
import { t } from '../../../languages/text.ts'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import { type CsvFile, openCsv } from './csv-file.ts'

const mostRows = 100_000
const example =
  'device_name,device_id,device_key,join_eui,device_type,group_path,notes\r\n' +
  t(`Front door,00AA000000000001,00112233445566778899AABBCCDDEEFF,0000000000000000,RBS301-DWS,Building A / Floor 2,
`)

/** The first step: a file, by button or dropped onto the page. It is read in the browser. */
export function FileChoice({ onOpen }: { onOpen: (file: CsvFile) => void }) {
  const [problem, setProblem] = useState<unknown>()
  const [isReading, setReading] = useState(false)
  const open = async (file: File | null | undefined) => {
    if (!file) return
    setReading(true)
    setProblem(undefined)
    try {
      const opened = await openCsv(file)
      const fault = faultOf(opened)
      if (fault === undefined) return onOpen(opened)
      opened.close()
      setProblem(new Error(fault))
    } catch (error) {
      setProblem(error)
    } finally {
      setReading(false)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void open(event.dataTransfer.files[0])
  }
  return (
    <Paper withBorder p="xl" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <Stack align="center">
        <IconFileUpload size={32} aria-hidden />
        <Text ta="center" maw="34rem">
          {t(
            'One row for each device: name, DevEUI, device key, JoinEUI, type, group. Exports of The Things Stack, ChirpStack and LORIOT are understood; separators may be commas, semicolons or tabs.',
          )}
        </Text>
        <Group justify="center">
          <FileButton
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
            onChange={(file) => void open(file)}
          >
            {(props) => (
              <Button {...props} loading={isReading}>
                {t('Choose a file')}
              </Button>
            )}
          </FileButton>
          <Button
            variant="default"
            onClick={() => saveFile('devices.csv', new Blob([example], { type: 'text/csv' }))}
          >
            {t('An example')}
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          {t('You may also drop it here.')}
        </Text>
        {problem !== undefined && <ErrorNotice error={problem} />}
      </Stack>
    </Paper>
  )
}

function faultOf({ total }: CsvFile): string | undefined {
  if (total === 0) return t('The file has no rows below its headers.')
  return total > mostRows
    ? t('The file has more than {mostRows} rows: split it.', { mostRows: formatCount(mostRows) })
    : undefined
}
