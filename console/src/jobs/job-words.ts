import { formatCount } from '../ui/numbers.ts'
import type { StateKind } from '../ui/state.tsx'
import type { Job } from './use-jobs.ts'

const verbs: Record<Job['kind'], string> = {
  register: 'Register',
  rename: 'Rename',
  move: 'Move',
  configure: 'Configure',
  delete: 'Delete',
  change: 'Change',
  change_network: 'Change the network of',
}

/** What a job does, such as "Register 1,000 devices". */
export function titleOf({ kind, total, dry_run }: Job): string {
  const what = total === 1 ? 'device' : 'devices'
  return `${dry_run ? 'Dry run: ' : ''}${verbs[kind]} ${formatCount(total)} ${what}`
}

export function stateOf(job: Job): { kind: StateKind; word: string } {
  const { state, failed, dry_run } = job
  if (state === 'receiving') return { kind: 'waiting', word: 'Waits for further rows' }
  if (state === 'queued') return { kind: 'waiting', word: 'Waiting' }
  if (state === 'running') return { kind: 'waiting', word: 'Under way' }
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
