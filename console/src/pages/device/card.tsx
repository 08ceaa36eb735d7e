import { Group, Paper, Stack, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface CardProps {
  title: string
  /** At the right of the title. */
  more?: ReactNode
  children: ReactNode
}

/** A part of a tab, with a heading of its own. */
export function Card({ title, more, children }: CardProps) {
  const id = useId()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          {more}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
