import { Indicator } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useApi } from '../api/hooks.ts'
import { isOpen } from '../jobs/use-jobs.ts'
import { t } from '../languages/text.ts'
import { useIsLimited } from '../session/session.ts'
import { LinkButton } from '../ui/link.tsx'

/** Milliseconds between two looks, while a job goes on and otherwise. */
const [busyInterval, idleInterval] = [3000, 30_000]

/** The jobs that go on, in the header of every page; nothing when there are none. */
export function JobsIndicator() {
  const enabled = !useIsLimited()
  const { data } = useApi(
    'GET /jobs',
    { query: { limit: 10 } },
    { enabled, refetchInterval: idleInterval },
  )
  const open = data?.data.filter(isOpen) ?? []
  // A second reader of the same answer, which asks more often while it matters.
  useApi(
    'GET /jobs',
    { query: { limit: 10 } },
    { enabled: open.length > 0, refetchInterval: busyInterval },
  )
  if (open.length === 0) return null
  const words =
    open.length === 1 ? t('1 job running') : t('{count} jobs running', { count: open.length })
  return (
    <Indicator label={open.length} size={16} aria-hidden={false}>
      <LinkButton to="/jobs" variant="subtle" size="compact-sm" aria-label={words} title={words}>
        <IconListCheck size={18} aria-hidden />
      </LinkButton>
    </Indicator>
  )
}
