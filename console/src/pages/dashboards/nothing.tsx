import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../languages/text.ts'
import { rangeOfData, type WidgetData } from './dashboard.ts'
import classes from './widget.module.css'

interface NothingProps {
  data: WidgetData
  title?: string
  children?: ReactNode
}

/** In place of no values: whether there are no devices, or nothing came. */
export function Nothing({ data, title, children }: NothingProps) {
  const { from, to } = rangeOfData(data)
  const days = Math.round((to - from) / 86_400_000)
  const time =
    days < 2
      ? t('{max} hours', { max: Math.max(1, Math.round((to - from) / 3_600_000)) })
      : t('{days} days', { days })
  return (
    <div className={classes.nothing}>
      {title && <h2 className={classes.title}>{title}</h2>}
      <Text size="sm" c="dimmed">
        {children ??
          (data.total === 0
            ? t('No devices here measure this.')
            : t('No values in these {time}.', { time }))}
      </Text>
    </div>
  )
}
