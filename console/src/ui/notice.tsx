import { Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './notice.module.css'
import { State, type StateKind } from './state.tsx'

interface NoticeProps {
  kind: StateKind
  title: string
  children?: ReactNode
}

/** Something to know before going on: a state in words, and what to do about it. */
export function Notice({ kind, title, children }: NoticeProps) {
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs" align="flex-start">
        <Text component="div" fw={600} size="sm" className={classes.title}>
          <State kind={kind}>{title}</State>
        </Text>
        {children && (
          <Text component="div" size="sm">
            {children}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
