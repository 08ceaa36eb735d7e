import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { t } from '../languages/text.ts'

/** What went wrong, in the API's words, and a way to try again. */
export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <Alert
      color="red"
      variant="outline"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={titleOf(error)}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{messageOf(error)}</Text>
        {retry && !isRefusal(error) && (
          <Button size="xs" variant="default" onClick={retry}>
            {t('Try again')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** The same for a form, unless everything that is wrong stands at these fields of it. */
export function FormError({ error, fields }: { error: unknown; fields: readonly string[] }) {
  if (error === null || error === undefined) return null
  const named = error instanceof ApiError ? Object.keys(error.errors) : []
  const isShown = named.length > 0 && named.every((name) => fields.includes(name))
  return isShown ? null : <ErrorNotice error={error} />
}

/** Trying again does not help. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function titleOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t('Something went wrong')
  if (error.status === 0) return t('No connection')
  if (error.status === 403) return t('Not allowed')
  if (error.status === 404) return t('Not found')
  if (error.status === 422) return t('Please check the input')
  if (error.status === 429) return t('Too many requests')
  return t('The request failed')
}

interface EmptyStateProps {
  title: string
  /** What to do next. */
  children?: ReactNode
  actions?: ReactNode
}

/** What an empty page says: why it is empty, and the next step. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="xs">
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        {children && (
          <Text c="dimmed" ta="center" maw={520} component="div">
            {children}
          </Text>
        )}
        {actions && <Group mt="xs">{actions}</Group>}
      </Stack>
    </Paper>
  )
}

/** Says that a change is done; screen readers hear it. */
export function tellSuccess(message: string): void {
  notifications.show({ message, icon: <IconCheck size={16} aria-hidden />, color: 'green' })
}

/** Says that a change was refused, and why. It stays until it is closed. */
export function tellFailure(title: string, error: unknown): void {
  notifications.show({ title, message: messageOf(error), color: 'red', autoClose: false })
}
