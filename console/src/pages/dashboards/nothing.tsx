import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
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
    days < 2 ? `${Math.max(1, Math.round((to - from) / 3_600_000))} hours` : `${days} days`
  return (
    <div className={classes.nothing}>
      {title && <h2 className={classes.title}>{title}</h2>}
      <Text size="sm" c="dimmed">
        {children ??
          (data.total === 0 ? 'No devices here measure this.' : `No values in these ${time}.`)}
      </Text>
    </div>
  )
}
