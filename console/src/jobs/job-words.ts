import { countOf, formatCount } from '../ui/numbers.ts'
import type { StateKind } from '../ui/state.tsx'
import type { Job } from './use-jobs.ts'

const titles: Record<Job['kind'], (devices: string) => string> = {
  register: (devices) => `Register ${devices}`,
  rename: (devices) => `Rename ${devices}`,
  move: (devices) => `Change the groups of ${devices}`,
  configure: (devices) => `Configure ${devices}`,
  delete: (devices) => `Delete ${devices}`,
  change: (devices) => `Change ${devices}`,
  change_network: (devices) => `Move ${devices} to another network`,
}

/** What a job does, such as "Register 1,000 devices". */
export function titleOf({ kind, total, dry_run }: Job): string {
  const title = titles[kind](countOf(total, 'device'))
  return dry_run ? `Dry run: ${title}` : title
}

export function stateOf(job: Job): { kind: StateKind; word: string } {
  const { state, failed, dry_run } = job
  if (state === 'receiving') return { kind: 'waiting', word: 'Waiting for rows' }
  if (state === 'queued') return { kind: 'waiting', word: 'Waiting' }
  if (state === 'running') return { kind: 'waiting', word: 'Running' }
  if (state === 'cancelled') return { kind: 'off', word: 'Cancelled' }
  if (dry_run && failed > 0)
    return { kind: 'warn', word: `Checked, ${formatCount(failed)} would fail` }
  if (dry_run) return { kind: 'good', word: 'Checked' }
  if (failed > 0) return { kind: 'warn', word: `Done, ${formatCount(failed)} failed` }
  return { kind: 'good', word: 'Done' }
}

/** "495 of 1,000 done, 5 failed". */
export function progressWords({ total, done, failed, dry_run }: Job): string {
  const [well, badly] = dry_run ? ['would be done', 'would fail'] : ['done', 'failed']
  const faults = failed > 0 ? `, ${formatCount(failed)} ${badly}` : ''
  return `${formatCount(done)} of ${formatCount(total)} ${well}${faults}`
}
