import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface SectionProps {
  title: string
  note?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** A part of a settings page, with a heading of its own. */
export function Section({ title, note, actions, children }: SectionProps) {
  const id = useId()
  return (
    <Paper withBorder p="md" maw={1000} component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <div>
            <Title order={2} size="h4" id={id}>
              {title}
            </Title>
            {note && (
              <Text size="sm" c="dimmed" component="div" maw={640}>
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
