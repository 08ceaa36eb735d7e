import { ActionIcon, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { saveFile } from '../api/save-file.ts'
import { t } from '../languages/text.ts'
import { tellFailure } from '../ui/notices.tsx'
import { type ChartContent, chartCsv } from './chart-csv.ts'
import type { TimeRange } from './chart-data.ts'
import type { ChartLook } from './chart-options.ts'
import { pointTime } from './chart-times.ts'

interface ChartExportProps extends ChartContent {
  look: ChartLook
  range: TimeRange | undefined
}

/** Saves what a chart shows. */
export function ChartExport(props: ChartExportProps) {
  const { title } = props
  const isOfDevices = props.data.series.some((series) => series.device !== undefined)
  const device = isOfDevices ? undefined : props.device
  const name = [device, title]
    .filter(Boolean)
    .join(' ')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
  const saveTable = () =>
    saveFile(`${name}.csv`, new Blob([chartCsv(props)], { type: 'text/csv;charset=utf-8' }))
  const savePicture = async () => {
    const { chartImage } = await import('./chart-image.ts')
    const subtitle = subtitleOf(props)
    const whole = [device, title].filter(Boolean).join(': ')
    saveFile(`${name}.png`, await chartImage({ ...props, title: whole, subtitle }))
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('Export: {title}', { title })}
          title={t('Export')}
        >
          <IconDownload size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={saveTable}>{t('Table (CSV)')}</Menu.Item>
        <Menu.Item
          onClick={() =>
            void savePicture().catch((error) => tellFailure(t('The export failed'), error))
          }
        >
          {t('Picture (PNG)')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** "°C · 1 Mar 2026, 12:59 CET to 2 Mar 2026, 12:59 CET". */
function subtitleOf({ unit, data, range, timeZone }: ChartExportProps): string {
  const from = range?.from ?? data.times[0]
  const to = range?.to ?? data.times.at(-1)
  const times = [from, to].filter((time) => time !== undefined)
  const [first, last] = times.map((time) => pointTime(time, timeZone, 60_000))
  const words = last === undefined ? first : t('{from} to {to}', { from: first, to: last })
  return [unit, words].filter(Boolean).join(' · ')
}
