import { Button, Group, Text } from '@mantine/core'
import { t } from '../../languages/text.ts'
import { useAddress } from '../../router/use-address.ts'
import { formatCount } from '../numbers.ts'

interface PagesProps {
  /** Where the next page begins; null or undefined at the end. */
  next?: string | number | null | undefined
  /** The number of pages, where they are counted. */
  count?: number | undefined
}

/** The ways to the other pages of a list, which are in the address as `after` or `page`. */
export function Pages({ next, count = 1 }: PagesProps) {
  const { search, change } = useAddress()
  const page = Number(search.page ?? 1)
  const button = (label: string, changes: Parameters<typeof change>[0]) => (
    <Button variant="default" size="xs" onClick={() => change(changes)}>
      {label}
    </Button>
  )
  const isFirst = search.after === undefined
  if (count <= 1 && isFirst && (next ?? null) === null) return null
  return (
    <Group component="nav" aria-label={t('Pages')} gap="xs">
      {!isFirst && button(t('Newest'), { after: undefined })}
      {next != null && button(t('Older'), { after: next })}
      {count > 1 && (
        <>
          {page > 1 && button(t('Before'), { page: page > 2 ? page - 1 : undefined })}
          <Text size="sm">
            {t('Page {page} of {count}', { page: formatCount(page), count: formatCount(count) })}
          </Text>
          {page < count && button(t('Next'), { page: page + 1 })}
        </>
      )}
    </Group>
  )
}
