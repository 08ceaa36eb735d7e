import type { ReactNode } from 'react'
import type { Job } from '../../jobs/use-jobs.ts'
import { t } from '../../languages/text.ts'
import { Link } from '../../ui/link.tsx'

type Fact = readonly [name: string, value: ReactNode]

const modes: Record<string, string> = {
  add: t('Add to groups'),
  remove: t('Remove from groups'),
  replace: t('Put into only these groups'),
}

/** The settings of the job for each device, besides its kind. */
export function settingsWords({ kind, settings }: Job): Fact[] {
  if (kind === 'move') return [[modes[String(settings.mode)] ?? t('Groups'), groupLinks(settings)]]
  if (kind === 'configure') return [[t('Configuration'), fieldsOf(settings.config_field)]]
  if (kind === 'change') return [[t('Changes'), fieldsOf(settings.changes)]]
  if (kind === 'change_network') return [[t('To'), fieldsOf(settings.target)]]
  if (kind === 'register' && settings.create_groups) return [[t('Missing groups'), t('are made')]]
  return []
}

function groupLinks({ groups }: Job['settings']): ReactNode {
  const ids = Array.isArray(groups) ? groups.map(Number) : []
  return ids.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Link to="/groups/$groupId" params={{ groupId: String(id) }}>
        {t('group {id}', { id })}
      </Link>
    </span>
  ))
}

function fieldsOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .filter(([name]) => name !== 'islorawan')
    .map(
      ([name, member]) =>
        `${name}: ${typeof member === 'object' ? JSON.stringify(member) : member}`,
    )
    .join(', ')
}
