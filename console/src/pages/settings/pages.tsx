import { Group, Text } from '@mantine/core'
import { LinkButton } from '../../ui/link.tsx'
import { formatCount } from '../../ui/numbers.ts'

interface PagesProps {
  to: '/settings/members' | '/settings/invitations' | '/settings/organization'
  page: number
  last: number
}

/** Links to the pages before and after, which keep the rest of the address. */
export function Pages({ to, page, last }: PagesProps) {
  if (last <= 1) return null
  const link = (target: number, label: string) => (
    <LinkButton to={to} search={{ page: target }} variant="default" size="xs">
      {label}
    </LinkButton>
  )
  return (
    <Group component="nav" aria-label="Pages">
      {page > 1 && link(page - 1, 'Before')}
      <Text size="sm">
        Page {formatCount(page)} of {formatCount(last)}
      </Text>
      {page < last && link(page + 1, 'Next')}
    </Group>
  )
}
