import { Anchor, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { basePath } from '../api/client.ts'
import { t } from '../languages/text.ts'
import classes from './page.module.css'

interface PageProps {
  title: ReactNode
  /** The title of the browser's tab if `title` is no text. */
  name?: string
  /** One line below the title. */
  description?: ReactNode
  /** Buttons at the right of the title. */
  actions?: ReactNode
  /** Links to the pages above, left of the title. */
  above?: ReactNode
  /** The page of the guide about it, such as `alerts.html`. */
  guide?: string
  children: ReactNode
}

/** The frame of every page: its one first heading, its actions, and the title of the tab. */
export function Page({ title, name, description, actions, above, guide, children }: PageProps) {
  const tabName = name ?? (typeof title === 'string' ? title : undefined)
  useEffect(() => {
    if (tabName) document.title = t('{tabName} · LoRa fleet console', { tabName })
  }, [tabName])
  return (
    <Stack gap="md">
      <div className={classes.head}>
        <div className={classes.title}>
          {above && (
            <Text size="xs" c="dimmed" component="div">
              {above}
            </Text>
          )}
          <Title order={1}>{title}</Title>
        </div>
        {(actions || guide) && (
          <Group gap="xs" className={classes.actions}>
            {guide && (
              <Anchor href={`${basePath}/guide/${guide}`} fz="sm" mr="xs">
                {t('Guide')}
              </Anchor>
            )}
            {actions}
          </Group>
        )}
        {description && (
          <Text c="dimmed" size="sm" component="div" className={classes.description}>
            {description}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  )
}

/** Bars in place of what is still being read, of about the same height. */
export function LoadingLines({ count = 5 }: { count?: number }) {
  return (
    <Stack gap="xs" role="status" aria-label={t('Loading')}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike
        <Skeleton key={index} height={28} />
      ))}
    </Stack>
  )
}
