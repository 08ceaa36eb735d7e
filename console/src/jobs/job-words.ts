import { t } from '../languages/text.ts'
import { formatCount } from '../ui/numbers.ts'
import type { StateKind } from '../ui/state.tsx'
import type { Job } from './use-jobs.ts'

const titles: Record<Job['kind'], (devices: string, title: string | null) => string> = {
  register: (devices) => t('Register {devices}', { devices }),
  rename: (devices) => t('Rename {devices}', { devices }),
  move: (devices) => t('Change the groups of {devices}', { devices }),
  configure: (devices) => t('Configure {devices}', { devices }),
  delete: (devices) => t('Delete {devices}', { devices }),
  change: (devices) => t('Change {devices}', { devices }),
  change_network: (devices) => t('Move {devices} to another network', { devices }),
  take_over: (_, network) => t('Take over what {network} has', { network }),
}

/** What a job does, such as "Register 1,000 devices". */
export function titleOf({ kind, total, dry_run, title }: Job): string {
  const devices = t('{total, plural, one {# device} other {# devices}}', { total })
  const words = titles[kind](devices, title)
  return dry_run ? t('Dry run: {title}', { title: words }) : words
}

export function stateOf(job: Job): { kind: StateKind; word: string } {
  const { state, failed, dry_run } = job
  if (state === 'receiving') return { kind: 'waiting', word: t('Waiting for rows') }
  if (state === 'queued') return { kind: 'waiting', word: t('Waiting') }
  if (state === 'running') return { kind: 'waiting', word: t('Running') }
  if (state === 'cancelled') return { kind: 'off', word: t('Cancelled') }
  if (dry_run && failed > 0)
    return {
      kind: 'warn',
      word: t('Checked, {failed} would fail', { failed: formatCount(failed) }),
    }
  if (dry_run) return { kind: 'good', word: t('Checked') }
  if (failed > 0)
    return { kind: 'warn', word: t('Done, {failed} failed', { failed: formatCount(failed) }) }
  return { kind: 'good', word: t('Done') }
}

/** "495 of 1,000 done, 5 failed". */
export function progressWords({ total, done, failed, dry_run }: Job): string {
  const values = {
    done: formatCount(done),
    total: formatCount(total),
    failed: formatCount(failed),
  }
  if (dry_run) {
    return failed > 0
      ? t('{done} of {total} would be done, {failed} would fail', values)
      : t('{done} of {total} would be done', values)
  }
  return failed > 0
    ? t('{done} of {total} done, {failed} failed', values)
    : t('{done} of {total} done', values)
}
