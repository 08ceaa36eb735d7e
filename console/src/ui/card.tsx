import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface CardProps {
  /** A heading of its own; without it, what the card holds says what it is. */
  title?: ReactNode
  /** What it is for, below the title. */
  note?: ReactNode
  /** At the right of the title. */
  actions?: ReactNode
  /** An item of a list. */
  component?: 'li' | 'section'
  role?: 'region'
  'aria-label'?: string
  children?: ReactNode
}

/** The one card: a part of a page with a border. */
export function Card({ title, note, actions, children, ...rest }: CardProps) {
  const id = useId()
  if (title === undefined) {
    return (
      <Paper withBorder p="md" {...(rest as { component?: 'div' })}>
        {children}
      </Paper>
    )
  }
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <div>
            <Title order={2} size="h5" id={id}>
              {title}
            </Title>
            {note && (
              <Text size="sm" c="dimmed" component="div" maw="40rem">
                {note}
              </Text>
            )}
          </div>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
